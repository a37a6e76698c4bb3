import { readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { readListInThread } from '../../../../../api/services/blocklist/list-thread.js';

/** Each two milliseconds later than the one before. */
const READS = 40;

void t.test('a read that is given up while its thread starts leaves nothing open', async (t) => {
  for (let number = 0; number < READS; number++) {
    const given = new AbortController();
    const read = readListInThread(endless(given.signal), given.signal);
    await sleep(2 * number);
    given.abort();
    await t.rejects(read);
  }
  t.equal(openModules().length, 0, openModules().slice(0, 3).join());
});

/** Nothing comes until it is given up. */
async function* endless(signal: AbortSignal): AsyncGenerator<Uint8Array> {
  await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('given up'))));
  yield new Uint8Array(1);
}

function openModules(): string[] {
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${descriptor}`);
      return path.endsWith('.js') ? [path] : [];
    } catch {
      return [];
    }
  });
}
