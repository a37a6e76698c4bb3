// The rows of other servers, as the worker tells the page of them; and whose row is whose.
import t from 'tap';
import { ServerLists, type ServerTick } from '../../../../api/web/src/live/server-lists.js';
import { labelIdOf, labelIdThere } from '../../../../api/web/src/state/label-there.js';
import {
  askedOf,
  byServer,
  infoHashOf,
  rowIdOf,
  serverOf,
  torrentAddress,
} from '../../../../api/web/src/state/row-id.js';
import { dto } from './torrent-samples.js';

const A = 'a'.repeat(40);
const B = 'b'.repeat(40);
const TAG = { id: 5, name: 'linux', color: '' };

const tick = (server_id: number, given: Partial<ServerTick> = {}): ServerTick => ({
  ...{ server_id, state: 'connected', full: false, upsert: [], removed: [] },
  ...given,
});

void t.test('a torrent on two servers is two rows', async (t) => {
  const lists = new ServerLists();
  const first = lists.next([
    tick(1, { full: true, upsert: [dto(A)] }),
    tick(2, { full: true, upsert: [dto(A), dto(B)] }),
  ]);
  t.same(
    first.changes.added.map(({ id }) => id),
    [`1/${A}`, `2/${A}`, `2/${B}`],
  );
  t.same(first.standings, [
    { server_id: 1, state: 'connected' },
    { server_id: 2, state: 'connected' },
  ]);
  const paused = dto(A, { paused: true });
  const next = lists.next([tick(1), tick(2, { upsert: [paused], removed: [B] })]);
  t.same(next.changes, { added: [], patches: [{ id: `2/${A}`, paused: true }], removed: [`2/${B}`] });
  t.equal(next.standings, null, 'as they were');
  const again = lists.next([tick(1, { state: 'unreachable' }), tick(2, { full: true, upsert: [paused] })]);
  t.same(again.changes, { added: [], patches: [], removed: [] }, 'what is told in full again is no change');
  t.match(again.standings, [{ state: 'unreachable' }, { state: 'connected' }]);
  t.same(lists.next([tick(2)]).changes.removed, [`1/${A}`], 'a server that is not seen any more takes its rows along');
});

void t.test('a connection that tells of figures and of no servers has none', async (t) => {
  const lists = new ServerLists();
  t.equal(lists.figures(), null);
  lists.opened();
  lists.next([tick(1, { full: true, upsert: [dto(A)] })]);
  for (let second = 0; second < 5; second++) t.equal(lists.figures(), null, 'it has told of them');
  lists.opened();
  t.equal(lists.figures(), null);
  t.equal(lists.figures(), null);
  const gone = lists.figures();
  t.same([gone?.changes.removed, gone?.standings], [[`1/${A}`], []]);
  t.equal(lists.figures(), null, 'once');
});

void t.test('labels of other servers are no labels of here', async (t) => {
  const lists = new ServerLists();
  const { changes } = lists.next([
    tick(3, { full: true, upsert: [dto(A, { category_id: 7, tags: [TAG] }), dto(B, { category_id: null })] }),
  ]);
  const [labelled, plain] = changes.added;
  t.equal(labelled?.category_id, labelIdThere(3, 7));
  t.same(labelled?.tags, [{ ...TAG, id: labelIdThere(3, 5) }]);
  t.equal(plain?.category_id, null);
  t.ok(labelIdThere(3, 7) < 0 && labelIdThere(3, 7) !== labelIdThere(4, 7));
  t.equal(labelIdOf(labelIdThere(3, 7)), 7);
});

void t.test('whose row it is, and how the API is asked about it', async (t) => {
  t.equal(rowIdOf(A, null), A);
  const there = rowIdOf(A, 12);
  t.same([infoHashOf(A), serverOf(A)], [A, null]);
  t.same([infoHashOf(there), serverOf(there)], [A, 12]);
  t.equal(torrentAddress(A, '/pieces'), `/api/torrents/${A}/pieces`);
  t.equal(torrentAddress(there, '/pieces'), `/api/torrents/${A}/pieces?server_id=12`);
  t.equal(askedOf(2, '/api/tags'), '/api/tags?server_id=2');
  const parts = byServer([{ id: there }, { id: A }, { id: rowIdOf(B, 12) }]);
  t.same(
    [...parts],
    [
      [null, [{ id: A }]],
      [12, [{ id: there }, { id: rowIdOf(B, 12) }]],
    ],
  );
});
