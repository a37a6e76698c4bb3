// Backups that are made by themselves.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { backupName } from '../../api/services/backup/backup-names.js';
import { Backups } from '../../api/services/backup/backups.js';
import type { ErrorRecord } from '../../shared-protocol/errors.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { VirtualClock } from '../support/virtual-clock.js';
import { withoutDescriptors } from '../support/without-descriptors.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const TIMEOUT_MS = 20_000;

async function start(t: Test) {
  const scratch = await makeScratch('backup-schedule');
  t.teardown(() => scratch.remove());
  const dataDir = join(scratch.path, 'data');
  await mkdir(dataDir);
  await writeFile(join(dataDir, 'settings.json'), '{}');
  const clock = new VirtualClock();
  const log = { info: () => undefined, warn: () => undefined };
  const failing: ErrorRecord[] = [];
  const directory = join(scratch.path, 'backups');
  const begin = () => {
    const backups = new Backups({
      dataDir,
      databaseFile: null,
      directory,
      everyHours: 24,
      keep: 2,
      program: 'test',
      clock,
      log,
      onFailing: (reason) => failing.push(reason),
    });
    backups.start();
    return backups;
  };
  return { begin, clock, dataDir, directory, failing };
}

async function settled(backups: Backups, clock: VirtualClock, ms: number): Promise<readonly string[]> {
  // By the steps in which it looks: it goes on only when what was begun is over.
  for (let left = ms; left > 0; left -= 10 * MINUTE_MS) {
    await clock.advance(Math.min(left, 10 * MINUTE_MS));
    await waitUntil('nothing under way', TIMEOUT_MS, async () => ((await backups.list()).running ? undefined : true));
    await waitUntil('it looks again', TIMEOUT_MS, () => (clock.pendingTimers > 0 ? true : undefined));
  }
  return (await backups.list()).backups.map(({ name }) => name);
}

void t.test('one every so many hours, and the newest of them kept, over restarts too', async (t) => {
  const { begin, clock } = await start(t);
  const first = begin();
  t.equal((await settled(first, clock, MINUTE_MS)).length, 0, 'the torrents begin first');
  t.equal((await settled(first, clock, 2 * MINUTE_MS)).length, 1);
  t.equal((await settled(first, clock, 12 * HOUR_MS)).length, 1);
  await first.stop();
  const second = begin();
  t.teardown(() => second.stop());
  t.equal((await settled(second, clock, 6 * HOUR_MS)).length, 1, 'the last one was 18 hours ago');
  t.equal((await settled(second, clock, 7 * HOUR_MS)).length, 2);
  const later = await settled(second, clock, 50 * HOUR_MS);
  t.equal(later.length, 2);
  t.match(later[0], /^swarmd-2025-01-0[34]T.*-auto\.tar\.gz$/);
  t.equal((await second.list()).error, null);
});

void t.test('an old one that cannot be deleted is in the way of none', async (t) => {
  const { begin, clock, directory } = await start(t);
  // What has its name is a folder, which is deleted by hand or not at all.
  const stubborn = backupName(clock.unixMs() / 1_000 - 900 * 24 * 3_600, true);
  await mkdir(join(directory, stubborn), { recursive: true });
  const backups = begin();
  t.teardown(() => backups.stop());
  const names = await settled(backups, clock, 51 * HOUR_MS);
  t.equal(names.length, 3);
  t.equal(names.at(-1), stubborn);
  t.equal((await backups.list()).error, null);
});

void t.test('what a kill has left of one goes at the start, and nothing of anybody else', async (t) => {
  const { begin, clock, directory } = await start(t);
  await mkdir(join(directory, '.backup-staging', 'torrents'), { recursive: true });
  await writeFile(join(directory, `${backupName(clock.unixMs() / 1_000, true)}.unfinished`), 'half of one');
  await writeFile(join(directory, 'thesis.unfinished'), 'somebody works on it');
  const backups = begin();
  await backups.stop();
  t.same(await readdir(directory), ['thesis.unfinished']);
});

void t.test('a clock that was ten years ahead for a while', async (t) => {
  const { begin, clock, directory } = await start(t);
  const now = clock.unixMs() / 1_000;
  await mkdir(directory);
  for (const day of [3_650, 3_651]) await writeFile(join(directory, backupName(now + day * 24 * 3_600, true)), '');
  const backups = begin();
  t.teardown(() => backups.stop());
  const names = await settled(backups, clock, 3 * HOUR_MS);
  t.equal(
    names.filter((name) => name.startsWith('swarmd-2025')).length,
    1,
    'one is made, and is not the one that goes',
  );
  const later = await settled(backups, clock, 26 * HOUR_MS);
  t.ok(
    later.every((name) => name.startsWith('swarmd-2025')),
    'in the end none of then takes a place',
  );
});

void t.test('of a row that fails the first is told of, and of the next row again', async (t) => {
  const { begin, clock, directory, failing } = await start(t);
  await writeFile(directory, 'in the way');
  const backups = begin();
  t.teardown(() => backups.stop());
  t.equal((await settled(backups, clock, HOUR_MS / 2)).length, 0);
  t.match(failing, [{ code: 'STORAGE_FAILED', message: new RegExp(`${directory}.* is not written$`) }]);
  t.match((await backups.list()).error, /is not written$/);
  await rm(directory);
  t.equal((await settled(backups, clock, HOUR_MS / 2)).length, 1);
  t.equal((await backups.list()).error, null);
  await rm(directory, { recursive: true });
  await writeFile(directory, 'in the way');
  await settled(backups, clock, HOUR_MS / 2);
  t.equal(failing.length, 2);
});

void t.test('without descriptors for its process one fails, and nothing else does', async (t) => {
  const { begin } = await start(t);
  const backups = begin();
  t.teardown(() => backups.stop());
  await withoutDescriptors(async () => {
    await backups.begin();
    await waitUntil('its end', TIMEOUT_MS, async () => (await backups.list()).error ?? undefined);
  });
  t.match((await backups.list()).error, /EMFILE/);
  await backups.begin();
  await waitUntil('one', TIMEOUT_MS, async () => (await backups.list()).backups.length === 1 || undefined);
});

void t.test('a folder whose disk is not there is not filled, until one is made there by hand', async (t) => {
  const { begin, clock, dataDir, directory, failing } = await start(t);
  const first = begin();
  t.equal((await settled(first, clock, HOUR_MS)).length, 1);
  await first.stop();
  // A folder of the same name on another disk, as it is below a mount point.
  const record = join(dataDir, 'backup-folder');
  const seen = JSON.parse(await readFile(record, 'utf8')) as { sighting: { device: number; inode: number } };
  seen.sighting.device += 1_000;
  seen.sighting.inode += 1_000;
  await writeFile(record, JSON.stringify(seen));
  const second = begin();
  t.teardown(() => second.stop());
  t.equal(
    (await settled(second, clock, 25 * HOUR_MS)).length,
    2,
    'what holds the last one is the folder, whatever its number',
  );
  await writeFile(record, JSON.stringify({ ...seen, last: backupName(1, true) }));
  await rm(directory, { recursive: true });
  t.same(await settled(second, clock, HOUR_MS), []);
  t.match(failing, [{ code: 'FILES_MISSING', message: new RegExp(`^${directory} is not on the disk`) }]);
  await second.begin();
  t.equal((await settled(second, clock, HOUR_MS)).length, 2, 'one by hand, and the one that was due');
  t.equal((await second.list()).error, null);
});
