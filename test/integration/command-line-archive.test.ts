// `swarmd import --archive`: what is on this machine is sent to the daemon, and nothing of it stays there.
import { readdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { ARCHIVE_PART_BYTES } from '../../shared-protocol/archive-parts.js';
import { makeAccount } from '../support/daemon-account.js';
import { MAIN, startDaemon } from '../support/daemon.js';
import { writeOldFiles } from '../support/import/old-torrents.js';
import { packedState } from '../support/import/packed-state.js';
import { startChild } from '../support/peers/child-process.js';
import { makeScratch } from '../support/peers/scratch.js';
import { swarmd } from '../support/swarmd-command.js';
import { tarBlocks, TAR_END } from '../support/tar-blocks.js';

const TORRENTS = [{ name: 'first.iso' }, { name: 'second.iso' }];

t.setTimeout(240_000);

void t.test('a dry run of an archive, then the import with its settings', async (t) => {
  const { daemon, file, folder, run } = await start(t);
  await writeOldFiles(daemon.savePath, TORRENTS);
  const args = ['import', '--from', 'qbittorrent', '--archive', file, '--map', `/downloads=${daemon.savePath}`];
  t.match(await run(...args, '--dry-run', '--settings'), { code: 0, err: /^dry run: 2 imported, /m });
  t.same(await daemon.torrents(), []);
  t.same(await readdir(folder), [], 'nothing of it stays after a dry run');

  const done = await run(...args, '--settings', '--paused');
  t.match(done, { code: 0, out: /^setting\tchanged\tspeed limit down\t/m, err: /^2 imported, /m });
  t.same(
    (await daemon.torrents()).map(({ paused, completed }) => ({ paused, completed })),
    TORRENTS.map(() => ({ paused: true, completed: true })),
  );
  t.match((await daemon.api('GET', '/api/settings/limits')).json, { down_kbps: 500 });
  t.same(await readdir(folder), []);
  t.match(JSON.parse((await run(...args, '--json')).out), { state: 'done', existed: 2, path: '' });
});

void t.test('one that is larger than a part', async (t) => {
  const { daemon, folder, scratch, run } = await start(t);
  const state = await packedState(t, 'tar', TORRENTS);
  const file = join(scratch.path, 'large.tar');
  const ballast = tarBlocks({ path: 'home/ballast' }, '\0'.repeat(ARCHIVE_PART_BYTES * 2));
  await writeFile(file, Buffer.concat([ballast, state]));
  const args = ['import', '--from', 'qbittorrent', '--archive', file, '--map', `/downloads=${daemon.savePath}`];
  t.match(await run(...args, '--dry-run'), { code: 0, err: /^dry run: 2 imported, /m });
  t.same(await readdir(folder), []);
});

void t.test('what is wrong is said with the name of the file', async (t) => {
  const { daemon, file, folder, scratch, run } = await start(t);
  const named = async (name: string, content: Buffer | string) => {
    const path = join(scratch.path, name);
    await writeFile(path, content);
    return path;
  };
  const large = await named('large.zip', '');
  await truncate(large, 2 ** 31 + 1);
  for (const [path, said] of [
    [join(scratch.path, 'nowhere.zip'), 'no such file'],
    [scratch.path, 'is a directory: give it without --archive'],
    [await named('empty.tar', ''), 'is empty'],
    [await named('text.tar', 'x'.repeat(2_000)), /is neither a \.tar/],
    [await named('out.tar', Buffer.concat([tarBlocks({ path: '../../out' }, 'x'), TAR_END])), '"../../out" leads out'],
    [large, 'is larger than 2147483648 bytes'],
  ] as const) {
    const ran = await run('import', '--from', 'qbittorrent', '--archive', path);
    t.match(ran, { code: 1, out: '' });
    t.ok(ran.err.startsWith(`swarmd: ${path}: `), ran.err);
    t.match(ran.err, said);
  }
  const other = await run('import', '--from', 'deluge', '--archive', file);
  t.match(other, { code: 1, err: `swarmd: ${file}: there is no state of Deluge with torrents.state in it` });
  const json = await run('import', '--from', 'deluge', '--archive', file, '--json');
  t.match(JSON.parse(json.err), { error: `${file}: there is no state of Deluge with torrents.state in it` });
  for (const args of [[], [scratch.path, '--archive', file]])
    t.match(await run('import', '--from', 'deluge', ...args), { code: 2, err: /either a directory or --archive FILE/ });
  t.same(await readdir(folder), [], 'nothing of them stays');

  const { client } = await makeAccount(daemon, 'manager', { perm_change_settings: true, perm_manage_rss: true });
  const { json: made } = await client.api<{ api_key: string }>('POST', '/api/me/api_key/rotate');
  const key = ['--key-file', await named('key', made.api_key)];
  const refused = await run('import', '--from', 'qbittorrent', '--archive', file, ...key);
  t.match(refused, { code: 5, err: `swarmd: ${file}: forbidden` });
});

void t.test('at a terminal a bar tells how much is sent', async (t) => {
  const { daemon, file } = await start(t);
  const command = `node ${MAIN} import --from qbittorrent --archive ${file} --dry-run --data-dir ${daemon.dataDir}`;
  let seen = '';
  const child = await startChild('script', ['-qec', command, '/dev/null'], { onLine: (line) => (seen += line) });
  t.match(await child.exited, { code: 0 });
  t.match(seen, /100% of [\d.]+ (?:Ki)?B sent/);
  t.match(seen, /dry run: 2 imported/);
});

void t.test('it is in the help and in the completion', async (t) => {
  t.match(await swarmd(['help', 'import']), { code: 0, out: /--archive <file>/ });
  t.match(await swarmd(['completion', 'bash']), { code: 0, out: /" import"\*\).*--archive/ });
});

async function start(t: Test) {
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const scratch = await makeScratch('command-line-archive');
  t.teardown(() => scratch.remove());
  const file = join(scratch.path, 'state.tar.gz');
  await writeFile(file, await packedState(t, 'tar.gz', TORRENTS));
  const run = (...args: readonly string[]) => swarmd([...args, '--data-dir', daemon.dataDir]);
  return { daemon, scratch, file, folder: join(daemon.dataDir, 'import-archive'), run };
}
