// What it costs to talk to the engine thread: commands through the real worker transport to an engine that does
// nothing, one at a time and many at once, and events the other way.
import { createWorkerTransport } from '../../shared-protocol/worker-transport.js';
import type { Scenario } from './scenario.js';
import { perSecond } from './micro.js';

const AT_ONCE = 64;
const EVENTS = 1_000;
const STOP_TIMEOUT_MS = 1_000;

export const protocol: Scenario = {
  kind: 'micro',
  what: 'commands to and events from the engine thread',
  async measure() {
    const transport = createWorkerTransport(new URL('../load/echo-engine.js', import.meta.url));
    const { client } = transport;
    let events = 0;
    transport.onEvent(() => events++);
    try {
      const one = async () => {
        await client.health({});
        return 1;
      };
      const many = async () => {
        await Promise.all(Array.from({ length: AT_ONCE }, () => client.health({})));
        return AT_ONCE;
      };
      const eventBurst = async () => {
        const before = events;
        await client.setPeerLimits({ maxPeersPerTorrent: EVENTS });
        return events - before;
      };
      return [
        { name: 'commands, one at a time', value: await perSecond(one), unit: 'round trips/s' },
        { name: `commands, ${AT_ONCE} at once`, value: await perSecond(many), unit: 'round trips/s' },
        { name: `events, in bursts of ${EVENTS}`, value: await perSecond(eventBurst), unit: 'events/s' },
      ];
    } finally {
      await transport.close(STOP_TIMEOUT_MS);
    }
  },
};
