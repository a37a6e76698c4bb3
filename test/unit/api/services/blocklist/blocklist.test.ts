// What holds after fetches, changes of the settings and restarts, whichever comes first.
import t from 'tap';
import type { Chunks } from '../../../../../api/egress/body.js';
import { RequestError } from '../../../../../api/errors.js';
import { Blocklist } from '../../../../../api/services/blocklist/blocklist.js';
import type { HeldList } from '../../../../../api/services/blocklist/cached-list.js';
import type { ReadList } from '../../../../../api/services/blocklist/list-reader.js';
import { defaultSettings } from '../../../../../api/services/settings/settings-data.js';
import { Settings } from '../../../../../api/services/settings/settings.js';
import type { AddressRanges } from '../../../../../shared-protocol/address-ranges.js';
import { AppError } from '../../../../../shared-protocol/errors.js';
import { rangesOf } from '../../../../support/address-ranges.js';
import { SILENT_LOG } from '../../../../support/api-harness.js';

const A = 'https://a.example/';
const B = 'https://b.example/';

interface Fetch {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Also after it was given up. */
  end(list: ReadList | Error, etag?: string): void;
  notModified(): void;
}

const listOf = (entries: number, ...lines: readonly string[]): ReadList => {
  return { entries, skipped: 0, ranges: rangesOf(...lines) };
};

/** Fetches end when they are told to. */
function setUp(
  world: { data?: ReturnType<typeof defaultSettings>; kept?: HeldList | null; bans?: AddressRanges } = {},
) {
  const data = world.data ?? defaultSettings('/files');
  const update = async (change: (stored: typeof data) => void) => change(data);
  const collection = { data, update, onChanged: () => undefined, refresh: async () => undefined };
  const overrides = { peerPort: null, encryption: null, dht: null, lsd: null, upnp: null };
  const fetches: Fetch[] = [];
  const told: (readonly AddressRanges[])[] = [];
  const disk = { kept: world.kept ?? null, isFull: false };
  const engine = { error: null as AppError | null };
  const pending = new Map<object, ReadList>();
  const blocklist = new Blocklist({
    settings: new Settings(collection, overrides),
    egress: {
      check: async () => undefined,
      read: (url, { headers = {}, signal = new AbortController().signal }, consume) =>
        new Promise((resolve, reject) => {
          const answer = (status: number, answered: Record<string, string>, list?: ReadList) => {
            const body: Chunks = (async function* () {})();
            if (list) pending.set(body, list);
            consume(body, { status, headers: answered }).then(resolve, reject);
          };
          fetches.push({
            ...{ url, headers, signal },
            end: (list, etag) =>
              list instanceof Error ? reject(list) : answer(200, etag === undefined ? {} : { etag }, list),
            notModified: () => answer(304, {}),
          });
        }),
    },
    bans: { ranges: world.bans ?? null },
    readList: async (body) => pending.get(body)!,
    cache: {
      read: async (url) => (disk.kept?.url === url ? disk.kept : null),
      write: async (list) => {
        if (disk.isFull) throw new Error('ENOSPC');
        disk.kept = list;
      },
      drop: async () => void (disk.kept = null),
    },
    engine: {
      client: {
        setBlocklist: async ({ lists }) => {
          if (engine.error) throw engine.error;
          told.push(lists);
        },
      },
    },
    log: SILENT_LOG,
    now: () => 7,
  });
  const shown = () => blocklist.shown({ withSecrets: true });
  return { blocklist, fetches, told, disk, engine, data, shown };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

void t.test('a fetch that ends is in force, kept and shown', async (t) => {
  const { blocklist, fetches, told, disk, shown } = setUp();
  await blocklist.set({ url: A, enabled: true });
  const list = listOf(3, '1.2.3.4');
  fetches[0]?.end(list, '"1"');
  await settled();
  t.match(shown(), { entries: 3, last_loaded_at: 7 });
  t.same(told, [[list.ranges]]);
  t.match(disk.kept, { url: A, validators: { etag: '"1"' } });
  t.same(blocklist.lists, [list.ranges]);
});

void t.test('disabled, everybody is let in and no copy is left', async (t) => {
  const { blocklist, fetches, told, disk } = setUp();
  await blocklist.set({ url: A, enabled: true });
  fetches[0]?.end(listOf(3, '1.2.3.4'));
  await settled();
  await blocklist.set({ url: A, enabled: false });
  t.same(told.at(-1), []);
  t.same(blocklist.lists, []);
  t.equal(disk.kept, null);
});

void t.test('a fetch that ends after the list was disabled leaves no trace', async (t) => {
  const { blocklist, fetches, told, disk, shown } = setUp();
  await blocklist.set({ url: A, enabled: true });
  await blocklist.set({ url: A, enabled: false });
  fetches[0]?.end(listOf(3, '1.2.3.4'));
  await settled();
  t.match(shown(), { enabled: false, entries: 0, last_loaded_at: 0 });
  t.same(told, [[]]);
  t.equal(disk.kept, null);
});

void t.test('of two fetches only the later one counts, whichever ends first', async (t) => {
  const { blocklist, fetches, told, shown } = setUp();
  await blocklist.set({ url: A, enabled: true });
  await blocklist.set({ url: B, enabled: true });
  const list = listOf(2, '2.2.2.2');
  fetches[1]?.end(list);
  await settled();
  fetches[0]?.end(listOf(1, '1.1.1.1'));
  await settled();
  t.match(shown(), { url: B, entries: 2 });
  t.same(told, [[list.ranges]]);
});

void t.test('a fetch that fails changes nothing but the reason shown', async (t) => {
  const { blocklist, fetches, told, disk, shown } = setUp();
  await blocklist.set({ url: A, enabled: true });
  const list = listOf(2, '2.2.2.2');
  fetches[0]?.end(list);
  await settled();
  const kept = disk.kept;
  const refreshed = blocklist.refresh();
  await settled();
  fetches[1]?.end(new RequestError('FETCH_FAILED', 'no line of it is understood'));
  await t.rejects(refreshed, { code: 'UPSTREAM_FAILED', message: 'blocklist: no line of it is understood' });
  t.match(shown(), { entries: 2, last_loaded_at: 7, error: 'no line of it is understood' });
  t.same(blocklist.lists, [list.ranges]);
  t.equal(told.length, 1);
  t.equal(disk.kept, kept);
  await blocklist.set({ url: B, enabled: true });
  t.same(blocklist.lists, [list.ranges], 'also while another one is on its way');
});

void t.test('what has not changed is not sent again', async (t) => {
  const { blocklist, fetches, told, shown } = setUp();
  await blocklist.set({ url: A, enabled: true });
  t.same(fetches[0]?.headers, {});
  fetches[0]?.end(listOf(2, '2.2.2.2'), '"1"');
  await settled();
  const refreshed = blocklist.refresh();
  await settled();
  t.same(fetches[1]?.headers, { 'if-none-match': '"1"' });
  fetches[1]?.notModified();
  await refreshed;
  t.match(shown(), { entries: 2 });
  t.equal(told.length, 1);
  await blocklist.set({ url: B, enabled: true });
  t.same(fetches[2]?.headers, {}, 'of another list nothing is known');
  fetches[2]?.notModified();
  await settled();
  t.match(shown(), { error: 'Download failed: HTTP 304' });
});

void t.test('disabled, a refresh counts the entries and nobody is blocked', async (t) => {
  const { blocklist, fetches, told, disk, shown } = setUp();
  await blocklist.set({ url: A, enabled: false });
  const refreshed = blocklist.refresh();
  await settled();
  fetches[0]?.end(listOf(4, '1.1.1.1'));
  await refreshed;
  t.match(shown(), { entries: 4 });
  t.same(told, [[]]);
  t.equal(disk.kept, null);
});

void t.test('a new run begins with the copy, if it is of this list and the list is enabled', async (t) => {
  const kept: HeldList = { url: A, validators: { etag: '"1"' }, ranges: rangesOf('1.1.1.1') };
  const run = async (blocklist: { url: string; enabled: boolean }) => {
    const defaults = defaultSettings('/files');
    const data = { ...defaults, blocklist: { ...defaults.blocklist, ...blocklist } };
    const world = setUp({ data, kept });
    await world.blocklist.load();
    return world;
  };
  const same = await run({ url: A, enabled: true });
  t.same(same.blocklist.lists, [kept.ranges]);
  t.same(same.told, [], 'the engine is started with it');
  t.equal(same.blocklist.refreshState.isHeld, true);
  const other = await run({ url: B, enabled: true });
  t.same(other.blocklist.lists, []);
  t.match(other.blocklist.refreshState, { enabled: true, isHeld: false });
  const disabled = await run({ url: A, enabled: false });
  t.same(disabled.blocklist.lists, []);
  t.equal(disabled.disk.kept, null, 'what a crash left behind');
});

void t.test('a full disk and an engine that is away do not keep a list from holding', async (t) => {
  const { blocklist, fetches, told, disk, engine, shown } = setUp();
  disk.isFull = true;
  engine.error = new AppError('ENGINE_EXITED', 'gone');
  await blocklist.set({ url: A, enabled: true });
  const list = listOf(1, '1.1.1.1');
  fetches[0]?.end(list);
  await settled();
  t.match(shown(), { entries: 1 });
  t.equal('error' in shown(), false);
  engine.error = new AppError('ENGINE_TIMEOUT', 'busy');
  await blocklist.apply();
  engine.error = null;
  await blocklist.apply();
  t.same(told, [[list.ranges]]);
});

void t.test('what is banned by hand holds beside the list, and without one', async (t) => {
  const bans = rangesOf('6.6.6.6');
  const { blocklist, fetches, told } = setUp({ bans });
  t.same(blocklist.lists, [bans]);
  await blocklist.set({ url: A, enabled: true });
  const list = listOf(1, '1.1.1.1');
  fetches[0]?.end(list);
  await settled();
  await blocklist.set({ url: A, enabled: false });
  t.same(told, [[list.ranges, bans], [bans]]);
});

void t.test('events tell of ends and changes, not of what was overtaken; close ends a fetch', async (t) => {
  const { blocklist, fetches } = setUp();
  const events: string[] = [];
  blocklist.onEvent((event) => events.push(event));
  await blocklist.set({ url: A, enabled: true });
  await blocklist.set({ url: B, enabled: true });
  fetches[0]?.end(listOf(1, '1.1.1.1'));
  fetches[1]?.end(new RequestError('FETCH_FAILED', 'no'));
  await settled();
  t.same(events, ['changed', 'changed', 'failed']);
  const again = blocklist.refreshByItself();
  await settled();
  const closed = blocklist.close();
  t.ok(fetches[2]?.signal.aborted);
  fetches[2]?.end(new RequestError('FETCH_FAILED', 'given up'));
  await Promise.all([again, closed]);
  t.equal(events.length, 3);
  await blocklist.set({ url: B, enabled: false });
  await blocklist.refreshByItself();
  t.equal(fetches.length, 3, 'disabled, it does nothing by itself');
});
