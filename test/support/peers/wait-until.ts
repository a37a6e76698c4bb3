// Waiting for what another process does. Real time: only where real programs are.
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 50;
/** A machine that runs four of these at once, each with programs of its own, takes its time. */
const PATIENCE = 3;

/**
 * The first value of `look` that is not undefined; the message of the failure says what was seen last. `timeoutMs`: more
 * than enough on a machine that does nothing else.
 */
export async function waitUntil<Value>(
  what: string,
  timeoutMs: number,
  look: () => Promise<Value | undefined> | Value | undefined,
  describe: () => string = () => '',
): Promise<Value> {
  const limitMs = PATIENCE * timeoutMs;
  const deadline = performance.now() + limitMs;
  for (;;) {
    const value = await look();
    if (value !== undefined) return value;
    if (performance.now() > deadline) throw new Error(`${what}: not within ${limitMs} ms. ${describe()}`);
    await sleep(POLL_MS);
  }
}
