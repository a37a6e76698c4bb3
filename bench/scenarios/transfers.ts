// Several transfers of one process, one after another: in the first its code is cold, in the last it is warm. Each is
// from the first block to the last, whoever gets it.
import type { RunningEnd } from '../load/other-end.js';
import { cpuOf } from '../measure/process-metrics.js';
import { transferTimeoutMs, type Encryption, type RunningProgram, type StartOptions } from '../programs/program.js';
import type { MacroSample } from '../report/results.js';
import { checkCopy } from '../support/payload.js';
import { startMeter, withProgram, type MacroContext, type MacroScenario, type Run } from './scenario.js';

/** What one transfer needs to know. */
export type TransferContext = Pick<MacroContext, 'workspace' | 'payload' | 'otherEnd'>;

/** Which way the payload goes: what is different between a program that seeds and one that leeches. */
export interface Direction {
  /** Before the first transfer. */
  prepare?(running: RunningProgram, context: TransferContext): Promise<void>;
  /** Before each one: `folder` is where the copy will be. */
  expect?(running: RunningProgram, context: TransferContext, folder: string): Promise<void>;
  startOtherEnd(context: TransferContext, port: number, folder: string, options: StartOptions): Promise<RunningEnd>;
  /** Resolves at the monotonic time at which all of it is there. */
  finished(running: RunningProgram, end: RunningEnd, timeoutMs: number): Promise<number>;
  /** After each one. */
  renew?(running: RunningProgram): Promise<void>;
  /** Whether there is a copy that can be checked. */
  keepsCopy(context: TransferContext): boolean;
}

export function transfersOf(direction: Direction, encryption: Encryption): MacroScenario['measure'] {
  return (program, context, run) => {
    const options = { encryption, peers: run.peers };
    return withProgram(program, context.workspace, options, async (running) => {
      await direction.prepare?.(running, context);
      const first = await transfer(direction, running, context, run, options);
      // One that is watched is about delays.
      const more = run.isObserved ? 0 : context.transfers - 1;
      let last: MacroSample | null = null;
      for (let i = 0; i < more; i++) {
        await direction.renew?.(running);
        last = await transfer(direction, running, context, { ...run, isFirst: false }, options);
      }
      return { ...first, last: last && { seconds: last.seconds, cpuSeconds: last.cpuSeconds } };
    });
  };
}

export async function transfer(
  direction: Direction,
  running: RunningProgram,
  context: TransferContext,
  { isFirst, isObserved }: Pick<Run, 'isFirst' | 'isObserved'>,
  options: StartOptions,
): Promise<MacroSample> {
  const { workspace, payload } = context;
  const folder = workspace.folder('copy');
  await direction.expect?.(running, context, folder);
  const observer = isObserved ? await running.observe?.() : undefined;
  const stopMeter = startMeter(running.pids);
  const end = await direction.startOtherEnd(context, running.peerPort, folder, options);
  try {
    const timeoutMs = transferTimeoutMs(payload.bytes);
    const startMs = await end.firstByte(timeoutMs);
    const cpuBefore = cpuOf(end.pids);
    const endMs = await direction.finished(running, end, timeoutMs);
    const otherEndCpuSeconds = cpuOf(end.pids) - cpuBefore;
    const observation = (await observer?.stop()) ?? null;
    const cost = await stopMeter();
    if (isFirst && direction.keepsCopy(context)) checkCopy(payload, folder);
    return { seconds: (endMs - startMs) / 1_000, bytes: payload.bytes, ...cost, otherEndCpuSeconds, observation };
  } finally {
    await end.stop();
    workspace.remove(folder);
  }
}
