// The program downloads from the other end, verifies and writes. From the first block sent to it until it says itself
// that it is complete; its copy is checked once.
import { cpuSeconds } from '../measure/process-metrics.js';
import { transferTimeoutMs, type Encryption } from '../programs/program.js';
import { checkCopy } from '../support/payload.js';
import { startMeter, withProgram, type MacroScenario, type Scenario } from './scenario.js';

export const leech: Scenario = {
  kind: 'macro',
  what: 'the program downloads from the other end, verified and written',
  measure: leechWith('plain'),
};

export const leechRc4: Scenario = {
  kind: 'macro',
  what: 'leech, with RC4 on every connection',
  suits: ({ rc4Settings }) => rc4Settings !== null,
  isOnRequest: true,
  measure: leechWith('rc4'),
};

function leechWith(encryption: Encryption): MacroScenario['measure'] {
  return (program, { workspace, payload, otherEnd }, { isFirst, isObserved }) =>
    withProgram(program, workspace, { encryption }, async (running) => {
      const folder = workspace.folder('copy');
      await running.leech(payload, folder);
      const observer = isObserved ? await running.observe?.() : undefined;
      const stopMeter = startMeter([running.pid]);
      const end = await otherEnd.startSeeding(payload, running.peerPort, { encryption });
      try {
        const timeoutMs = transferTimeoutMs(payload.bytes);
        const startMs = await end.firstByte(timeoutMs);
        const cpuBefore = cpuSeconds(end.pid);
        const endMs = await running.finished(timeoutMs);
        const otherEndCpuSeconds = cpuSeconds(end.pid) - cpuBefore;
        const observation = (await observer?.stop()) ?? null;
        const cost = await stopMeter();
        if (isFirst) checkCopy(payload, folder);
        const seconds = (endMs - startMs) / 1_000;
        return { seconds, bytes: payload.bytes, ...cost, otherEndCpuSeconds, observation };
      } finally {
        await end.stop();
        workspace.remove(folder);
      }
    });
}
