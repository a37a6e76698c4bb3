// A program for a namespace of its own that keeps the port of its first argument mapped, for the protocols of the others.
// Waits longer than a call may take are cut to a 600th, so that half a lease takes three seconds. Prints its status as
// a line of JSON whenever it changes; `close` ends it, as does the end of its input.
import { createInterface } from 'node:readline';
import { GATEWAY_CALL_MS } from '../../engine/port-mapping/constants.js';
import { createPortMapping } from '../../engine/port-mapping/port-mapping.js';
import type { Clock } from '../../engine/environment.js';
import { systemClock } from '../../shared-protocol/clock.js';

const HURRY = 600;
const POLL_MS = 20;

const [, , port = '', ...protocols] = process.argv;
const print = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);
const clock: Clock = {
  ...systemClock,
  after: (delayMs, callback) => systemClock.after(delayMs > GATEWAY_CALL_MS ? delayMs / HURRY : delayMs, callback),
};
const log = (level: string) => (message: string, fields?: object) => print({ log: message, level, ...fields });
process.on('unhandledRejection', (reason) => print({ escaped: String(reason) }));
process.on('uncaughtException', (error) => print({ escaped: String(error) }));

const before = performance.now();
const mapping = createPortMapping(
  { clock, log: { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') } },
  protocols.length > 0 ? { protocols: protocols.map((name) => (name === 'UDP' ? 'UDP' : 'TCP')) } : {},
);
mapping.start(Number(port));
print({ startedMs: performance.now() - before });

let last = '';
const poll = setInterval(() => {
  const { state, externalAddress, counters } = mapping;
  // The most that this process has ever had, in MiB.
  const maxRss = Math.round(process.resourceUsage().maxRSS / 1024);
  const status = JSON.stringify({ state, externalAddress, ...counters });
  if (status !== last) print({ status: { ...JSON.parse(status), maxRss } });
  last = status;
}, POLL_MS);

const input = createInterface({ input: process.stdin });
input.on('close', async () => {
  const closing = performance.now();
  await mapping.close(GATEWAY_CALL_MS);
  clearInterval(poll);
  print({ closedMs: performance.now() - closing, state: mapping.state });
});
