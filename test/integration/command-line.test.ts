// The commands for a daemon that runs, as a person or a script at the terminal uses them.
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { writeQbittorrentState } from '../support/import/qbittorrent-state.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { startChild } from '../support/peers/child-process.js';
import { makeScratch } from '../support/peers/scratch.js';
import { swarmd } from '../support/swarmd-command.js';

const PIECE = 16_384;
t.setTimeout(240_000);

const HASH = 'a1b2c3d4e5'.repeat(4);

function commandsFor(daemon: DaemonUnderTest) {
  return (...args: readonly string[]) => swarmd([...args, '--data-dir', daemon.dataDir]);
}

async function start(t: Test) {
  const daemon = await startDaemon({ bytes: 8 * PIECE });
  t.teardown(() => daemon.stop());
  const scratch = await makeScratch('command-line');
  t.teardown(() => scratch.remove());
  const made = makeTorrent({ name: 'film.bin', pieceLength: PIECE, files: seededBytes(1, 4 * PIECE) });
  const file = join(scratch.path, 'film.torrent');
  await writeFile(file, made.torrentBytes);
  return { daemon, scratch, made, file, run: commandsFor(daemon) };
}

void t.test('torrents are added, listed, shown, paused and removed', async (t) => {
  const { daemon, made, file, run } = await start(t);
  await daemon.api('POST', '/api/categories', { name: 'Films', default_save_path: '', color: '' });
  const added = await run('add', file, `magnet:?xt=urn:btih:${HASH}&dn=Wanted`, '--category', 'films', '--paused');
  t.match(added, {
    code: 0,
    out: `added: ${made.infoHash} ${file}\nadded: ${HASH} magnet:?xt=urn:btih:${HASH}&dn=Wanted`,
  });

  const listed = await run('list', '--sort', 'name');
  t.equal(listed.code, 0);
  const rows = listed.out.split('\n').map((line) => line.split('\t'));
  t.match(rows, [
    [made.infoHash, 'paused', '0', String(4 * PIECE)],
    [HASH, 'paused', '0', '0'],
  ]);
  t.same(
    rows.map((row) => row.at(-1)),
    ['film.bin', 'Wanted'],
  );
  t.equal((await run('list', '--search', 'WANT', '--json')).out.match(/"id":/g)?.length, 1);
  t.equal((await run('list', '--category', 'Films')).out.split('\n').length, 2);
  t.equal((await run('list', '--state', 'seeding')).out, '');

  const shown = await run('show', HASH.slice(0, 6));
  t.match(shown, { code: 0, out: /^Name: +Wanted\nInfo hash: +a1b2/ });
  t.match(JSON.parse((await run('show', 'film.bin', '--json')).out), {
    id: made.infoHash,
    trackers: [],
    diagnosis: { code: null },
  });

  t.match(await run('resume', 'film.bin'), { code: 0, out: 'resumed: film.bin' });
  t.match(await daemon.torrent(made.infoHash), { paused: false });
  t.match(await run('pause', '--all'), { code: 0, out: /^paused: .+\npaused: / });
  t.match(await daemon.torrent(made.infoHash), { paused: true });

  const unasked = await run('remove', 'film.bin');
  t.match(unasked, { code: 2, err: /nobody is there to ask: give --yes/ });
  t.match(await run('remove', 'film.bin', '--yes', '--with-data'), { code: 0, out: 'removed: film.bin' });
  t.same(
    (await daemon.torrents()).map(({ id }) => id),
    [HASH],
  );
});

void t.test('what is wrong is said, with an exit code of its own', async (t) => {
  const { daemon, scratch, file, run } = await start(t);
  t.match(await run('add', file, '/nowhere/x.torrent'), {
    code: 3,
    out: /^added: /,
    err: /\/nowhere\/x\.torrent: no such file/,
  });
  t.match(await run('add', 'magnet:?nothing'), { code: 1, err: /magnet/ });
  t.match(await run('add', file, '--category', 'Nope'), {
    code: 1,
    err: /category "Nope" does not exist; there are: none/,
  });
  t.match(await run('show', 'nothing like it'), { code: 1, err: /no torrent "nothing like it"/ });
  t.match(await run('pause'), { code: 2, err: /name torrents, or give --all/ });
  t.match(await run('list', '--sort', 'taste'), { code: 2, err: /swarmd: .*--sort/ });
  t.match(await run('frobnicate'), { code: 2, err: /unknown command 'frobnicate'/ });
  t.match(await run('add', '/nowhere', '--json'), { code: 1, out: /"error":"no such file/ });
  t.match(await swarmd(['list', '--data-dir', scratch.path]), { code: 4, err: /no daemon runs on/ });
  t.match(await swarmd(['list', '--url', daemon.url]), { code: 2, err: /no API key/ });
  t.match(await swarmd(['list', '--url', daemon.url], { SWARMD_API_KEY: 'wrong' }), { code: 5, err: /unauthorized/ });
  t.match(await swarmd(['list', '--url', 'http://127.0.0.1:9'], { SWARMD_API_KEY: 'x' }), {
    code: 4,
    err: /does not answer/,
  });
});

void t.test('torrents of another program are taken over, after a look', async (t) => {
  const { daemon, scratch, made, run } = await start(t);
  await writeFile(join(daemon.savePath, 'film.bin'), made.payload);
  const home = join(scratch.path, 'qBittorrent');
  await writeQbittorrentState(home, PIECE, [
    { made, savePath: '/old/downloads', resume: { super_seeding: 1 } },
    { made: makeTorrent({ name: 'x', pieceLength: PIECE, files: seededBytes(3, PIECE) }), savePath: '/old/downloads' },
  ]);
  await writeFile(join(home, 'BT_backup', `${HASH}.fastresume`), 'nothing like it');
  const args = ['import', home, '--from', 'qbittorrent', '--map', `/old/downloads=${daemon.savePath}`];
  const dry = await run(...args, '--dry-run');
  t.match(dry, { code: 3, err: /^dry run: 2 imported, 0 magnets, 0 there already, 1 skipped$/m });
  t.match(dry.err, new RegExp(`^swarmd: ${HASH}.fastresume: `, 'm'), 'each that cannot come is named');
  t.match(dry.err, /^swarmd: film.bin: super-seeding is not taken over$/m);
  t.equal((await daemon.torrents()).length, 0);

  const done = await run(...args, '--paused');
  t.match(done, { code: 3, err: /^2 imported, /m });
  const rows = done.out.split('\n').map((line) => line.split('\t'));
  t.match(
    rows.find(([, id]) => id === made.infoHash),
    ['imported', made.infoHash, 'film.bin', daemon.savePath, ''],
  );
  t.match(await daemon.torrent(made.infoHash), { paused: true, completed: true, save_path: daemon.savePath });
  t.match(JSON.parse((await run(...args, '--json')).out), {
    state: 'done',
    existed: 2,
    skipped: 1,
    torrents: { length: 3 },
  });

  t.match(await run('import', home), { code: 2, err: /--from/ });
  t.match(await run('import', home, '--from', 'tixati'), {
    code: 2,
    err: /qbittorrent, transmission, deluge, rtorrent/,
  });
  t.match(await run(...args, '--map', 'nonsense'), { code: 2, err: /--map: expected \/old=\/new/ });
  t.match(await run('import', join(home, 'nothing'), '--from', 'deluge'), { code: 1, err: /is no directory/ });
  t.match(await run(...args, '--user', 'nobody'), { code: 1, err: /no account "nobody"/ });
});

void t.test('a name cannot steer the terminal', async (t) => {
  const { daemon, run } = await start(t);
  await daemon.addMagnet(`magnet:?xt=urn:btih:${HASH}&dn=${encodeURIComponent('evil\u001b[2J\u202egpj')}`);
  const { out } = await run('list');
  t.match(out, /evil/);
  t.notMatch(out, /[\u001b\u202e]/);
});

void t.test('accounts are made, changed and deleted; their keys see what is theirs', async (t) => {
  const { daemon, scratch, file, run } = await start(t);
  await run('add', file);
  const made = await swarmd(
    ['user', 'add', 'bob', '--allow', 'add', '--data-dir', daemon.dataDir],
    {},
    'bobs password\n',
  );
  t.match(made, { code: 0, out: 'made: bob' });
  t.match(await run('user', 'list'), { code: 0, out: /\tbob\tuser\tadd\t/ });
  t.match(await run('user', 'add', 'eve', '--allow', 'all'), { code: 2, err: /expected one of add, rss/ });
  const short = await swarmd(['user', 'password', 'bob', '--data-dir', daemon.dataDir], {}, 'short');
  t.match(short, { code: 1, err: /new_password: at least 8 characters/ });

  const login = await fetch(`${daemon.url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'bob', password: 'bobs password' }),
  });
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
  const rotated = await fetch(`${daemon.url}/api/me/api_key/rotate`, {
    method: 'POST',
    headers: { cookie, origin: daemon.url },
  });
  const { api_key } = (await rotated.json()) as { api_key: string };
  const keyFile = join(scratch.path, 'key');
  await writeFile(keyFile, `${api_key}\n`);
  const asBob = (...args: string[]) => swarmd([...args, '--url', daemon.url, '--key-file', keyFile]);
  t.match(await asBob('list'), { code: 0, out: '' }, "the administrator's are not shown");
  t.match(await asBob('user', 'list'), { code: 5, err: /forbidden/ });
  t.match(await asBob('remove', 'film.bin', '-y'), { code: 1, err: /no torrent/ });
  t.match(await run('user', 'remove', 'bob'), { code: 0, out: 'deleted: bob' });
  t.match(await asBob('list'), { code: 5 });
});

void t.test(
  "the key of this machine is its owner's alone, is another one at each start, and goes with the daemon",
  async (t) => {
    const scratch = await makeScratch('local-key');
    t.teardown(() => scratch.remove());
    const dataDir = join(scratch.path, 'data');
    const keyOf = async () => (await readFile(join(dataDir, 'local-key'), 'utf8')).trim();
    const first = await startDaemon({ dataDir });
    t.teardown(() => first.stop());
    const before = await keyOf();
    t.equal((await stat(join(dataDir, 'local-key'))).mode & 0o777, 0o600);
    await first.stop();
    await t.rejects(stat(join(dataDir, 'local-key')), { code: 'ENOENT' });
    const second = await startDaemon({ dataDir });
    t.teardown(() => second.stop());
    t.not(await keyOf(), before);
    const asked = await fetch(`${second.url}/api/me`, { headers: { authorization: `Bearer ${before}` } });
    t.equal(asked.status, 401);
  },
);

void t.test('the doctor finds what is wrong, and what is well', async (t) => {
  const { daemon, scratch, run } = await start(t);
  const well = await run('doctor');
  t.match(well, { code: 0, out: /^ok +engine: it answers$/m });
  t.match(well.out, /^ok +descriptors: |^look +descriptors: /m);
  const missing = makeTorrent({
    name: 'gone.bin',
    pieceLength: PIECE,
    files: seededBytes(2, PIECE),
    trackers: ['http://127.0.0.1:9/announce'],
  });
  const id = await daemon.addTorrentFile(missing.torrentBytes);
  await daemon.waitFor(
    id,
    (torrent) => (torrent as unknown as { tracker_error: object | null }).tracker_error !== null,
    30_000,
  );
  t.match(await run('doctor'), { code: 0, out: /^look +tracker 127\.0\.0\.1: 1 torrents, as gone\.bin: /m });
  const none = await swarmd(['doctor', '--data-dir', join(scratch.path, 'nothing'), '--json']);
  t.equal(none.code, 1);
  t.match(JSON.parse(none.out), [
    { what: 'clock' },
    { what: 'data directory', how: 'wrong' },
    { what: 'daemon', how: 'wrong' },
  ]);
});

void t.test('shells complete commands, and help tells them', async (t) => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    t.match(await swarmd(['completion', shell]), { code: 0, out: /doctor/ }, shell);
  }
  const { out } = await swarmd(['completion', 'bash']);
  const complete = `${out}\nCOMP_WORDS=(swarmd user a); COMP_CWORD=2; _swarmd; echo "\${COMPREPLY[@]}"`;
  const child = await startChild('bash', ['-c', complete], { onLine: (line) => t.match(line, /\badd\b/) });
  await child.exited;
  t.match(await swarmd(['help']), { code: 0, out: /add .*sources/ });
  t.match(await swarmd(['help', 'list']), { code: 0, out: /--category <name>/ });
});
