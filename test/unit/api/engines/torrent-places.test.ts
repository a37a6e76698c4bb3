// A torrent is in one place, whichever engines tell of it, and in whatever order.
import t from 'tap';
import { TorrentPlaces } from '../../../../api/engines/torrent-places.js';
import { parseInfoHash } from '../../../../shared-protocol/ids.js';
import type { TorrentFacts } from '../../../../shared-protocol/events.js';

const idOf = (n: number) => parseInfoHash(n.toString(16).padStart(40, '0'));
/** The few facts that are looked at. */
const facts = (n: number, name = '') => ({ id: idOf(n), name }) as TorrentFacts;

void t.test('of two engines with the same torrent, the first one has it until it is without', async (t) => {
  const places = new TorrentPlaces();
  t.equal(places.tell(0, facts(1)), true);
  t.equal(places.tell(1, facts(1, 'there')), false);
  t.equal(places.tell(1, facts(2)), true);
  t.same([places.engineOf(idOf(1)), places.engineOf(idOf(2)), places.engineOf(idOf(3))], [0, 1, undefined]);
  t.equal(places.hidden, 1);
  t.same([places.countOf(0), places.countOf(1), places.countOf(2)], [1, 1, 0], 'each where it is shown');
  t.equal(places.tell(1, facts(1, 'changed')), false);
  t.same(places.remove(0, idOf(1)), { isShown: true, next: facts(1, 'changed') });
  t.equal(places.engineOf(idOf(1)), 1);
  t.equal(places.hidden, 0);
  t.same(places.remove(1, idOf(1)), { isShown: true, next: null });
  t.equal(places.engineOf(idOf(1)), undefined);
});

void t.test('what is hidden goes without a word', async (t) => {
  const places = new TorrentPlaces();
  places.tell(0, facts(1));
  places.tell(1, facts(1));
  t.same(places.remove(1, idOf(1)), { isShown: false, next: null });
  t.equal(places.hidden, 0);
  t.same(places.remove(0, idOf(1)), { isShown: true, next: null });
  t.same(places.remove(0, idOf(1)), { isShown: false, next: null }, 'and what is nowhere as well');
});

void t.test('an engine that loads again keeps what it names, and no other engine loses anything', async (t) => {
  const places = new TorrentPlaces();
  for (const n of [1, 2]) places.tell(0, facts(n));
  places.tell(1, facts(3));
  places.tell(1, facts(2, 'there'));
  places.beginReload(0);
  t.equal(places.engineOf(idOf(2)), 0, 'until it is known better');
  places.tell(0, facts(1));
  t.same(places.endReload(0), [facts(2, 'there')]);
  t.same(
    [1, 2, 3].map((n) => places.engineOf(idOf(n))),
    [0, 1, 1],
  );
});

void t.test('of what was hidden nothing is left where its engine loads again without it', async (t) => {
  const places = new TorrentPlaces();
  places.tell(0, facts(1));
  places.tell(1, facts(1));
  places.beginReload(1);
  t.same(places.endReload(1), []);
  t.equal(places.hidden, 0);
  t.same(places.remove(0, idOf(1)), { isShown: true, next: null });
});

void t.test('a torrent that is handed over is the other’s before that one tells of it', async (t) => {
  const places = new TorrentPlaces();
  places.tell(0, facts(1));
  places.hand(idOf(1), 0, 1);
  t.equal(places.engineOf(idOf(1)), 1);
  t.same([places.countOf(0), places.countOf(1)], [0, 1]);
  t.ok(places.isHandedOver(idOf(1)));
  t.equal(places.tell(1, facts(1)), true);
  t.notOk(places.isHandedOver(idOf(1)), 'it is there');
  t.equal(places.hidden, 0);
  // One that another engine shows all the same.
  places.tell(0, facts(2));
  places.tell(1, facts(2));
  places.hand(idOf(2), 1, 2);
  t.same([places.engineOf(idOf(2)), places.hidden], [0, 0]);
});

void t.test('a torrent that was taken over is shown once, also when the engine before has it still', async (t) => {
  const places = new TorrentPlaces();
  for (const n of [1, 2]) places.tell(0, facts(n));
  places.takeOver(idOf(1), 1);
  t.equal(places.tell(1, facts(1, 'taken')), true);
  t.same([places.countOf(0), places.countOf(1)], [1, 1]);
  places.takeOver(idOf(9), 1);
  t.equal(places.engineOf(idOf(9)), undefined, 'nobody had it');
  places.beginReload(0);
  t.equal(places.tell(0, facts(1)), false);
  t.equal(places.tell(0, facts(2)), true);
  t.same(places.endReload(0), []);
  t.same(places.remove(0, idOf(1)), { isShown: false, next: null });
  t.equal(places.engineOf(idOf(1)), 1);
});

void t.test('an engine hands over what it has itself, and nothing of another', async (t) => {
  const places = new TorrentPlaces();
  places.tell(0, facts(1));
  places.tell(1, facts(1, 'there'));
  places.hand(idOf(1), 2, 1);
  t.equal(places.engineOf(idOf(1)), 0);
  t.same(places.remove(0, idOf(1)), { isShown: true, next: facts(1, 'there') }, 'what was hidden is still known');
  places.hand(idOf(9), 2, 1);
  t.equal(places.engineOf(idOf(9)), undefined);
});
