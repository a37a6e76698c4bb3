// The real processes: two engines with roots of their own, and a daemon as the front of both.
import t, { type Test } from 'tap';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EngineDto } from '../../../shared-protocol/dto/engines.js';
import { MAIN, startDaemon } from '../../support/daemon.js';
import { makeAccount } from '../../support/daemon-account.js';
import { makeTorrent, seededBytes } from '../../support/make-torrent.js';
import { startOwnEngine, type OwnEngine } from '../../support/own-engine.js';
import { seedContent } from '../../support/peers/scripted-seed.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const TIMEOUT_MS = 60_000;
const PIECE_LENGTH = 16_384;

/** What is started by hand here is not started once more by the daemon under test. */
process.env['SWARMD_TEST_ENGINE'] = '';

async function scene(t: Test) {
  const base = await temporaryDirectory();
  const started: { readonly name: string; readonly root: string; readonly engine: OwnEngine; readonly file: object }[] =
    [];
  for (const name of ['main', 'bobs']) {
    const [root, scratch] = [join(base, `${name}-root`), join(base, `${name}-scratch`)];
    await mkdir(root);
    await mkdir(scratch);
    const args = ['--roots', `data=${root}`];
    const engine = await startOwnEngine(MAIN, { link: 'unix', dataDir: join(base, name), scratch, args });
    const [, address = '', , tokenFile = ''] = engine.flags;
    started.push({ name, root, engine, file: { name, address, token_file: tokenFile } });
    t.teardown(() => engine.child.stop('SIGKILL'));
  }
  const enginesFile = join(base, 'engines.json');
  await writeFile(enginesFile, JSON.stringify({ engines: started.map(({ file }) => file) }));
  const front = await startDaemon({
    dataDir: join(base, 'front'),
    savePath: started[0]!.root,
    args: ['--engines', enginesFile],
  });
  t.teardown(async () => void (await front.stop()));
  return { front, main: started[0]!, bobs: started[1]! };
}

void t.test('each account downloads to the disks of its engine, and both are read by one front', async (t) => {
  const { front, main, bobs } = await scene(t);
  const bob = await makeAccount(front, 'bob', { engine: 'bobs' });
  const made = [1, 2].map((seed) =>
    makeTorrent({
      name: `film-${seed}`,
      pieceLength: PIECE_LENGTH,
      files: [{ path: ['film'], bytes: seededBytes(seed, 300_000) }],
    }),
  );
  const body = new FormData();
  body.append('file', new Blob([made[1]!.torrentBytes]), 'a.torrent');
  await front.addTorrentFile(made[0]!.torrentBytes);
  t.equal((await bob.client.api('POST', '/api/torrents/file', body)).status, 200);
  // The engine that a peer comes to has no torrent of the other one's.
  const ports = (await front.api<EngineDto[]>('GET', '/api/engines')).json.map(({ peer_port }) => peer_port);
  t.not(ports[0], ports[1]);
  for (const [place, { infoHash, payload }] of made.entries()) {
    const content = { bytes: payload, infoHash, pieceLength: PIECE_LENGTH };
    const seed = await seedContent(content, ports[place]!, Infinity);
    await front.waitFor(infoHash, ({ completed }) => completed, TIMEOUT_MS);
    seed.destroy();
    const file = await front.download(`/api/torrents/${infoHash}/files/0`);
    t.ok(file.bytes.equals(Buffer.from(payload)), 'read through the front');
  }
  t.same(await readdir(main.root), ['film-1']);
  t.same(await readdir(bobs.root), ['film-2']);
});
