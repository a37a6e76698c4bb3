// Waiting for what another process does. Real time: only where real programs are.
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 50;

/** The first value of `look` that is not undefined; the message of the failure says what was seen last. */
export async function waitUntil<Value>(
  what: string,
  timeoutMs: number,
  look: () => Promise<Value | undefined> | Value | undefined,
  describe: () => string = () => '',
): Promise<Value> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const value = await look();
    if (value !== undefined) return value;
    if (performance.now() > deadline) throw new Error(`${what}: not within ${timeoutMs} ms. ${describe()}`);
    await sleep(POLL_MS);
  }
}
