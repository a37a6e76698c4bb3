// What an engine has told of its torrents, weighed: each once, as it was told last, with all that is in it, until nothing of it is kept.
import t from 'tap';
import { ToldTorrents } from '../../../../api/engine-client/told-torrents.js';
import type { EngineEvent, TorrentFacts } from '../../../../shared-protocol/events.js';
import { EVENT_SAMPLES } from '../../../support/samples.js';
import { torrentId } from '../../../support/two-engines.js';

const [SAMPLE] = EVENT_SAMPLES['torrents.added'].flatMap(({ torrents }) => torrents) as [TorrentFacts];
const KIB = 1024;
/** Of a torrent, without the texts that a test gives it. */
const USUAL_BYTES = 2 * KIB;

const facts = (n: number, change: object = {}) => ({ ...SAMPLE, id: torrentId(n), ...change });
const added = (...torrents: readonly TorrentFacts[]): EngineEvent => ({
  name: 'torrents.added',
  payload: { torrents },
});
const changed = (n: number, change: object): EngineEvent => ({
  name: 'torrent.changed',
  payload: { facts: facts(n, change) },
});
const removed = (n: number, given: object = {}): EngineEvent => ({
  name: 'torrent.removed',
  payload: { id: torrentId(n), ...given },
});

function start(maxBytes = 100 * KIB) {
  const awaited = new Set<string>();
  const told = new ToldTorrents(maxBytes, (id) => awaited.has(id));
  return { told, awaited };
}

void t.test('a torrent weighs what it was told to be last', async (t) => {
  const { told } = start();
  t.ok(told.take(added(facts(1), facts(2))));
  const two = told.bytes;
  t.ok(two > 0 && two < 2 * USUAL_BYTES, `${two} bytes`);
  t.ok(told.take(changed(2, { trackers: 'x'.repeat(50 * KIB) })));
  t.ok(told.bytes >= two + 49 * KIB);
  t.ok(told.take(changed(2, {})));
  t.equal(told.bytes, two);
  t.ok(told.take(added(facts(1), facts(2))), 'nor are they others');
  t.equal(told.bytes, two);
  for (const n of [1, 2, 3]) told.take(removed(n));
  t.equal(told.bytes, 0);
});

for (const { name, change } of [
  { name: 'texts', change: { name: 'x'.repeat(60 * KIB), savePath: 'y'.repeat(60 * KIB) } },
  { name: 'texts of three bytes a character', change: { name: '夜'.repeat(40 * KIB) } },
  { name: 'lists', change: { library: { ...SAMPLE.library, tagIds: Array.from({ length: 20_000 }, () => 1) } } },
  { name: 'bytes', change: { none: new Uint8Array(200 * KIB) } },
  { name: 'fields that nobody reads', change: { none: { other: 'x'.repeat(200 * KIB) } } },
]) {
  void t.test(`too much, in ${name}`, async (t) => {
    const { told } = start();
    t.notOk(told.take(changed(1, change)));
  });
}

void t.test('too many, however small they are', async (t) => {
  const { told } = start();
  t.notOk(Array.from({ length: 1_000 }, (_, n) => told.take(added(facts(n)))).every(Boolean));
});

void t.test('what it had before counts until all is told anew', async (t) => {
  const { told } = start();
  told.take(added(facts(1), facts(2)));
  const two = told.bytes;
  told.beginReload();
  told.take(added(facts(2), facts(3)));
  t.ok(told.bytes > two);
  told.beginReload();
  told.take(added(facts(3), facts(4)));
  told.endReload();
  t.equal(told.bytes, two, 'the third and the fourth');
});

void t.test('what it has handed over counts while the other has not told of it', async (t) => {
  const { told, awaited } = start();
  told.take(added(facts(1, { name: 'x'.repeat(60 * KIB) })));
  awaited.add(torrentId(1));
  t.ok(told.take(removed(1, { givenTo: 'e'.repeat(32) })));
  told.beginReload();
  told.endReload();
  t.notOk(told.take(added(facts(2, { name: 'x'.repeat(60 * KIB) }))));
  awaited.clear();
  t.ok(told.take(added(facts(2, { name: 'x'.repeat(60 * KIB) }))));
});
