// The list follows its source (docs/semantics.md section 9), in virtual time.
import t from 'tap';
import type { BlocklistEvent, RefreshState } from '../../../../../api/services/blocklist/blocklist.js';
import { BlocklistRefresh, nextFetchInMs, REFRESH_INTERVAL_MS } from '../../../../../api/services/blocklist/refresh.js';
import { VirtualClock } from '../../../../support/virtual-clock.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MIDDLE = 0.5;

function setUp(first: Partial<RefreshState> = {}) {
  const clock = new VirtualClock();
  const state = { enabled: true, isHeld: true, lastLoadedAt: clock.unixMs() / 1_000, ...first };
  const fetchedAtMs: number[] = [];
  let listener: (event: BlocklistEvent) => void = () => undefined;
  const server = { isUp: true };
  const blocklist = {
    get refreshState() {
      return state;
    },
    onEvent: (given: typeof listener) => void (listener = given),
    refreshByItself: async () => {
      fetchedAtMs.push(clock.nowMs());
      if (server.isUp) Object.assign(state, { isHeld: true, lastLoadedAt: clock.unixMs() / 1_000 });
      listener(server.isUp ? 'loaded' : 'failed');
    },
    close: async () => undefined,
  };
  const refresh = new BlocklistRefresh({ blocklist, clock, random: () => MIDDLE });
  refresh.start();
  return { clock, state, fetchedAtMs, server, refresh, tell: (event: BlocklistEvent) => listener(event) };
}

void t.test('once a day while it is enabled', async (t) => {
  const { clock, fetchedAtMs, refresh } = setUp();
  await clock.advance(3 * REFRESH_INTERVAL_MS);
  t.same(
    fetchedAtMs,
    [1, 2, 3].map((day) => day * REFRESH_INTERVAL_MS),
  );
  await refresh.stop();
  await clock.advance(3 * REFRESH_INTERVAL_MS);
  t.equal(fetchedAtMs.length, 3);
  t.equal(clock.pendingTimers, 0);
});

void t.test('a day counts from the last fetch, also one of the run before', async (t) => {
  const { clock, fetchedAtMs } = setUp({ lastLoadedAt: 1_735_689_600 - 20 * 3_600 });
  await clock.advance(5 * HOUR_MS);
  t.same(fetchedAtMs, [4 * HOUR_MS]);
});

void t.test('at once where the copy was lost, and where it is too old', async (t) => {
  for (const state of [{ isHeld: false }, { lastLoadedAt: 1_700_000_000 }]) {
    const { clock, fetchedAtMs } = setUp(state);
    await clock.advance(MINUTE_MS);
    t.same(fetchedAtMs, [1_000]);
  }
});

void t.test('disabled, never; enabled again, the next day', async (t) => {
  const { clock, state, fetchedAtMs, tell } = setUp();
  Object.assign(state, { enabled: false, isHeld: false });
  tell('changed');
  await clock.advance(30 * REFRESH_INTERVAL_MS);
  t.same(fetchedAtMs, []);
  t.equal(clock.pendingTimers, 0);
  const atMs = clock.nowMs();
  Object.assign(state, { enabled: true, isHeld: true, lastLoadedAt: clock.unixMs() / 1_000 });
  tell('changed');
  await clock.advance(REFRESH_INTERVAL_MS);
  t.same(fetchedAtMs, [atMs + REFRESH_INTERVAL_MS]);
});

void t.test('after failures sooner, with growing pauses', async (t) => {
  const { clock, fetchedAtMs, server } = setUp({ isHeld: false });
  server.isUp = false;
  await clock.advance(24 * HOUR_MS);
  const pauses = fetchedAtMs.slice(1).map((atMs, index) => (atMs - fetchedAtMs[index]!) / MINUTE_MS);
  t.same(pauses, [5, 10, 20, 40, 80, 160, 320, 360, 360]);
  server.isUp = true;
  const failures = fetchedAtMs.length;
  await clock.advance(6 * HOUR_MS);
  t.equal(fetchedAtMs.length, failures + 1, 'and once it is up');
  await clock.advance(23 * HOUR_MS);
  t.equal(fetchedAtMs.length, failures + 2, 'once a day again');
});

void t.test('the jitter, and a clock that was set back', async (t) => {
  const held = { enabled: true, isHeld: true, lastLoadedAt: 1_000_000 };
  t.equal(nextFetchInMs(held, 0, 1_000_000, 0), 0.9 * REFRESH_INTERVAL_MS);
  t.equal(Math.round(nextFetchInMs(held, 0, 1_000_000, 0.999_999) ?? 0), Math.round(1.1 * REFRESH_INTERVAL_MS - 17));
  t.equal(nextFetchInMs(held, 0, 5, MIDDLE), REFRESH_INTERVAL_MS);
  t.equal(nextFetchInMs(held, 1, 1_000_000, 0), 0.9 * 5 * MINUTE_MS);
  t.equal(nextFetchInMs({ ...held, enabled: false }, 3, 1_000_000, 0), null);
});
