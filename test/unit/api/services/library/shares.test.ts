// What each account is shown of torrents that several hold: its own share and nothing of the others.
import fc from 'fast-check';
import t from 'tap';
import { firstAdmin, type Account } from '../../../../../api/auth/account.js';
import { Library } from '../../../../../api/services/library/library.js';
import { refOf, sharesOf, statsOfShare } from '../../../../../api/services/library/shares.js';
import { Snapshots } from '../../../../../api/torrent-list/snapshots.js';
import type { TorrentDto } from '../../../../../shared-protocol/dto/torrents.js';
import type { HolderFacts, TorrentFacts } from '../../../../../shared-protocol/events.js';
import { ADMIN_ACCOUNT_ID, parseAccountId, parseInfoHash, type AccountId } from '../../../../../shared-protocol/ids.js';
import { createInProcessTransport } from '../../../../support/in-process-transport.js';
import { NEW_LIBRARY_RECORD, type Share } from '../../../../../shared-protocol/library-record.js';
import {
  emptyStats,
  StatsWriter,
  TORRENT_FLAGS,
  type TorrentStats,
} from '../../../../../shared-protocol/stats-table.js';
import { MemoryEngine } from '../../../../support/memory-engine.js';

const ADMIN = firstAdmin('', 0);
const [ANN, BOB, CAT] = [2, 3, 4].map((id): Account => ({ ...ADMIN, id: parseAccountId(id), role: 'user' })) as [
  Account,
  Account,
  Account,
];
const USERS = [ANN, BOB, CAT];
const ID = parseInfoHash('a'.repeat(40));
const NO_LABELS = { revision: 0, tag: () => undefined, category: () => undefined };

const holder = (accountId: AccountId, change: Partial<HolderFacts> = {}): HolderFacts => ({
  accountId,
  savePath: '/srv',
  name: `name-of-${accountId}`,
  trackers: `http://tracker.example/key-of-${accountId}`,
  addedAt: 100 + accountId,
  paused: false,
  sequential: false,
  forceStart: false,
  library: NEW_LIBRARY_RECORD,
  ...change,
});

const granted = (...shares: readonly Share[]) => ({ library: { ...NEW_LIBRARY_RECORD, shares } });

class Bench {
  readonly accounts = new Set([ADMIN, ...USERS].map(({ id }) => id));
  readonly left: string[] = [];
  readonly library: Library;
  readonly writer: StatsWriter;
  readonly snapshots: Snapshots;
  readonly #slot: { readonly row: number; readonly tag: number };

  constructor() {
    const { client } = createInProcessTransport(new MemoryEngine().handlers);
    const leaveTorrent: typeof client.leaveTorrent = ({ by }) => Promise.resolve(void this.left.push(String(by)));
    const engine = { client: { ...client, leaveTorrent } };
    this.library = new Library({ engine, isAccount: (id) => this.accounts.has(id) });
    this.writer = new StatsWriter((table) => this.library.handleEvent({ name: 'stats.table', payload: table }));
    this.#slot = this.writer.allocate();
    this.snapshots = new Snapshots(this.library, NO_LABELS);
  }

  /** As the engine tells it. */
  tell(holders: readonly HolderFacts[], change: Partial<TorrentFacts> = {}): void {
    const [first] = holders;
    if (!first) throw new Error('somebody holds it');
    const { accountId: ownerId, library, addedAt, name, trackers } = first;
    const all = holders.map((each) => each.trackers).join('\n');
    const facts: TorrentFacts = {
      ...{ id: ID, row: this.#slot.row, rowTag: this.#slot.tag, savePath: '/files', totalBytes: 100, error: null },
      ...{ isPrivate: false, hasMetadata: true, metadataBytes: 10, completedAt: null },
      ...{ ownerId, library, addedAt, name, trackers: holders.length > 1 ? all : trackers },
      ...(holders.length > 1 ? { holders } : {}),
      ...change,
    };
    this.library.handleEvent({ name: 'torrent.changed', payload: { facts } });
  }

  async text(account: Account): Promise<string> {
    return Buffer.concat((await this.snapshots.of(account)).json).toString();
  }

  async shown(account: Account): Promise<TorrentDto | undefined> {
    return (JSON.parse(await this.text(account)) as TorrentDto[])[0];
  }
}

void t.test('each sees its own share, those it is granted to that one, an administrator all', async (t) => {
  const bench = new Bench();
  const grant = granted({ accountId: CAT.id, access: 'editor' });
  bench.tell([holder(ANN.id, { paused: true }), holder(BOB.id, grant)], { name: 'name-of-ann', hasMetadata: false });
  bench.writer.write(0, { ...emptyStats(), peers: 7, downloadRate: 5, flags: TORRENT_FLAGS.forceStart });
  t.match(await bench.shown(ANN), { name: 'name-of-2', paused: true, added_at: 102, peers: 0, download_rate: 0 });
  t.match(await bench.shown(BOB), { name: 'name-of-3', paused: false, added_at: 103, peers: 7, force_start: false });
  t.match(await bench.shown(CAT), { name: 'name-of-3', access: 'editor', peers: 7 });
  t.match(await bench.shown(ADMIN), { name: 'name-of-ann', paused: false, force_start: true });
  t.match(await bench.snapshots.totals(ANN), { total_torrents: 1, active_torrents: 0, total_peers: 0 });
  t.match(await bench.snapshots.totals(BOB), { active_torrents: 1, total_peers: 7 });
  const torrent = bench.library.find(ID)!;
  t.same(refOf(bench.library.shownTo(CAT, torrent)), { id: ID, by: BOB.id });
  t.same(
    [ANN, BOB, CAT].map((account) => bench.library.accessOf(account, torrent)),
    ['owner', 'owner', 'editor'],
  );
  t.same(
    USERS.map(({ id }) => bench.library.usageOf(id).torrents),
    [1, 1, 0],
    'it counts for each',
  );
});

void t.test('limits of speed are those of the share; an administrator is shown what is in force', (t) => {
  const bench = new Bench();
  const [anns, inForce] = [
    { downBytesPerSec: 1024, upBytesPerSec: 0 },
    { downBytesPerSec: 0, upBytesPerSec: 5 },
  ];
  bench.tell([holder(ANN.id, { rateLimits: anns }), holder(BOB.id)], { rateLimits: inForce });
  const limitsFor = (account: Account) => bench.library.shownTo(account, bench.library.find(ID)!).rateLimits;
  t.same([limitsFor(ANN), limitsFor(BOB), limitsFor(ADMIN)], [anns, undefined, inForce]);
  t.end();
});

void t.test('its own comes before what it is granted, of that what lets it do most', (t) => {
  const bench = new Bench();
  const toCat = (access: Share['access']) => granted({ accountId: CAT.id, access });
  bench.tell([holder(ANN.id, toCat('viewer')), holder(BOB.id, toCat('editor')), holder(ADMIN_ACCOUNT_ID)]);
  t.equal(bench.library.shareFor(CAT.id, bench.library.find(ID)!)?.ownerId, BOB.id);
  bench.tell([holder(ANN.id), holder(BOB.id, toCat('editor')), holder(CAT.id)]);
  t.equal(bench.library.shareFor(CAT.id, bench.library.find(ID)!)?.ownerId, CAT.id);
  t.end();
});

void t.test('what one does changes not even the version of what others are shown', async (t) => {
  const bench = new Bench();
  bench.tell([holder(ANN.id), holder(BOB.id)]);
  const [before, bobs] = [await bench.snapshots.of(ANN), await bench.snapshots.of(BOB)];
  bench.tell([holder(ANN.id), holder(BOB.id, { paused: true, trackers: '' })]);
  t.equal(await bench.snapshots.of(ANN), before);
  t.not(await bench.snapshots.of(BOB), bobs);
  t.match(await bench.shown(BOB), { paused: true, magnet: `magnet:?xt=urn:btih:${ID}&dn=name-of-2` });
});

void t.test('the share of an account that is gone goes; what it alone held is account 1s', (t) => {
  const bench = new Bench();
  bench.tell([holder(ANN.id), holder(BOB.id)]);
  bench.accounts.delete(ANN.id);
  bench.library.forgetAccount(ANN.id);
  t.same(bench.left, ['2']);
  t.match(sharesOf(bench.library.find(ID)!), [{ ownerId: BOB.id }]);
  bench.tell([holder(BOB.id)]);
  bench.accounts.delete(BOB.id);
  bench.library.forgetAccount(BOB.id);
  t.same(bench.left, ['2'], 'nothing is left but account 1');
  t.match(bench.library.find(ID), { ownerId: ADMIN_ACCOUNT_ID });
  t.same(refOf(bench.library.find(ID)!), { id: ID, by: BOB.id }, 'which the engine does not know');
  t.end();
});

void t.test('numbers of one that has paused tell nothing of who runs it', (t) => {
  const { completed, queued, paused, verifying } = TORRENT_FLAGS;
  const stats = {
    ...emptyStats(),
    peers: 3,
    seeds: 2,
    uploadRate: 9,
    bytesDone: 50,
    swarmSeeds: 4,
    swarmLeechers: 5,
    availabilityPerMille: 2_350,
    workingTracker: 2,
    countedSince: 1_700_000_000,
    flags: completed | queued | verifying,
  };
  const own = { addedAt: 1_000, paused: true, sequential: false, forceStart: false, trackerPlaces: [0, -1, 1] };
  const shown = statsOfShare(stats, { own });
  t.match(shown, { peers: 0, seeds: 0, uploadRate: 0, bytesDone: 50, flags: completed | verifying | paused });
  t.match(shown, { swarmSeeds: -1, swarmLeechers: -1, availabilityPerMille: -1 });
  t.match(shown, { workingTracker: -1, countedSince: 0 });
  const running = { own: { ...own, paused: false } };
  t.same(statsOfShare(stats, running), { ...stats, workingTracker: 1 }, 'by its place in the own list');
  t.equal(statsOfShare({ ...stats, workingTracker: 1 }, running).workingTracker, -1, "another's tracker");
  t.end();
});

void t.test('no time of before its own is in the numbers of who joined later', (t) => {
  const own = { addedAt: 1_000, paused: false, sequential: false, forceStart: false, trackerPlaces: [] };
  const times = ({ lastActivityAt, activeSeconds, seedingSeconds, countedSince }: TorrentStats) => [
    ...[lastActivityAt, activeSeconds, seedingSeconds, countedSince],
  ];
  const shown = (change: Partial<TorrentStats>, nowS = 2_000, paused = false) =>
    times(statsOfShare({ ...emptyStats(), ...change }, { own: { ...own, paused } }, nowS));
  const before = { lastActivityAt: 999, activeSeconds: 900, seedingSeconds: 800 };
  t.same(shown({ ...before, countedSince: 500 }), [0, 0, 0, 1_000], 'it was running when the account came');
  t.same(shown({ ...before, countedSince: 1_100 }), [0, 100, 100, 1_100], 'begun anew since');
  t.same(shown(before, 1_030), [0, 30, 30, 0], 'stopped');
  t.same(shown({ ...before, countedSince: 500 }, 1_030, true), [0, 0, 0, 0], 'others run it');
  const since = { lastActivityAt: 1_900, activeSeconds: 700, seedingSeconds: 600, countedSince: 1_800 };
  t.same(shown(since), times({ ...emptyStats(), ...since }), 'all of it is its own');
  t.equal(statsOfShare({ ...emptyStats(), totalUp: 7 }, { own }).totalUp, 7, 'bytes are those of the torrent');
  t.same(times(statsOfShare({ ...emptyStats(), ...before }, {})), [999, 900, 800, 0], 'who alone holds it');
  t.end();
});

void t.test('a joiner is shown its own times in the list', async (t) => {
  const bench = new Bench();
  bench.tell([holder(ANN.id, { addedAt: 100 }), holder(BOB.id, { addedAt: 5_000 })]);
  const stats = { activeSeconds: 50, seedingSeconds: 40, countedSince: 300, lastActivityAt: 400 };
  bench.writer.write(0, { ...emptyStats(), ...stats, flags: TORRENT_FLAGS.completed });
  t.match(await bench.shown(ANN), {
    active_seconds: 50,
    seeding_seconds: 40,
    active_since: 300,
    last_activity_at: 400,
  });
  const none = { active_seconds: 0, seeding_seconds: 0, last_activity_at: 0 };
  t.match(await bench.shown(BOB), { ...none, added_at: 5_000, active_since: 5_000, seeding_since: 5_000 });
});

void t.test('no key of another is in what an account is shown, whoever holds and grants what', async (t) => {
  const id = fc.constantFrom(...USERS.map((user) => user.id));
  const grants = fc.uniqueArray(
    fc.record({ accountId: id, access: fc.constantFrom('viewer' as const, 'editor' as const) }),
    {
      selector: ({ accountId }) => accountId,
    },
  );
  const holders = fc.uniqueArray(fc.record({ accountId: id, shares: grants, paused: fc.boolean() }), {
    selector: ({ accountId }) => accountId,
    minLength: 1,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(holders, { minLength: 1, maxLength: 6 }), async (moments) => {
      const bench = new Bench();
      for (const moment of moments) {
        bench.tell(
          moment.map(({ accountId, shares, paused }) => {
            const others = shares.filter((share) => share.accountId !== accountId);
            return holder(accountId, { paused, ...granted(...others) });
          }),
        );
        for (const user of USERS) {
          const text = await bench.text(user);
          const isHolder = moment.some(({ accountId }) => accountId === user.id);
          const lenders = moment.filter(({ shares }) => shares.some(({ accountId }) => accountId === user.id));
          const allowed = isHolder ? [user.id] : lenders.map(({ accountId }) => accountId);
          const seen = [...text.matchAll(/key-of-(\d)/g)].map(([, key]) => parseAccountId(Number(key)));
          t.ok(seen.length <= 1 && seen.every((key) => allowed.includes(key)), `${user.id}: ${text}`);
          t.equal(text === '[]', allowed.length === 0);
        }
      }
    }),
    { numRuns: 60 },
  );
});
