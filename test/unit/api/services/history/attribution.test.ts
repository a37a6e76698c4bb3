// Whose bytes are whose: holders, categories, trackers; and how many trackers have a series of their own.
import t from 'tap';
import { countedFor, trackerOf } from '../../../../../api/services/history/attribution.js';
import { bounded, MAX_MEMBERS } from '../../../../../api/services/history/series-bounds.js';
import { memberSeries, OTHERS, totalSeries } from '../../../../../api/services/history/series-name.js';
import type { HolderFacts, TorrentFacts } from '../../../../../shared-protocol/events.js';
import { parseAccountId, parseInfoHash } from '../../../../../shared-protocol/ids.js';
import { NEW_LIBRARY_RECORD } from '../../../../../shared-protocol/library-record.js';
import { madeFacts } from '../../../../../bench/load/made-facts.js';

const ANN = parseAccountId(1);
const BOB = parseAccountId(2);
const EVE = parseAccountId(3);
const FACTS = madeFacts({
  index: 1,
  id: parseInfoHash('a'.repeat(40)),
  row: 0,
  rowTag: 1,
  ownerId: BOB,
  trackerHost: 't.example',
});

function heldBy(...holders: (Partial<HolderFacts> & Pick<HolderFacts, 'accountId'>)[]): TorrentFacts {
  const full = holders.map((holder): HolderFacts => ({
    ...{ savePath: '/srv', name: '', trackers: '', addedAt: 1, library: NEW_LIBRARY_RECORD },
    ...{ paused: false, sequential: false, forceStart: false },
    ...holder,
  }));
  return { ...FACTS, holders: full };
}

void t.test('an account counts what its torrents move, whole', async (t) => {
  const inCategory = { ...NEW_LIBRARY_RECORD, categoryId: 7 };
  t.match(countedFor(FACTS), [{ accountId: BOB, category: '' }]);
  t.match(countedFor({ ...FACTS, library: inCategory }), [{ accountId: BOB, category: '7' }]);
  const two = heldBy({ accountId: ANN }, { accountId: EVE, library: inCategory });
  t.match(countedFor(two), [
    { accountId: ANN, category: '' },
    { accountId: EVE, category: '7' },
  ]);
});

void t.test('of several those count it who run it, all where none does', async (t) => {
  const ids = (torrent: TorrentFacts) => countedFor(torrent).map(({ accountId }) => accountId);
  t.same(ids(heldBy({ accountId: ANN, paused: true }, { accountId: EVE })), [EVE]);
  t.same(ids(heldBy({ accountId: ANN, paused: true }, { accountId: EVE, paused: true })), [ANN, EVE]);
});

void t.test('the first tracker that works, else the first; never one of another account', async (t) => {
  const lines = 'udp://A.example:1337/announce\nhttps://b.example/key/announce\nhttp://[2001:db8::1]:80/announce';
  t.equal(trackerOf(lines, []), 'a.example');
  t.equal(trackerOf(lines, ['b.example', 'a.example']), 'b.example');
  t.equal(trackerOf(lines, ['secret.example', '[2001:db8::1]']), '[2001:db8::1]');
  t.equal(trackerOf(lines, ['secret.example']), 'a.example');
  t.equal(trackerOf('', ['secret.example']), '');
  t.equal(trackerOf('no address', []), '');
});

void t.test(
  'trackers beyond the bound of an account are counted together, and none of another account suffers',
  async (t) => {
    const one = { down: 1, up: 1 };
    const hosts = Array.from({ length: MAX_MEMBERS + 500 }, (_, n) => `h${n}.example`);
    const moved = new Map([[totalSeries('all'), one]]);
    for (const host of hosts) {
      moved.set(memberSeries('all', 'tracker', host), one);
      moved.set(memberSeries(EVE, 'tracker', host), one);
    }
    moved.set(memberSeries(BOB, 'tracker', 'h1499.example'), one);
    const batch = bounded({ at: 0, forgotten: [], moved, counters: new Map() }, () => new Set());
    t.equal(batch.moved.size, 1 + 2 * (MAX_MEMBERS + 1) + 1 + 1);
    t.same(batch.moved.get(memberSeries(EVE, 'tracker', OTHERS)), { down: 500, up: 500 });
    t.same(batch.moved.get(memberSeries('all', 'tracker', OTHERS)), { down: 499, up: 499 });
    t.same(batch.moved.get(memberSeries(BOB, 'tracker', 'h1499.example')), one);
    const known = new Set(hosts.slice(500).map((host) => memberSeries(EVE, 'tracker', host)));
    const later = bounded(batch, (prefix) => (prefix.endsWith(`/${EVE}/`) ? known : new Set()));
    t.ok(later.moved.has(memberSeries(EVE, 'tracker', 'h500.example')), 'those that have a series keep it');
    t.notOk(later.moved.has(memberSeries(EVE, 'tracker', 'h1.example')));
  },
);
