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
  before.hold(RULE, TORRENT);
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
  memory.noteDone(RULE, TORRENT, 'move');
  await memory.save();
  t.equal(collection.data.saved_at, BEGUN);
  clock.now += DAY_S;
  await memory.save();
  t.equal(collection.data.saved_at, BEGUN);
});
