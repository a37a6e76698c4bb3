// The daemon is killed while it writes backups, and a restore while it works: each backup under its own name is whole and has all that
// was answered before it was asked for, and a restore that was cut off is seen, and done again.
import { existsSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { MAIN, startDaemon } from '../support/daemon.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { startChild } from '../support/peers/child-process.js';
import { makeScratch } from '../support/peers/scratch.js';
import { swarmd } from '../support/swarmd-command.js';

const PIECE = 16_384;
const PATIENCE_MS = 20_000;
t.setTimeout(300_000);

function torrent(seed: number) {
  return makeTorrent({ name: `t${seed}`, pieceLength: PIECE, files: seededBytes(seed, PIECE) }).torrentBytes;
}

/** Resolves at once when it holds, or when it will not any more: the moment may be missed. */
async function until(isMet: () => boolean, isOver: () => boolean): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!isMet() && !isOver() && performance.now() < deadline) await turn();
}

void t.test('a kill while a backup is written', async (t) => {
  const scratch = await makeScratch('backup-kills');
  t.teardown(() => scratch.remove());
  const [dataDir, savePath, backups] = ['data', 'downloads', 'backups'].map((name) => join(scratch.path, name)) as [
    string,
    string,
    string,
  ];
  const names = () => (existsSync(backups) ? readdirSync(backups) : []);
  const answered = new Map<string, number>();
  let count = 0;
  const moments: readonly ((name: string) => boolean)[] = [
    () => names().includes('.backup-staging'),
    () => existsSync(join(backups, '.backup-staging', 'torrents', 'data.mdb')),
    () => existsSync(join(backups, '.backup-staging', 'manifest.json')),
    () => names().some((name) => name.endsWith('.unfinished')),
    (name) => names().includes(name),
  ];
  for (const isThere of moments) {
    const daemon = await startDaemon({ dataDir, savePath, args: ['--backup-dir', backups] });
    for (let nth = 0; nth < 5; nth++) await daemon.addTorrentFile(torrent(count++));
    const { json } = await daemon.api<{ name: string }>('POST', '/api/backups');
    answered.set(json.name, count);
    const more = daemon.addTorrentFile(torrent(count)).then(
      () => void count++,
      () => undefined,
    );
    await until(
      () => isThere(json.name),
      () => names().includes(json.name),
    );
    await daemon.kill();
    await more;
  }
  const last = await startDaemon({ dataDir, savePath, args: ['--backup-dir', backups] });
  const { json } = await last.api<{ name: string }>('POST', '/api/backups');
  answered.set(json.name, count);
  await until(
    () => names().includes(json.name),
    () => false,
  );
  t.ok((await last.torrents()).length >= count);
  await last.stop();
  const whole = names().filter((name) => name.endsWith('.tar.gz'));
  t.ok(whole.includes(json.name));
  t.same(
    names().filter((name) => name.endsWith('.unfinished') || name.startsWith('.')),
    [],
    'what was left over went with the next one',
  );
  for (const name of whole) {
    const restored = join(scratch.path, `of ${name}`);
    t.match(await swarmd(['restore', join(backups, name), '--data-dir', restored]), { code: 0 }, name);
    const daemon = await startDaemon({ dataDir: restored, savePath });
    t.ok((await daemon.torrents()).length >= (answered.get(name) ?? 0), `${name}: what was answered before`);
    await daemon.stop();
  }
});

void t.test('a kill while one is restored', async (t) => {
  const scratch = await makeScratch('restore-kills');
  t.teardown(() => scratch.remove());
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  for (let nth = 0; nth < 20; nth++) await daemon.addTorrentFile(torrent(nth));
  const archive = join(scratch.path, 'state.tar.gz');
  t.match(await swarmd(['backup', archive, '--data-dir', daemon.dataDir]), { code: 0 });
  const dataDir = join(scratch.path, 'restored');
  const restoring = join(dataDir, 'restoring');
  const args = ['restore', archive, '--data-dir', dataDir, '--map', '/nowhere=/anywhere'];
  const moments: readonly (() => boolean)[] = [
    () => existsSync(restoring),
    () => existsSync(join(restoring, 'torrents', 'data.mdb')),
    () => existsSync(join(restoring, 'settings.json')),
    () => existsSync(join(dataDir, 'settings.json')),
    () => existsSync(join(dataDir, 'torrents')),
  ];
  for (const isThere of moments) {
    const child = await startChild(process.execPath, [MAIN, ...args]);
    await until(isThere, () => !child.isRunning);
    child.signal('SIGKILL');
    await child.exited;
    if (existsSync(restoring)) {
      await t.rejects(startDaemon({ dataDir, savePath: daemon.savePath }), /do it again/, 'no daemon starts on it');
      t.match(await swarmd(args), { code: 0 });
    }
    const again = await startDaemon({ dataDir, savePath: daemon.savePath });
    t.equal((await again.torrents()).length, 20);
    await again.stop();
    await rm(dataDir, { recursive: true });
  }
});
