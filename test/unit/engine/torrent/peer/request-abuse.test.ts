// How long a peer is borne that asks for what it cannot have, or asks and takes back (docs/limits.md 2.11).
import t from 'tap';
import { RequestAbuse } from '../../../../../engine/torrent/peer/request-abuse.js';

const BLOCK = 16 * 1024;

/** How many times in a row it is borne; at most 10,000. */
function borne(act: () => boolean): number {
  for (let count = 0; count < 10_000; count++) if (!act()) return count;
  return 10_000;
}

void t.test('300 requests that cannot be served', async (t) => {
  const conduct = new RequestAbuse();
  t.equal(
    borne(() => conduct.onInvalid()),
    300,
  );
});

void t.test('whoever never held a slot should not ask', async (t) => {
  const conduct = new RequestAbuse();
  t.equal(
    borne(() => conduct.onChokedRequest(1_000, true)),
    300,
  );
  const deaf = new RequestAbuse();
  t.equal(
    borne(() => deaf.onChokedRequest(1_000, false)),
    300,
    'nor one that reads nothing',
  );
});

void t.test('requests that cross a choke on the way: for two seconds', async (t) => {
  const conduct = new RequestAbuse();
  conduct.onChoked(50_000);
  t.equal(
    borne(() => conduct.onChokedRequest(52_000, true)),
    10_000,
    'still within',
  );
  t.equal(
    borne(() => conduct.onChokedRequest(60_000, false)),
    10_000,
    'the choke waits behind blocks',
  );
  t.equal(
    borne(() => conduct.onChokedRequest(52_001, true)),
    300,
    'too late',
  );
});

void t.test('taken back: a queue full a minute, and two for each block delivered', async (t) => {
  const conduct = new RequestAbuse();
  t.equal(
    borne(() => conduct.onWasted(0, 0)),
    2_000 + 300,
    'the rest is invalid',
  );
  const fast = new RequestAbuse();
  fast.onWasted(0, 7 * BLOCK);
  t.equal(
    borne(() => fast.onWasted(59_999, 1_007 * BLOCK)),
    2_000 + 2 * 1_000 - 1 + 300,
    'blocks of before do not count',
  );
  const patient = new RequestAbuse();
  for (let minute = 0; minute < 100; minute++) {
    for (let i = 0; i < 2_000; i++) if (!patient.onWasted(minute * 60_000, 0)) t.fail(`minute ${minute}`);
  }
  t.pass('each minute has its own');
});
