// When a folder is synced again: a change of it must never be taken for synced.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { FolderSyncs } from '../../../../engine/disk/sync-folders.js';
import { temporaryFolder } from '../../../support/disk-fixtures.js';

function watchedSyncs(fails = false) {
  const state = { nowMs: 0, synced: [] as string[], fails };
  const syncs = new FolderSyncs(
    () => state.nowMs,
    async (folder) => {
      state.synced.push(folder);
      return !state.fails;
    },
  );
  return { state, syncs };
}

void t.test(
  'a folder that stays as it is is synced until a change after the sync could be seen, then no more',
  async (t) => {
    const { state, syncs } = watchedSyncs();
    const folder = await temporaryFolder(t);
    await syncs.sync([folder]);
    state.nowMs = 2_999;
    await syncs.sync([folder]);
    t.same(state.synced, [folder, folder], 'a file made since may have the time of before');
    state.nowMs = 3_000;
    await syncs.sync([folder]);
    t.equal(state.synced.length, 3);
    await syncs.sync([folder]);
    state.nowMs = 1_000_000;
    await syncs.sync([folder, folder]);
    t.equal(state.synced.length, 3);
  },
);

void t.test('a file that is made, and another folder of the name, are synced', async (t) => {
  const { state, syncs } = watchedSyncs();
  const folder = join(await temporaryFolder(t), 'save');
  await mkdir(folder);
  await syncs.sync([folder]);
  state.nowMs = 5_000;
  await syncs.sync([folder]);
  await syncs.sync([folder]);
  t.equal(state.synced.length, 2);
  await writeFile(join(folder, 'new'), '');
  await syncs.sync([folder]);
  t.equal(state.synced.length, 3);
  state.nowMs = 10_000;
  await syncs.sync([folder]);
  await syncs.sync([folder]);
  t.equal(state.synced.length, 4);
  await rm(folder, { recursive: true });
  await mkdir(folder);
  await syncs.sync([folder]);
  t.equal(state.synced.length, 5);
});

void t.test('a sync that failed, or of a folder that is not there, counts for nothing', async (t) => {
  const { state, syncs } = watchedSyncs(true);
  const folder = await temporaryFolder(t);
  for (const nowMs of [0, 5_000, 6_000]) {
    state.nowMs = nowMs;
    await syncs.sync([folder]);
  }
  t.equal(state.synced.length, 3);
  await syncs.sync([join(folder, 'absent')]);
  await syncs.sync([join(folder, 'absent')]);
  t.equal(state.synced.length, 5);
});
