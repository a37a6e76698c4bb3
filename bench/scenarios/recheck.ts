// The program verifies the whole payload on disk. From the order to do so until it says that it is done.
import { monotonicMs } from '../support/wait.js';
import { startMeter, withProgram, type Scenario } from './scenario.js';

export const recheck: Scenario = {
  kind: 'macro',
  what: 'the program verifies the payload on disk',
  measure: (program, { workspace, payload }, { isObserved }) =>
    withProgram(program, workspace, {}, async (running) => {
      const observer = isObserved ? await running.observe?.() : undefined;
      let startMs = 0;
      let stopMeter = startMeter(running.pids);
      await running.recheck(payload, () => {
        stopMeter = startMeter(running.pids);
        startMs = monotonicMs();
      });
      const seconds = (monotonicMs() - startMs) / 1_000;
      const observation = (await observer?.stop()) ?? null;
      const cost = await stopMeter();
      return { seconds, bytes: payload.bytes, ...cost, otherEndCpuSeconds: null, observation };
    }),
};
