// The book of moves: figures wait for the next step, a step is stored at once, and of what is gone nothing is kept.
import t from 'tap';
import { MoveBook } from '../../../../../api/services/servers/move-book.js';
import {
  NO_SERVER_MOVES,
  serverMovesSchema,
  type StoredMove,
} from '../../../../../api/services/servers/move-records.js';
import { MemoryCollection } from '../../../../support/memory-collection.js';
import { VirtualClock } from '../../../../support/virtual-clock.js';

const MOVE: StoredMove = {
  ...{ id: 1, user_id: 1, infohash: 'a'.repeat(40), name: 'a', from: 1, to: 2, delete_data: true, save_path: '' },
  ...{ politeness: 'one_location', state: 'copying', reason: null, bytes_done: 0, bytes_total: 10, started_at: 1 },
  ...{ ended_at: 0, existed: false, was_paused: false, tiers: null, progressed_at: 1, announced_at: 0 },
  giving_up: null,
};

async function start() {
  const collection = new MemoryCollection(NO_SERVER_MOVES, (data) => serverMovesSchema.parse(data));
  await collection.update((data) => void data.moves.push({ ...MOVE }));
  const book = new MoveBook(collection, new VirtualClock());
  return { collection, book, stored: () => collection.data.moves[0]! };
}

void t.test('figures are shown at once, and stored with the next step', async (t) => {
  const { book, stored } = await start();
  await book.change(MOVE, { bytes_done: 5 });
  t.same([book.all[0]?.bytes_done, stored().bytes_done], [5, 0]);
  await book.change(MOVE, { state: 'verifying' });
  t.match(stored(), { state: 'verifying', bytes_done: 5 });
});

void t.test('figures that come while a step is being stored are kept', async (t) => {
  const { book } = await start();
  await book.change(MOVE, { bytes_done: 5 });
  const storing = book.change(MOVE, { state: 'verifying' });
  await book.change(MOVE, { bytes_done: 7 });
  await storing;
  t.match(book.all[0], { state: 'verifying', bytes_done: 7 });
});

void t.test('figures of a move that is gone go with it', async (t) => {
  const { book, collection } = await start();
  await book.change(MOVE, { bytes_done: 5 });
  await book.drop(({ id }) => id === MOVE.id);
  await book.change(MOVE, { bytes_done: 7 });
  await collection.update((data) => void data.moves.push({ ...MOVE }));
  t.equal(book.all[0]?.bytes_done, 0);
});

void t.test('a step that was begun before the move was ended by hand changes nothing of that', async (t) => {
  for (const giving_up of [null, { reason: 'nothing came for a day', removes_copy: false }]) {
    const { book, collection, stored } = await start();
    await collection.update((data) => Object.assign(data.moves[0]!, { giving_up }));
    const seen = book.all[0]!;
    await book.end(MOVE.id);
    await book.change(seen, { giving_up: { reason: 'it refuses', removes_copy: false } });
    await book.change(seen, { state: 'failed', reason: 'it refuses', ended_at: 7, giving_up: null });
    t.match(stored(), { state: 'copying', giving_up: { reason: 'ended by hand', removes_copy: true } });
    await book.change(stored(), { state: 'failed', ended_at: 7, giving_up: null });
    t.match(stored(), { state: 'failed', giving_up: null }, 'the steps after it do');
  }
});
