// Other servers from the command line: set up, listed, worked on, and torrents moved to them.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { makeTorrent, seededBytes } from '../../support/make-torrent.js';
import { hasAll, seedAt, startThree } from '../../support/moved-torrent.js';
import { KIB, MIB } from '../../support/peers/payload.js';
import { keyOf, untilListed, untilState } from '../../support/remotes.js';
import { swarmd } from '../../support/swarmd-command.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

t.setTimeout(240_000);

const HASH = 'a1b2c3d4e5'.repeat(4);

void t.test('set up, listed, worked on, moved to', async (t) => {
  const { servers, tracker, one } = await startThree(t);
  const { front } = servers;
  const run = (...args: readonly string[]) => swarmd([...args, '--data-dir', front.state.dataDir]);

  const key = await keyOf(servers.two.daemon, 'again');
  const add = ['server', 'add', 'attic', servers.two.daemon.url, '--data-dir', front.state.dataDir];
  t.match(await swarmd(add, {}, `${key}\n`), { code: 0, out: 'made: attic' });
  t.match(await swarmd(add, {}, `${key}\n`), { code: 1, err: /name: another server has it/ });
  t.match(await run('server', 'test', 'attic'), {
    code: 0,
    out: /^attic: Swarmd \d.*, as again \(admin, may add torrents\), .+ free$/,
  });
  const listed = JSON.parse((await run('server', 'list', '--json')).out) as { id: number; name: string }[];
  const attic = listed.find(({ name }) => name === 'attic')!.id;
  await untilState(front.daemon, attic, 'connected');
  t.match((await run('server', 'list')).out, new RegExp(`${attic}\tattic\tconnected\t`));

  t.match(await run('add', HASH, '--server', 'attic', '--paused'), { code: 0, out: `added: ${HASH} ${HASH}` });
  t.match(await servers.two.daemon.torrent(HASH), { paused: true });
  t.match(await run('add', HASH, '--server', 'nowhere'), {
    code: 1,
    err: /no server "nowhere"; there are: this, one, two, attic/,
  });
  await untilListed(front.daemon, 'it is known', (torrents) => torrents.some(({ id }) => id === HASH));
  t.equal((await run('list')).out, '', 'the own ones are listed as before');
  t.match((await run('list', '--server', 'attic')).out, new RegExp(`^${HASH}\tpaused`));
  const all = (await run('list', '--server', 'all')).out.split('\n').map((line) => line.split('\t').slice(0, 2));
  t.same(
    all.toSorted(),
    [
      ['attic', HASH],
      ['two', HASH],
    ],
    'one server by two keys',
  );
  t.match(await run('resume', HASH.slice(0, 6), '--server', 'attic'), { code: 0, out: /^resumed: / });
  t.match(await servers.two.daemon.torrent(HASH), { paused: false });
  t.match(await run('add', HASH, '--server', 'auto'), { code: 0, out: `there: ${HASH} ${HASH} (is on two)` });
  const made = makeTorrent({ name: 'film.bin', pieceLength: 16 * KIB, files: seededBytes(3, 40 * KIB) });
  const file = join(await temporaryDirectory(), 'film.torrent');
  await writeFile(file, made.torrentBytes);
  t.match(await run('add', file, '--server', 'auto'), {
    code: 0,
    out: /^added: [0-9a-f]{40} \S+ \(on (?:this server|one|two|attic)\)$/,
  });
  t.match(await run('add', file, '--server', 'auto', '--wait'), { code: 2, err: /--wait: not with --server/ });
  t.match(await run('remove', HASH, '--server', 'attic', '--yes'), { code: 0 });
  t.notOk((await servers.two.daemon.torrents()).some(({ id }) => id === HASH));

  const payload = await seedAt(front, tracker.announceUrl, MIB, 9);
  t.match(await run('move', payload.name), { code: 2, err: /--to: say which server/ });
  const moved = await run('move', payload.name, '--to', 'one', '--wait');
  t.match(moved, { code: 0, out: `moved: ${payload.name}` });
  t.ok(await hasAll(servers.one, payload));
  t.match((await run('move')).out, new RegExp(`^done\t1\t${payload.name}`));
  await untilListed(front.daemon, 'it is there', (torrents) => torrents.some(({ server_id }) => server_id === one));
  t.match(await run('move', payload.name, 'nothing', '--from', 'one', '--to', 'this'), {
    code: 1,
    err: /no torrent "nothing"/,
  });
  t.match(await run('move', payload.name, '--from', 'one', '--to', 'one'), { code: 1, err: /to: it is there already/ });
  t.match(await run('server', 'remove', 'attic'), { code: 0, out: 'forgotten: attic' });
  t.match(await run('list', '--server', 'attic'), { code: 1, err: /no server "attic"/ });
});
