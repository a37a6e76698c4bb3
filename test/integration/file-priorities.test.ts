// Which files are wanted, and in what order, through a whole daemon over real sockets: beside libtorrent from a magnet
// on, and with a seed that tells what it was asked for.
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { startDaemon, type DaemonUnderTest, type TorrentView } from '../support/daemon.js';
import { libtorrent, testWith } from '../support/peers/index.js';
import { digestsOf, KIB, writeFiles, type Payload } from '../support/peers/payload.js';
import { frame, fullBitfield, handshake, ID, pieceMessage, RawPeer } from '../support/peers/raw-peer.js';
import { makeScratch } from '../support/peers/scratch.js';

const TIMEOUT_MS = 30_000;
const PIECE_LENGTH = 64 * KIB;
/** Odd sizes: neighbours share a piece. */
const FILES = [
  ['first.bin', 1_300_001],
  ['second/skipped.bin', 700_003],
  ['second/third.bin', 500_009],
  ['empty.bin', 0],
  ['last.bin', 900_001],
] as const;
const TOTAL_BYTES = FILES.reduce((sum, [, length]) => sum + length, 0);
const [FIRST, SKIPPED, THIRD, EMPTY, LAST] = [0, 1, 2, 3, 4];

t.setTimeout(180_000);

const pathOf = (index: number): string => FILES[index]![0];

async function prepare(t: Test, seed: number): Promise<{ payload: Payload; daemon: DaemonUnderTest }> {
  const scratch = await makeScratch('file-priorities', 3 * TOTAL_BYTES);
  t.teardown(() => scratch.remove());
  const payload = await writeFiles({
    directory: scratch.path,
    name: `payload-${seed}`,
    seed,
    pieceLength: PIECE_LENGTH,
    files: FILES,
  });
  const daemon = await startDaemon({ bytes: 3 * TOTAL_BYTES });
  t.teardown(() => daemon.stop());
  return { payload, daemon };
}

/** By index; what is not a string is told as it is. */
async function prioritise(daemon: DaemonUnderTest, infohash: string, priorities: Readonly<Record<number, string>>) {
  return daemon.api('POST', '/api/torrents/file_priorities', { infohash, priorities });
}

/** The pieces that hold bytes of a file. */
function piecesOf(index: number): { readonly first: number; readonly last: number } {
  const offset = FILES.slice(0, index).reduce((sum, [, length]) => sum + length, 0);
  return {
    first: Math.floor(offset / PIECE_LENGTH),
    last: Math.floor((offset + FILES[index]![1] - 1) / PIECE_LENGTH),
  };
}

const without = (payload: Payload, ...skipped: readonly number[]): Record<string, string> =>
  Object.fromEntries(Object.entries(payload.digests).filter(([path]) => !skipped.map(pathOf).includes(path)));

const isOnDisk = (payload: Payload, daemon: DaemonUnderTest, index: number): Promise<boolean> =>
  access(join(daemon.savePath, payload.name, pathOf(index))).then(
    () => true,
    () => false,
  );

void testWith(
  t,
  libtorrent,
  'a file of a magnet is skipped before anything of it is known, later wanted',
  async (t) => {
    const { payload, daemon } = await prepare(t, 1);
    const seed = await libtorrent.start();
    t.teardown(() => seed.close());
    await seed.seed(payload.torrent(), payload.directory);
    const id = await daemon.addMagnet(payload.magnet());
    t.match(await prioritise(daemon, id, { [SKIPPED]: 'skip', [LAST]: 'high' }), { status: 200 });
    t.match(await prioritise(daemon, id, { [EMPTY]: 'skip', [LAST]: 'max' }), { status: 200 }, 'twice');
    await daemon.addPeers(id, seed.address);

    const complete = await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
    t.equal(complete.progress, 1);
    t.ok(complete.bytes_done < TOTAL_BYTES && complete.total_bytes === TOTAL_BYTES);
    t.same(await digestsOf(payload, daemon.savePath), without(payload, SKIPPED, EMPTY), 'exactly what is wanted');

    t.match(await prioritise(daemon, id, { [SKIPPED]: 'normal', [EMPTY]: 'normal' }), { status: 200 });
    t.equal((await daemon.torrent(id)).completed, false, 'at once');
    await daemon.addPeers(id, seed.address);
    await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
    t.same(await digestsOf(payload, daemon.savePath), payload.digests);
  },
);

void t.test('a skipped file is not asked for, and absent; completed follows what is wanted', async (t) => {
  const { payload, daemon } = await prepare(t, 2);
  const id = await daemon.addTorrentFile(payload.torrent());
  t.match(await prioritise(daemon, id, { 5: 'skip' }), { status: 400, json: { error: 'priorities: no file 5' } });
  t.match(await prioritise(daemon, id, { [SKIPPED]: 'skip', [THIRD]: 'high', [LAST]: 'max' }), { status: 200 });
  const seed = await connectSeed(t, payload, daemon);
  const complete = await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
  t.equal(complete.progress, 1);
  t.same(await digestsOf(payload, daemon.savePath), without(payload, SKIPPED));
  const { first, last } = piecesOf(SKIPPED);
  t.notOk(seed.asked().some((piece) => piece > first && piece < last));
  t.ok(seed.asked().includes(first) && seed.asked().includes(last), 'those that it shares are wanted');
  const order = seed.asked().map(fileOfPiece);
  t.ok(average(order, LAST) < average(order, THIRD), 'the most wanted first');
  t.ok(average(order, THIRD) < average(order, FIRST));

  await prioritise(daemon, id, { [SKIPPED]: 'normal' });
  t.equal((await daemon.torrent(id)).completed, false);
  t.ok(await isOnDisk(payload, daemon, SKIPPED), 'what is known of it is in its place');
  await prioritise(daemon, id, { [SKIPPED]: 'skip' });
  t.equal((await daemon.torrent(id)).completed, true);
  await prioritise(daemon, id, Object.fromEntries(FILES.map((_, index) => [index, 'skip'])));
  t.match(await daemon.torrent(id), { completed: false, progress: 0 } satisfies Partial<TorrentView>);
  await prioritise(daemon, id, Object.fromEntries(FILES.map((_, index) => [index, 'normal'])));
  await connectSeed(t, payload, daemon);
  await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
  t.same(await digestsOf(payload, daemon.savePath), payload.digests);
});

void t.test('one after another, when asked to', async (t) => {
  const { payload, daemon } = await prepare(t, 3);
  const id = await daemon.addTorrentFile(payload.torrent());
  t.match(await daemon.api('POST', '/api/torrents/sequential', { infohash: id, enabled: true }), { status: 200 });
  const seed = await connectSeed(t, payload, daemon);
  await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
  const first = [...new Set(seed.asked())];
  t.same(
    first,
    Array.from(first, (_, piece) => piece),
  );
  t.same(await digestsOf(payload, daemon.savePath), payload.digests);
});

/** Serves whatever it is asked for; a connection that comes to an end is no failure. */
async function connectSeed(t: Test, payload: Payload, daemon: DaemonUnderTest) {
  const paths = FILES.map(([path]) => readFile(join(payload.directory, payload.name, path)));
  const bytes = Buffer.concat(await Promise.all(paths));
  const asked: number[] = [];
  const peer = await RawPeer.connect(daemon.peerPort, {
    onMessage({ id, payload: fields }) {
      if (id !== ID.request) return;
      const [piece, begin, length] = [fields.readUInt32BE(0), fields.readUInt32BE(4), fields.readUInt32BE(8)];
      const start = piece * PIECE_LENGTH + begin;
      asked.push(piece);
      peer.send(pieceMessage(piece, begin, bytes.subarray(start, start + length)));
    },
  });
  t.teardown(() => peer.destroy());
  peer.send(handshake(payload.infoHash), fullBitfield(Math.ceil(TOTAL_BYTES / PIECE_LENGTH)), frame(ID.unchoke));
  return { asked: (): readonly number[] => asked };
}

/** The most wanted file in a piece counts; here that is the last one of them. */
function fileOfPiece(piece: number): number {
  return FILES.findLastIndex((_, index) => {
    const { first, last } = piecesOf(index);
    return index !== EMPTY && piece >= first && piece <= last;
  });
}

/** Where in the course of requests those for a file lie. */
function average(order: readonly number[], file: number): number {
  const places = order.flatMap((other, place) => (other === file ? [place] : []));
  return places.reduce((sum, place) => sum + place, 0) / places.length;
}
