// The peer port on several addresses: the first decides the port and has to be there; the others, IPv6 usually, are
// had where the machine has them.
import { AppError } from '../../shared-protocol/errors.js';
import type { EngineOptions } from '../../shared-protocol/commands/engine-options.js';
import type { Log, PeerListener, PeerNetwork, PeerSocket } from '../environment.js';

export interface ListenDeps {
  readonly network: PeerNetwork;
  readonly log: Log;
}

/** @throws AppError `LISTEN_FAILED` when the first address is taken */
export async function listenForPeers(
  { network, log }: ListenDeps,
  { peerHosts, peerPort }: Pick<EngineOptions, 'peerHosts' | 'peerPort'>,
  onSocket: (socket: PeerSocket) => void,
): Promise<PeerListener[]> {
  const [first, ...others] = peerHosts;
  if (first === undefined) throw new AppError('BUG', 'bug: no address to listen on');
  const listeners = [await network.listen(first, peerPort, onSocket)];
  for (const host of others) {
    try {
      listeners.push(await network.listen(host, listeners[0]!.port, onSocket));
    } catch (error) {
      log.info('no peers on this address', { host, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return listeners;
}
