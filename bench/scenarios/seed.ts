// The program seeds; the other end connects to it and downloads everything. From the first block at the other end to
// the last.
import { cpuSeconds } from '../measure/process-metrics.js';
import { transferTimeoutMs } from '../programs/program.js';
import { checkCopy } from '../support/payload.js';
import { startMeter, withProgram, type Scenario } from './scenario.js';

export const seed: Scenario = {
  kind: 'macro',
  what: 'the program seeds to the other end',
  measure: (program, { workspace, payload, otherEnd }, { isFirst, isObserved }) =>
    withProgram(program, workspace, async (running) => {
      await running.seed(payload);
      const folder = workspace.folder('copy');
      const observer = isObserved ? await running.observe?.() : undefined;
      const stopMeter = startMeter([running.pid]);
      const end = await otherEnd.startLeeching(payload, running.peerPort, folder);
      try {
        const timeoutMs = transferTimeoutMs(payload.bytes);
        const startMs = await end.firstByte(timeoutMs);
        const cpuBefore = cpuSeconds(end.pid);
        const endMs = await end.finished(timeoutMs);
        const otherEndCpuSeconds = cpuSeconds(end.pid) - cpuBefore;
        const observation = (await observer?.stop()) ?? null;
        const cost = await stopMeter();
        if (isFirst && otherEnd.keepsCopy) checkCopy(payload, folder);
        const seconds = (endMs - startMs) / 1_000;
        return { seconds, bytes: payload.bytes, ...cost, otherEndCpuSeconds, observation };
      } finally {
        await end.stop();
        workspace.remove(folder);
      }
    }),
};
