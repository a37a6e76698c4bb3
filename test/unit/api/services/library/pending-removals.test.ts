// Removals whose storage fails at the moment at which they are due.
import t from 'tap';
import {
  NO_REMOVALS,
  PendingRemovals,
  removalsSchema,
  type RemovalsData,
} from '../../../../../api/services/library/pending-removals.js';
import { AppError } from '../../../../../shared-protocol/errors.js';
import type { TorrentId } from '../../../../../shared-protocol/ids.js';
import type { Collection } from '../../../../../storage/types.js';
import { account } from '../../../../support/feed-bench.js';
import { MemoryCollection } from '../../../../support/memory-collection.js';
import { settle } from '../../../../support/scripted-peer.js';
import { VirtualClock } from '../../../../support/virtual-clock.js';

const SECOND_MS = 1_000;
const ID = 'a'.repeat(40) as TorrentId;

/** A collection on a disk that may be full. */
class OnDisk extends MemoryCollection<RemovalsData> {
  isFull = false;

  override async update(...args: Parameters<Collection<RemovalsData>['update']>): Promise<void> {
    if (this.isFull) throw new AppError('STORAGE_FAILED', 'no space left on device');
    return super.update(...args);
  }
}

void t.test('one that could not be stored when it was due is carried out once there is room', async (t) => {
  const collection = new OnDisk(NO_REMOVALS, (data) => removalsSchema.parse(data));
  const clock = new VirtualClock();
  const alice = account(2);
  const torrent = { id: ID, addedAt: 0 };
  const removed: TorrentId[] = [];
  const removals = new PendingRemovals({
    collection,
    clock,
    accountOf: () => alice,
    engines: { isWhole: true },
    library: {
      find: () => torrent as never, // what is asked of it is answered here
      accessOf: () => 'owner',
      shownTo: () => torrent as never,
      remove: async ({ id }) => void removed.push(id),
    },
    log: { info: () => undefined, warn: () => undefined },
  });
  t.teardown(() => removals.stop());
  removals.start();
  await removals.begin(alice.id, [ID], { delete_data: false, grace_seconds: 6 });
  collection.isFull = true;
  await clock.advance(7 * SECOND_MS);
  await settle();
  t.same(removed, []);
  t.equal(removals.of(alice.id).length, 1, 'it can still be undone');
  collection.isFull = false;
  await clock.advance(5 * SECOND_MS);
  await settle();
  t.same([removed, removals.of(alice.id)], [[ID], []]);
  t.equal(clock.pendingTimers, 0);
});

void t.test('a clock that was ahead for a while keeps none from being carried out', async (t) => {
  const collection = new MemoryCollection<RemovalsData>(NO_REMOVALS, (data) => removalsSchema.parse(data));
  const time = new VirtualClock();
  const YEARS_S = 10 * 365 * 86_400;
  let setBy = 0;
  const clock = {
    nowMs: () => time.nowMs(),
    unixMs: () => time.unixMs() + setBy * SECOND_MS,
    after: (ms: number, run: () => void) => time.after(ms, run),
  };
  const alice = account(2);
  const torrent = { id: ID, addedAt: time.unixMs() / SECOND_MS + YEARS_S };
  const removed: TorrentId[] = [];
  const removals = new PendingRemovals({
    collection,
    clock,
    accountOf: () => alice,
    engines: { isWhole: true },
    library: {
      find: () => torrent as never, // as above
      accessOf: () => 'owner',
      shownTo: () => torrent as never,
      remove: async ({ id }) => void removed.push(id),
    },
    log: { info: () => undefined, warn: () => undefined },
  });
  t.teardown(() => removals.stop());
  removals.start();
  setBy = YEARS_S;
  await removals.begin(alice.id, [ID], { delete_data: false, grace_seconds: 6 });
  setBy = 0;
  await time.advance(30 * SECOND_MS);
  await settle();
  t.equal(removals.of(alice.id).length, 1, 'it can be undone for as long as ever');
  await time.advance(60 * SECOND_MS);
  await settle();
  t.same([removed, removals.of(alice.id)], [[ID], []]);
  await removals.begin(alice.id, [ID], { delete_data: false, grace_seconds: 6 });
  await time.advance(7 * SECOND_MS);
  await settle();
  t.same(removed, [ID, ID], 'nor one that was added while it was ahead from being removed later');
});
