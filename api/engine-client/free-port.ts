// An engine whose peer port another program has is begun on a free one: peers find it there as well.
import type { EngineOptions, EngineStarted } from '../../shared-protocol/commands/engine-options.js';
import { AppError } from '../../shared-protocol/errors.js';

/** `onTaken`: before it is begun on a free port. @throws AppError `LISTEN_FAILED` where any port was asked for; what `start` throws */
export async function startOnFreePort(
  start: (options: EngineOptions) => Promise<EngineStarted>,
  options: EngineOptions,
  onTaken: () => void,
): Promise<EngineStarted> {
  try {
    return await start(options);
  } catch (error) {
    const isTaken = error instanceof AppError && error.code === 'LISTEN_FAILED';
    if (!isTaken || options.peerPort === 0) throw error;
    onTaken();
    return start({ ...options, peerPort: 0, peerPorts: [] });
  }
}
