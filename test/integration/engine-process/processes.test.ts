// The real processes: an engine, and a daemon as its front. Either is killed or stopped while the other goes on.
import t, { type Test } from 'tap';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StatusDto } from '../../../shared-protocol/dto/status.js';
import { MAIN, startDaemon, type DaemonUnderTest } from '../../support/daemon.js';
import { makeTorrent, seededBytes } from '../../support/make-torrent.js';
import { startOwnEngine, type EngineLink, type OwnEngine } from '../../support/own-engine.js';
import { seedContent } from '../../support/peers/scripted-seed.js';
import { waitUntil } from '../../support/peers/wait-until.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const TIMEOUT_MS = 60_000;
const PIECE_LENGTH = 16_384;
const LIMITS = { down_kbps: 77, up_kbps: 0, alt_down_kbps: 0, alt_up_kbps: 0, alt_active: false };

/** What is started by hand here is not started once more by the daemon under test. */
process.env['SWARMD_TEST_ENGINE'] = '';

async function scene(t: Test, link: EngineLink = 'unix') {
  const [base, dataDir] = [await temporaryDirectory(), await temporaryDirectory()];
  const [root, scratch] = [join(base, 'root'), join(base, 'scratch')];
  await mkdir(root);
  await mkdir(scratch);
  let engine: OwnEngine | null = null;
  const startEngine = async (): Promise<OwnEngine> => {
    const args = ['--roots', `data=${root}`];
    engine = await startOwnEngine(MAIN, { link, dataDir: join(base, 'engine'), scratch, args });
    return engine;
  };
  const { flags } = await startEngine();
  const startFront = () => startDaemon({ dataDir, savePath: root, args: flags });
  let front: DaemonUnderTest = await startFront();
  t.teardown(async () => {
    await front.stop();
    await engine?.child.stop('SIGKILL');
  });
  return {
    ...{ base, root, dataDir, startEngine },
    engine: () => engine!,
    front: () => front,
    async restartFront(): Promise<DaemonUnderTest> {
      await front.kill();
      return (front = await startFront());
    },
  };
}

function content(name: string, seed: number) {
  return makeTorrent({
    name,
    pieceLength: PIECE_LENGTH,
    files: [{ path: ['film'], bytes: seededBytes(seed, 300_000) }],
  });
}

const statusOf = async (front: DaemonUnderTest) => (await front.api<StatusDto>('GET', '/api/status')).json;

for (const link of ['unix', 'tls'] as const) {
  void t.test(`a torrent is added, downloaded and read, ${link}`, async (t) => {
    const { front, root } = await scene(t, link);
    const made = content('by-stream', 1);
    const id = await front().addTorrentFile(made.torrentBytes);
    const seed = await seedContent(
      { bytes: made.payload, infoHash: made.infoHash, pieceLength: PIECE_LENGTH },
      front().peerPort,
      Infinity,
    );
    await front().waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
    seed.destroy();
    t.same(await readdir(join(root, 'by-stream')), ['film']);
    const file = await front().download(`/api/torrents/${id}/files/0`);
    t.ok(file.bytes.equals(Buffer.from(made.payload)));
    t.match(await statusOf(front()), { engine_away_since: null, disks: [{ free_bytes: Number }] });
  });
}

void t.test('the front is killed: torrents go on, and the next one finds them', async (t) => {
  const { front, engine, restartFront } = await scene(t);
  const made = content('goes-on', 2);
  const id = await front().addTorrentFile(made.torrentBytes);
  const { peerPort } = front();
  await front().kill();
  // Nobody is there to be told.
  const seed = await seedContent(
    { bytes: made.payload, infoHash: made.infoHash, pieceLength: PIECE_LENGTH },
    peerPort,
    Infinity,
  );
  const next = await restartFront();
  await next.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
  seed.destroy();
  t.equal(next.peerPort, peerPort);
  t.ok(engine().child.isRunning);
  t.match(engine().child.stderr, /front gone/);
});

void t.test('the engine is killed: what it told stays, commands are refused, and it is back by itself', async (t) => {
  const { front, engine, startEngine } = await scene(t);
  const id = await front().addTorrentFile(content('comes-back', 3).torrentBytes);
  await engine().child.stop('SIGKILL');
  await waitUntil('it is away', TIMEOUT_MS, async () => (await statusOf(front())).engine_away_since ?? undefined);
  t.match(await front().api('POST', `/api/torrents/${id}/pause`), { status: 503, json: { code: 'ENGINE_AWAY' } });
  t.match(await front().torrents(), [{ id }]);
  t.match((await front().api('PUT', '/api/settings/limits', LIMITS)).status, 200);
  await startEngine();
  t.match(engine().child.stderr, /went on without a front.*|waits for a front/);
  await waitUntil(
    'it is back',
    TIMEOUT_MS,
    async () => (await statusOf(front())).engine_away_since === null || undefined,
  );
  const paused = await waitUntil('commands', TIMEOUT_MS, async () => {
    const answer = await front().api('POST', `/api/torrents/${id}/pause`);
    return answer.status === 200 ? answer : undefined;
  });
  t.equal(paused.status, 200);
  t.match(await front().torrent(id), { paused: true });
});

void t.test('paths are those of the engine, and its roots hold whatever the front says', async (t) => {
  const { front, root, base } = await scene(t);
  await mkdir(join(root, 'films'));
  await mkdir(join(base, 'outside'));
  await symlink(join(base, 'outside'), join(root, 'way-out'));
  await writeFile(join(base, 'outside', 'secret'), 'x');
  const paths = async (prefix: string) =>
    (await front().api<{ paths: string[] }>('GET', `/api/paths?prefix=${encodeURIComponent(prefix)}`)).json.paths;
  t.same(await paths(`${root}/`), [join(root, 'films')], 'links that lead out are not offered');
  t.same(await paths(`${base}/`), [root], 'nothing else is known of what is around it');
  const magnet = `magnet:?xt=urn:btih:${'a'.repeat(40)}`;
  for (const save_path of [join(base, 'outside'), join(root, 'way-out'), join(base, 'engine')]) {
    const { status, json } = await front().api('POST', '/api/torrents/magnet', { magnet, save_path });
    t.match([status, json], [400, { error: /^save_path: (outside the roots|contains or lies)/ }]);
  }
  t.same(await front().torrents(), []);
  const { status } = await front().api('POST', '/api/torrents/magnet', {
    magnet,
    save_path: join(root, 'films', 'new'),
  });
  t.equal(status, 200);
});

void t.test('a second engine on the same directory, and a front with a wrong token, say why and end', async (t) => {
  const { engine, startEngine, base } = await scene(t);
  const first = engine();
  await t.rejects(startEngine(), /the engine has ended.*(in use|another engine does already)/s);
  const wrong = join(base, 'wrong-token');
  await writeFile(wrong, `${'w'.repeat(40)}\n`);
  const flags = first.flags.map((flag, n) => (first.flags[n - 1] === '--engine-token-file' ? wrong : flag));
  await t.rejects(startDaemon({ args: flags }), /swarmd has ended.*refused \(401\): the token is not known here/s);
});
