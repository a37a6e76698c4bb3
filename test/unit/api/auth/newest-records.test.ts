// Looks at what other fronts have changed, on a virtual clock: who shares one, how many there are, and for whom there is none.
import t from 'tap';
import { firstAdmin } from '../../../../api/auth/account.js';
import { NewestRecords } from '../../../../api/auth/newest-records.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

const KNOWN = 'k'.repeat(43);
const ADMIN = firstAdmin('', 0);

/** Records whose reads take a while; `reads` counts them. */
function setUp(read: (clock: VirtualClock) => Promise<void>) {
  const clock = new VirtualClock();
  const seen = { reads: 0, underWay: 0, most: 0 };
  const refresh = async (): Promise<void> => {
    seen.reads++;
    seen.most = Math.max(seen.most, ++seen.underWay);
    await read(clock).finally(() => seen.underWay--);
  };
  const auth = {
    accounts: { find: () => ADMIN, findByApiKey: (key: string) => (key === KNOWN ? ADMIN : null) },
    sessions: { accountOf: (token: string) => (token === KNOWN ? ADMIN.id : null) },
    localKey: { opens: () => false },
  };
  return { clock, seen, newest: new NewestRecords({ auth, records: [{ refresh }], clock }) };
}

const taking = (ms: number) => (clock: VirtualClock) => new Promise<void>((resolve) => void clock.after(ms, resolve));
const cookie = (token: string) => ({ cookie: `service_session=${token}` });

void t.test('those who ask at once share a read, which begins at once', async (t) => {
  const { clock, seen, newest } = setUp(taking(3));
  const looks = Array.from({ length: 200 }, () => newest.look());
  await clock.settle();
  t.equal(seen.reads, 1);
  await clock.advance(3);
  await Promise.all(looks);
  t.equal(seen.reads, 1);
});

void t.test('who asks while one is under way gets the next, which waits for it and for its time', async (t) => {
  const { clock, seen, newest } = setUp(taking(80));
  const ended: string[] = [];
  void newest.look().then(() => ended.push('first'));
  await clock.advance(1);
  for (const name of ['second', 'third']) void newest.look().then(() => ended.push(name));
  await clock.advance(79);
  t.same([ended, seen.reads], [['first'], 2]);
  await clock.advance(80);
  t.same([ended, seen.reads, seen.most], [['first', 'second', 'third'], 2, 1]);
});

void t.test('however often it is asked for, there are 20 in a second', async (t) => {
  const { clock, seen, newest } = setUp(async () => undefined);
  for (let ms = 0; ms < 999; ms++) {
    void newest.look();
    await clock.advance(1);
  }
  t.equal(seen.reads, 20);
});

void t.test('a database that fails, or does not answer, is not waited for', async (t) => {
  const failing = setUp(() => Promise.reject(new Error('away')));
  await failing.newest.look();
  const silent = setUp(() => new Promise(() => undefined));
  const look = silent.newest.look();
  await silent.clock.advance(2_000);
  await look;
  t.equal(silent.clock.pendingTimers + failing.clock.pendingTimers, 0);
});

void t.test('only what has the form of a credential and opens nothing here is looked for', async (t) => {
  const { clock, seen, newest } = setUp(async () => undefined);
  const unknown = 'u'.repeat(43);
  for (const headers of [
    {},
    cookie(KNOWN),
    cookie('u'.repeat(42)),
    cookie('!'.repeat(43)),
    { authorization: `Bearer ${KNOWN}` },
    { authorization: 'Bearer nobody' },
    { authorization: `Basic ${unknown}` },
    { authorization: `Bearer ${unknown}`, ...cookie(KNOWN) },
  ]) {
    t.equal(newest.lookFor(headers), null, JSON.stringify(headers));
  }
  t.equal(seen.reads, 0);
  for (const headers of [cookie(unknown), { authorization: `Bearer ${unknown}` }]) {
    const look = newest.lookFor(headers);
    await clock.advance(50);
    await look;
  }
  t.equal(seen.reads, 2);
});
