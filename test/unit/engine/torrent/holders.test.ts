// The rules of holding: what a torrent does because of all who hold it, and what one of them changes.
import t from 'tap';
import { factsOf, haveSameFacts } from '../../../../engine/torrent/facts.js';
import {
  bringersOf,
  editShare,
  heldBy,
  holderOf,
  holdersOf,
  joinTiers,
  seedsBringerOf,
  mostWanted,
  shareShown,
  withoutHearsay,
} from '../../../../engine/torrent/holders.js';
import { parseAccountId, parseInfoHash } from '../../../../shared-protocol/ids.js';
import { NEW_LIBRARY_RECORD } from '../../../../shared-protocol/library-record.js';
import type { HolderRow, TorrentRow } from '../../../../storage/types.js';

const [ANN, BOB, EVE] = [parseAccountId(2), parseAccountId(3), parseAccountId(4)];

const ANNS: TorrentRow = {
  id: parseInfoHash('a'.repeat(40)),
  ownerId: ANN,
  savePath: '/srv',
  addedAt: 100,
  completedAt: null,
  paused: true,
  sequential: false,
  name: 'as ann calls it',
  trackers: [['http://t/ann']],
  webSeeds: [],
  filePriorities: null,
  summary: null,
  selectOnly: null,
};

const holder = (change: Partial<HolderRow> = {}): HolderRow => ({
  accountId: BOB,
  savePath: '/srv',
  addedAt: 200,
  name: 'as bob calls it',
  paused: false,
  sequential: false,
  forceStart: false,
  firstLastFirst: false,
  stopAfter: null,
  trackers: [['http://t/bob']],
  addedTrackers: [],
  filePriorities: null,
  selectOnly: null,
  pendingPriorities: null,
  excludedNames: null,
  rateLimits: { downBytesPerSec: 0, upBytesPerSec: 0 },
  library: NEW_LIBRARY_RECORD,
  ...change,
});

/** ann's, with others besides. */
function heldWith(row: TorrentRow, ...others: readonly HolderRow[]): TorrentRow {
  return { ...row, ...heldBy(row, [...holdersOf(row), ...others] as never) };
}

const edited = (
  row: TorrentRow,
  ...edit: Parameters<typeof editShare> extends [unknown, ...infer Rest] ? Rest : never
) => ({
  ...row,
  ...editShare(row, ...edit),
});

void t.test('one who holds it alone needs no list, and changes nothing but what it says', (t) => {
  t.match(holdersOf(ANNS), [{ accountId: ANN, paused: true, forceStart: false, library: NEW_LIBRARY_RECORD }]);
  t.same(heldBy(ANNS, holdersOf(ANNS)), {}, 'as it is');
  t.same(
    editShare(ANNS, ANN, () => ({ paused: false })),
    { paused: false },
  );
  t.same(
    editShare(ANNS, undefined, () => ({ forceStart: true })),
    { forceStart: true },
  );
  t.throws(() => editShare(ANNS, BOB, () => ({ paused: false })), { code: 'TORRENT_NOT_FOUND' });
  t.throws(() => holderOf(ANNS, EVE), { code: 'TORRENT_NOT_FOUND' });
  t.end();
});

void t.test('paused when all have paused, announced to the trackers of those who run it', (t) => {
  const both = heldWith(ANNS, holder());
  t.match(both, { ownerId: ANN, paused: false, trackers: [['http://t/bob']], name: 'as ann calls it', addedAt: 100 });
  const run = edited(both, ANN, () => ({ paused: false }));
  t.same(run.trackers, [['http://t/ann'], ['http://t/bob']]);
  const rest = edited(
    edited(run, BOB, () => ({ paused: true })),
    ANN,
    () => ({ paused: true }),
  );
  t.match(rest, { paused: true, trackers: [['http://t/ann'], ['http://t/bob']] });
  const all = edited(rest, undefined, () => ({ paused: false }));
  t.same(
    all.holders?.map(({ paused }) => paused),
    [false, false],
    'without a name it is everybody',
  );
  t.end();
});

void t.test('the most generous of those who run it', (t) => {
  const slow = { ...ANNS, paused: false, rateLimits: { downBytesPerSec: 1, upBytesPerSec: 5 }, sequential: true };
  const limits = { downBytesPerSec: 0, upBytesPerSec: 3 };
  const both = heldWith(slow, holder({ rateLimits: limits, forceStart: true }));
  t.match(both, { rateLimits: { downBytesPerSec: 0, upBytesPerSec: 5 }, sequential: true, forceStart: true });
  const without = edited(both, BOB, () => ({ paused: true }));
  t.match(without, { rateLimits: { downBytesPerSec: 1, upBytesPerSec: 5 }, forceStart: false });
  const [first] = holdersOf(both);
  t.match({ ...both, ...heldBy(both, [first]) }, { holders: null, rateLimits: slow.rateLimits, forceStart: false });
  t.end();
});

void t.test('limits of speed are told where there are any, of each holder its own', (t) => {
  const slot = { row: 0, tag: 1 };
  const limits = { downBytesPerSec: 7, upBytesPerSec: 0 };
  t.notOk('rateLimits' in factsOf({ ...ANNS, rateLimits: { downBytesPerSec: 0, upBytesPerSec: 0 } }, slot, null));
  t.match(factsOf({ ...ANNS, rateLimits: limits }, slot, null), { rateLimits: limits });
  const both = factsOf(heldWith(ANNS, holder({ rateLimits: limits })), slot, null);
  t.same(
    both.holders?.map(({ rateLimits }) => rateLimits),
    [undefined, limits],
  );
  t.notOk(haveSameFacts(ANNS, { ...ANNS, rateLimits: limits }));
  t.end();
});

void t.test('a file is as wanted as by the one who wants it most', (t) => {
  const cases = [
    { name: 'one alone', given: [['skip', 'high']], expected: ['skip', 'high'] },
    { name: 'all as usual', given: [null, null], expected: null },
    { name: 'usual outweighs skipped', given: [['skip', 'skip'], null], expected: null },
    { name: 'higher outweighs usual', given: [null, ['skip', 'max'], ['high', 'high']], expected: ['high', 'max'] },
    {
      name: 'none wants it',
      given: [
        ['skip', 'normal'],
        ['skip', 'skip'],
      ],
      expected: ['skip', 'normal'],
    },
  ] as const;
  for (const { name, given, expected } of cases) t.same(mostWanted(given), expected, name);
  const both = heldWith({ ...ANNS, filePriorities: ['skip', 'normal'] }, holder());
  t.equal(both.filePriorities, null);
  t.same(edited(both, BOB, () => ({ filePriorities: ['normal', 'skip'] })).filePriorities, null);
  t.end();
});

void t.test('the next is the owner when the first one goes, and finds its own as it was', (t) => {
  const library = { ...NEW_LIBRARY_RECORD, categoryId: 7 };
  const both = heldWith(ANNS, holder({ library, sequential: true }));
  const [, bobs] = holdersOf(both);
  const left = { ...both, ...heldBy(both, [bobs!]) };
  t.match(left, { ownerId: BOB, addedAt: 200, name: 'as bob calls it', library, sequential: true, holders: null });
  t.same(left.trackers, [['http://t/bob']]);
  t.same(holdersOf(left), [bobs]);
  t.equal(
    heldWith({ ...both, summary: { totalBytes: 1, pieceLength: 1, pieceCount: 1, isPrivate: false } }).name,
    both.name,
  );
  t.end();
});

void t.test('who only heard of a private torrent is put out', (t) => {
  const [ann, bob] = holdersOf(heldWith(ANNS, holder({ trackers: [] })));
  t.same(withoutHearsay([ann, bob!], null), [ann]);
  t.same(withoutHearsay([ann, bob!], BOB), [ann, bob], 'who has the file is no hearsay');
  t.same(withoutHearsay([{ ...ann, trackers: [] }, bob!], null), [{ ...ann, trackers: [] }], 'somebody stays');
  t.same(withoutHearsay([{ ...ann, trackers: [] }, bob!], BOB), [bob]);
  t.end();
});

void t.test('tiers follow one another, and no tracker is in two', (t) => {
  t.same(
    joinTiers([
      [['a', 'b'], ['c']],
      [['b', 'd'], ['c']],
    ]),
    [['a', 'b'], ['c'], ['d']],
  );
  t.end();
});

void t.test('a tracker is of those who brought it', (t) => {
  const both = heldWith(
    ANNS,
    holder({
      trackers: [['http://t/ann'], ['http://t/eve']],
      addedTrackers: [{ url: 'http://t/eve', accountId: EVE }],
    }),
  );
  t.same(bringersOf(both, 'http://t/ann'), [ANN, BOB]);
  t.same(bringersOf(both, 'http://t/eve'), [EVE]);
  t.same(bringersOf(ANNS, 'http://t/ann'), [ANN]);
  t.end();
});

void t.test('each looks at what is its own', (t) => {
  const both = heldWith({ ...ANNS, filePriorities: ['skip'] }, holder());
  t.same(shareShown(both, ANN), { filePriorities: ['skip'], ownTrackers: [['http://t/ann']], isPaused: true });
  t.same(shareShown(both, BOB), { filePriorities: null, ownTrackers: [['http://t/bob']], isPaused: false });
  t.same(shareShown(both, undefined).ownTrackers, [['http://t/ann'], ['http://t/bob']]);
  t.same(shareShown(ANNS, ANN), { filePriorities: null, ownTrackers: null, isPaused: false }, 'alone');
  t.end();
});

void t.test("web seeds stay whose they were when the torrent becomes another one's", async (t) => {
  const both = heldWith(ANNS, holder());
  t.equal(seedsBringerOf(both), ANN);
  const bobs = { ...both, ...heldBy(both, [holder()]) };
  t.match([bobs.ownerId, seedsBringerOf(bobs)], [BOB, ANN]);
  const three = heldWith(bobs, holder({ accountId: EVE }));
  const eves = { ...three, ...heldBy(three, [holder({ accountId: EVE })]) };
  t.match([eves.ownerId, seedsBringerOf(eves)], [EVE, ANN]);
});

void t.test('peers and slots: as the most generous of those who run it has them', (t) => {
  const limits = (maxPeers: number, uploadSlots: number) => ({ peerLimits: { maxPeers, uploadSlots } });
  const both = heldWith({ ...ANNS, paused: false, ...limits(5, 2) }, holder(limits(9, 0)));
  t.match(both, limits(9, 0));
  t.same(holderOf(both, ANN).peerLimits, { maxPeers: 5, uploadSlots: 2 });
  t.match(
    edited(both, BOB, () => ({ paused: true })),
    limits(5, 2),
  );
  t.match(heldWith({ ...ANNS, paused: false, ...limits(5, 2) }, holder()), limits(0, 0), 'without limits');
  t.notOk('peerLimits' in heldWith(ANNS, holder()), 'none has any');
  t.end();
});

void t.test('super-seeding: where all who run it want it', (t) => {
  const both = heldWith({ ...ANNS, paused: false, superSeeding: true }, holder({ superSeeding: true }));
  t.match(both, { superSeeding: true });
  const one = edited(both, BOB, () => ({ superSeeding: false }));
  t.match(one, { superSeeding: false });
  t.match(holderOf(one, ANN), { superSeeding: true });
  t.match(
    edited(one, BOB, () => ({ paused: true })),
    { superSeeding: true },
    'bob does not run it',
  );
  t.match(heldWith({ ...ANNS, paused: false, superSeeding: true }, holder()), { superSeeding: false });
  t.notOk('superSeeding' in heldWith(ANNS, holder()));
  t.end();
});

void t.test('it stops where all who run it want it to', (t) => {
  const stopping = (...points: readonly ('metadata' | 'check' | null)[]) => {
    const sharing = points.map((stopAfter) => holder({ stopAfter }));
    return heldWith({ ...ANNS, paused: true }, ...sharing).stopAfter ?? null;
  };
  t.equal(stopping('metadata', 'check'), 'check');
  t.equal(stopping('metadata', 'metadata'), 'metadata');
  t.equal(stopping('metadata', null), null, 'one goes on');
  t.end();
});
