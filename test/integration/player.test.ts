// A player that starts a video of a torrent which is being downloaded, by a link, as it knows neither cookies nor keys:
// `ffprobe` where it is installed, and `curl` with the ranges of a player: the head, the index at the end, then the middle.
import { spawn, spawnSync } from 'node:child_process';
import t, { type Test } from 'tap';
import { makeAvi } from '../support/avi.js';
import { startDaemon } from '../support/daemon.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { KIB } from '../support/peers/payload.js';
import { seedContent, type ScriptedSeed } from '../support/peers/scripted-seed.js';
import { waitUntil } from '../support/peers/wait-until.js';

const TIMEOUT_MS = 60_000;
const PIECE_LENGTH = 64 * KIB;
const BLOCK_BYTES = 16 * KIB;
/** Some 17 MB. */
const FRAMES = 1_400;
const FILM = makeAvi(FRAMES);

t.setTimeout(180_000);

async function startDownload(t: Test) {
  const daemon = await startDaemon({ bytes: 3 * FILM.length });
  t.teardown(() => daemon.stop());
  const made = makeTorrent({
    name: 'show',
    pieceLength: PIECE_LENGTH,
    files: [
      { path: ['a-notes.txt'], bytes: seededBytes(1, 50_001) },
      { path: ['film.avi'], bytes: FILM },
    ],
  });
  const id = await daemon.addTorrentFile(made.torrentBytes);
  const content = { bytes: made.payload, infoHash: made.infoHash, pieceLength: PIECE_LENGTH };
  const seed = await seedContent(content, daemon.peerPort, 0);
  t.teardown(() => seed.destroy());
  await daemon.waitFor(id, ({ peers }) => peers > 0, TIMEOUT_MS);
  const { json } = await daemon.api<{ readonly path: string }>('POST', `/api/torrents/${id}/links`, {});
  return { daemon, id, seed, url: `${daemon.url}${json.path}/1/film.avi` };
}

/** Runs it while the seed sends a little at a time; what it wrote. */
async function withSeed(seed: ScriptedSeed, command: string, args: readonly string[]): Promise<Buffer> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  let complaint = '';
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  let code: number | null | undefined;
  child.once('close', (status) => (code = status));
  try {
    await waitUntil(`${command} to end`, TIMEOUT_MS, () => {
      if (code !== undefined) return true;
      seed.allow(2);
      return undefined;
    });
  } finally {
    child.kill('SIGKILL');
  }
  if (code !== 0) throw new Error(`${command}: ${code} ${complaint}`);
  return Buffer.concat(chunks);
}

const share = (seed: ScriptedSeed): number => (seed.sent * BLOCK_BYTES) / FILM.length;

void t.test('curl as players ask: the head, the index at the end, the middle', async (t) => {
  const { daemon, id, seed, url } = await startDownload(t);
  const middle = Math.floor(FILM.length / 2);
  for (const [what, range, from, end] of [
    ['the head', `0-${128 * KIB - 1}`, 0, 128 * KIB],
    ['the index', `-${64 * KIB}`, FILM.length - 64 * KIB, FILM.length],
    ['the middle', `${middle}-${middle + 256 * KIB - 1}`, middle, middle + 256 * KIB],
  ] as const) {
    const got = await withSeed(seed, 'curl', ['-sS', '--fail', '-r', range, url]);
    t.ok(got.equals(FILM.subarray(from, end)), what);
  }
  t.ok(share(seed) < 0.5, `played when ${Math.round(100 * share(seed))} % had been sent`);
  t.match(await daemon.torrent(id), { completed: false });
});

const hasFfprobe = spawnSync('ffprobe', ['-version']).status === 0;
const skip = hasFfprobe ? {} : { skip: 'ffprobe is missing: apt-get install ffmpeg' };

void t.test('ffprobe finds the video and its length', skip, async (t) => {
  const { seed, url } = await startDownload(t);
  const shown = ['-show_entries', 'stream=codec_type,width,nb_frames', '-of', 'json'];
  const told = await withSeed(seed, 'ffprobe', ['-v', 'error', ...shown, url]);
  t.match(JSON.parse(told.toString()), { streams: [{ codec_type: 'video', width: 64, nb_frames: String(FRAMES) }] });
  t.ok(share(seed) < 0.5, `known when ${Math.round(100 * share(seed))} % had been sent`);
});
