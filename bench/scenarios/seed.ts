// The program seeds; the other end connects to it and downloads everything. From the first block at the other end to
// the last.
import { cpuSeconds } from '../measure/process-metrics.js';
import { transferTimeoutMs, type Encryption } from '../programs/program.js';
import { checkCopy } from '../support/payload.js';
import { startMeter, withProgram, type MacroScenario, type Scenario } from './scenario.js';

export const seed: Scenario = { kind: 'macro', what: 'the program seeds to the other end', measure: seedWith('plain') };

export const seedRc4: Scenario = {
  kind: 'macro',
  what: 'seed, with RC4 on every connection',
  suits: ({ rc4Settings }) => rc4Settings !== null,
  isOnRequest: true,
  measure: seedWith('rc4'),
};

function seedWith(encryption: Encryption): MacroScenario['measure'] {
  return (program, { workspace, payload, otherEnd }, { isFirst, isObserved }) =>
    withProgram(program, workspace, { encryption }, async (running) => {
      await running.seed(payload);
      const folder = workspace.folder('copy');
      const observer = isObserved ? await running.observe?.() : undefined;
      const stopMeter = startMeter([running.pid]);
      const end = await otherEnd.startLeeching(payload, running.peerPort, folder, { encryption });
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
    });
}
