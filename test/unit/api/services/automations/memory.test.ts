// What rules remember over a restart: the time that conditions have held, without the time in which nobody looked.
import t from 'tap';
import {
  automationMemorySchema,
  Memory,
  NO_AUTOMATION_MEMORY,
} from '../../../../../api/services/automations/memory.js';
import { MemoryCollection } from '../../../../support/memory-collection.js';

const BEGUN = 1_700_000_000;
const DAY_S = 86_400;
const RULE = { id: 1, digest: 'as it is' };
const TORRENT = 'a'.repeat(40);

function startWorld() {
  const clock = { now: BEGUN };
  const collection = new MemoryCollection(NO_AUTOMATION_MEMORY, (data) => automationMemorySchema.parse(data));
  const begin = () => new Memory({ collection, now: () => clock.now });
  return { clock, collection, begin };
}

void t.test('what held for days while nothing else changed has held for days after a restart', async (t) => {
  const { clock, begin } = startWorld();
  const before = begin();
  before.hold(RULE, TORRENT, [RULE]);
  await before.save();
  clock.now += 6 * DAY_S;
  await before.save();
  clock.now += 60;
  t.equal(begin().heldSince(RULE, TORRENT), BEGUN + 60, 'only the minute in which nobody looked does not count');
});

void t.test('a memory in which nothing waits is written when it has changed, and not again', async (t) => {
  const { clock, collection, begin } = startWorld();
  const memory = begin();
  await memory.save();
  t.notOk(collection.isStored);
  memory.noteDone(RULE, TORRENT, 'move', [RULE]);
  await memory.save();
  t.equal(collection.data.saved_at, BEGUN);
  clock.now += DAY_S;
  await memory.save();
  t.equal(collection.data.saved_at, BEGUN);
});

void t.test(
  'what the rules of an account remember is bounded together, and others have room of their own',
  async (t) => {
    const { begin } = startWorld();
    const memory = begin();
    const rulesFrom = (first: number) => Array.from({ length: 20 }, (_, n) => ({ id: first + n, digest: '' }));
    const torrents = Array.from({ length: 5_000 }, (_, n) => n.toString(16).padStart(40, '0'));
    const [own, others] = [rulesFrom(1), rulesFrom(21)];
    for (const rules of [own, others]) {
      for (const rule of rules) {
        for (const torrent of torrents) {
          memory.hold(rule, torrent, rules);
          memory.noteDone(rule, torrent, 'move', rules);
        }
      }
      const pairs = rules.flatMap((rule) => torrents.map((torrent) => ({ rule, torrent })));
      t.equal(pairs.filter(({ rule, torrent }) => memory.heldSince(rule, torrent) !== null).length, 30_000);
      t.equal(pairs.filter(({ rule, torrent }) => memory.wasDone(rule, torrent, 'move')).length, 20_000);
    }
    const [first, last] = [own[0]!, own.at(-1)!];
    t.notOk(memory.noteDone(last, TORRENT, 'move', own), 'it must not act');
    t.ok(
      memory.noteDone(first, torrents[0]!, 'announce', own),
      'of a torrent that is remembered there is more to note',
    );
    memory.release(first, torrents[0]!);
    memory.hold(last, TORRENT, own);
    t.equal(memory.heldSince(last, TORRENT), BEGUN, 'another one comes when one has gone');
  },
);
