// Numbers of torrents: which one each has, that none is given twice, and which have lately gone from whose list.
import t from 'tap';
import { Library } from '../../../../../api/services/library/library.js';
import { RecentTorrents } from '../../../../../api/services/library/recent-torrents.js';
import { TorrentNumbers } from '../../../../../api/services/library/torrent-numbers.js';
import type { EngineEvent, TorrentFacts } from '../../../../../shared-protocol/events.js';
import { ADMIN_ACCOUNT_ID, parseAccountId, parseInfoHash } from '../../../../../shared-protocol/ids.js';
import { createInProcessTransport } from '../../../../support/in-process-transport.js';
import { NEW_LIBRARY_RECORD } from '../../../../../shared-protocol/library-record.js';
import { emptyStats, StatsWriter } from '../../../../../shared-protocol/stats-table.js';
import { MemoryEngine } from '../../../../support/memory-engine.js';

const ADMIN = { id: ADMIN_ACCOUNT_ID, role: 'admin' as const };
const BOB = { id: parseAccountId(2), role: 'user' as const };
const CAROL = { id: parseAccountId(3), role: 'user' as const };
const MINUTE_MS = 60_000;

const idOf = (index: number) => parseInfoHash(index.toString(16).padStart(40, '0'));

function factsOf(index: number, change: Partial<TorrentFacts> = {}): TorrentFacts {
  return {
    ...{ id: idOf(index), row: index, rowTag: index, name: String(index), trackers: '', savePath: '/files' },
    ...{ totalBytes: 1, isPrivate: false, hasMetadata: true, metadataBytes: 1, addedAt: index, completedAt: null },
    ...{ ownerId: BOB.id, library: NEW_LIBRARY_RECORD, error: null },
    ...change,
  };
}

function start() {
  const clock = { ms: 0 };
  const library = new Library({ engine: createInProcessTransport(new MemoryEngine().handlers) });
  const numbers = new TorrentNumbers({ library, now: () => clock.ms });
  const tell = (event: EngineEvent) => {
    numbers.handleEvent(event);
    library.handleEvent(event);
  };
  const add = (...torrents: TorrentFacts[]) => tell({ name: 'torrents.added', payload: { torrents } });
  const change = (facts: TorrentFacts) => tell({ name: 'torrent.changed', payload: { facts } });
  const remove = (index: number) => tell({ name: 'torrent.removed', payload: { id: idOf(index) } });
  return { clock, library, numbers, tell, add, change, remove };
}

void t.test('the oldest is the first, and what is added later comes after', (t) => {
  const { numbers, add, remove } = start();
  t.equal(numbers.idOf(1), undefined);
  add(factsOf(3), factsOf(1));
  add(factsOf(2));
  t.same([1, 2, 3].map((index) => numbers.numberOf(idOf(index))), [1, 2, 3]); // prettier-ignore
  add(factsOf(0), factsOf(1));
  t.equal(numbers.idOf(4), idOf(0));
  remove(2);
  t.equal(numbers.idOf(2), undefined);
  add(factsOf(2));
  t.equal(numbers.numberOf(idOf(2)), 5, 'its number was its own');
  t.equal(numbers.numberOf(idOf(3)), 3);
  t.end();
});

void t.test('those that go while the engine is away are not kept for ever', (t) => {
  const { library, numbers, add } = start();
  for (let index = 1; index <= 3_000; index++) {
    library.beginReload();
    add(factsOf(index));
    library.endReload();
    numbers.numberOf(idOf(index));
  }
  t.equal(numbers.idOf(3_000), idOf(3_000));
  t.equal(numbers.idOf(1), undefined);
  t.end();
});

void t.test('what has gone is told for a minute, to those from whose list it went', (t) => {
  const { clock, numbers, add, change, remove } = start();
  const shared = { ...NEW_LIBRARY_RECORD, shares: [{ accountId: CAROL.id, access: 'viewer' as const }] };
  add(factsOf(1, { library: shared }), factsOf(2, { library: shared }));
  numbers.numberOf(idOf(1));
  const gone = () => [ADMIN, BOB, CAROL].map((account) => numbers.goneFrom(account));
  t.same(gone(), [[], [], []]);
  change(factsOf(1));
  t.same(gone(), [[], [], [1]]);
  change(factsOf(1, { name: 'other' }));
  clock.ms += MINUTE_MS / 2;
  remove(2);
  t.same(gone(), [[2], [2], [1, 2]]);
  t.same(numbers.goneFrom({ id: parseAccountId(4), role: 'user' }), [], 'of others it is told nothing');
  clock.ms += MINUTE_MS / 2 + 1;
  t.same(gone(), [[2], [2], [2]]);
  clock.ms += MINUTE_MS;
  t.same(gone(), [[], [], []]);
  t.end();
});

void t.test('a torrent has changed lately when its facts or its numbers have', (t) => {
  const { clock, library, tell, add, change } = start();
  const writer = new StatsWriter((table) => tell({ name: 'stats.table', payload: table }));
  const { row, tag } = writer.allocate();
  add(factsOf(1, { row, rowTag: tag }));
  const recent = new RecentTorrents({ library, now: () => clock.ms });
  const isRecent = () => recent.has(library.find(idOf(1))!);
  t.ok(isRecent(), 'never looked at');
  clock.ms += MINUTE_MS + 1;
  t.notOk(isRecent());
  writer.write(row, { ...emptyStats(), peers: 1 });
  t.ok(isRecent());
  clock.ms += MINUTE_MS;
  t.ok(isRecent());
  clock.ms += 1;
  t.notOk(isRecent());
  change(factsOf(1, { row, rowTag: tag, name: 'other' }));
  t.ok(isRecent());
  t.end();
});
