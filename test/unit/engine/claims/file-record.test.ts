// The record of a torrent's own files outlives the engine, whatever file it ended at.
import t from 'tap';
import { FileRecord, inodesOf } from '../../../../engine/claims/file-record.js';
import { ADMIN_ACCOUNT_ID, parseInfoHash } from '../../../../shared-protocol/ids.js';
import { createMemoryTorrentStore } from '../../../support/memory-torrent-store.js';

const ID = parseInfoHash('ab'.repeat(20));
const COUNT = 600;

async function storeWithTorrent() {
  const store = createMemoryTorrentStore();
  const given = { addedAt: 0, completedAt: null, paused: false, sequential: false, filePriorities: null };
  const row = { id: ID, ownerId: ADMIN_ACCOUNT_ID, savePath: '/dl', name: 'n', trackers: [], webSeeds: [] };
  await store.insert({ ...row, ...given, summary: null, selectOnly: null }, null, null);
  return store;
}

void t.test('files are known by inode and birth, in this run and the next', async (t) => {
  const store = await storeWithTorrent();
  const first = new FileRecord(store, ID, COUNT);
  for (const index of [0, 255, 256, 599]) {
    t.equal(first.of(index), null);
    await first.set(index, { inode: 1_000 + index, birthMs: 5 });
  }
  const second = new FileRecord(store, ID, COUNT);
  for (const index of [0, 255, 256, 599]) {
    t.same(second.of(index), { inode: 1_000 + index, birthMs: 5 });
    t.ok(second.has(index, { inode: 1_000 + index, birthMs: 5 }));
    t.notOk(second.has(index, { inode: 1_000 + index, birthMs: 6 }), 'the number was given out again');
    t.ok(second.has(index, { inode: 1_000 + index, birthMs: 0 }), 'a file system without births');
    t.notOk(second.has(index, { inode: 7, birthMs: 5 }));
  }
  t.equal(second.of(1), null);
  t.same(inodesOf(store, ID), new Set([1_000, 1_255, 1_256, 1_599]));
});

void t.test('a file that was about to be made is told apart in the next run alone', async (t) => {
  const store = await storeWithTorrent();
  const first = new FileRecord(store, ID, COUNT);
  await first.announce(3);
  await first.set(3, { inode: 33, birthMs: 1 });
  t.notOk(first.wasToBeMade(4), 'what appears in this run is not ours for it');
  const second = new FileRecord(store, ID, COUNT);
  t.ok(second.has(3, { inode: 33, birthMs: 1 }));
  t.ok(second.wasToBeMade(4));
  t.notOk(second.wasToBeMade(300), 'nor where nothing was announced');
  t.equal(second.of(4), null);
  t.same(inodesOf(store, ID), new Set([33]));
});

void t.test('a torrent that goes meanwhile takes its record along', async (t) => {
  const store = await storeWithTorrent();
  const record = new FileRecord(store, ID, COUNT);
  await record.set(0, { inode: 9, birthMs: 1 });
  await store.remove(ID);
  await record.set(1, { inode: 10, birthMs: 1 });
  t.same(inodesOf(store, ID), new Set());
});
