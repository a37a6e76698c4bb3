// Torrents of an engine that goes and is back: each is told of again, as it is known then, and nothing that is over is gone on with.
import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { AwayTorrents } from '../../../../api/engines/away-torrents.js';
import type { TorrentFacts } from '../../../../shared-protocol/events.js';
import { factsOf } from '../../../support/facts-of.js';
import { torrentId } from '../../../support/two-engines.js';

const MANY = 1_200;

function scene() {
  const known = new Map<string, TorrentFacts>();
  for (let n = 0; n < MANY; n++) known.set(torrentId(n), factsOf({ id: torrentId(n), isAway: false }));
  const sizes: number[] = [];
  const away = new AwayTorrents({
    torrentsOf: () => known.values(),
    tell(torrents) {
      sizes.push(torrents.length);
      for (const facts of torrents) known.set(facts.id, facts);
    },
  });
  const countAway = () => [...known.values()].filter(({ isAway }) => isAway).length;
  return { known, sizes, away, countAway };
}

void t.test('all are told of, some at a time, and those that are so already are not', async (t) => {
  const { away, sizes, countAway } = scene();
  await away.tell(0, true);
  t.same([sizes, countAway()], [[500, 500, 200], MANY]);
  await away.tell(0, true);
  t.equal(sizes.length, 3);
  await away.tell(0, false);
  t.equal(countAway(), 0);
});

void t.test('what has changed in between is told as it is', async (t) => {
  const { known, away } = scene();
  const telling = away.tell(0, true);
  const id = torrentId(MANY - 1);
  known.set(id, factsOf({ id, name: 'renamed', isAway: false }));
  await telling;
  t.match(known.get(id), { name: 'renamed', isAway: true });
});

void t.test('one that is back, or tells by itself, ends what was begun when it went', async (t) => {
  const { away, sizes, countAway } = scene();
  const going = away.tell(0, true);
  await away.tell(0, false);
  await going;
  t.equal(countAway(), 0);
  const before = sizes.length;
  void away.tell(0, true);
  away.stop(0);
  await turn();
  await turn();
  t.equal(sizes.length, before + 1);
});
