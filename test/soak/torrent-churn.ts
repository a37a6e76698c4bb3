// Torrents that come, are downloaded from a seed of ours, rechecked and removed with their data.
import type { DaemonUnderTest } from '../support/daemon.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { KIB } from '../support/peers/payload.js';
import { seedContent } from '../support/peers/scripted-seed.js';

const PIECE_LENGTH = 64 * KIB;
const BYTES = 16 * PIECE_LENGTH;
const TIMEOUT_MS = 60_000;

/** `number` makes it another one. */
export async function churnTorrent(daemon: DaemonUnderTest, number: number): Promise<void> {
  const bytes = seededBytes(number, BYTES);
  const made = makeTorrent({ name: `soak-${number}`, pieceLength: PIECE_LENGTH, files: bytes });
  const id = await daemon.addTorrentFile(made.torrentBytes);
  await daemon.waitFor(id, ({ verifying }) => !verifying, TIMEOUT_MS);
  const content = { bytes, infoHash: made.infoHash, pieceLength: PIECE_LENGTH };
  const seed = await seedContent(content, daemon.peerPort, Infinity);
  try {
    await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
    await must(daemon, 'POST', `/api/torrents/${id}/recheck`);
    await daemon.waitFor(id, ({ completed, verifying }) => completed && !verifying, TIMEOUT_MS);
  } finally {
    seed.destroy();
  }
  await must(daemon, 'DELETE', `/api/torrents/${id}?delete=1`);
}

async function must(daemon: DaemonUnderTest, method: string, path: string): Promise<void> {
  const { status, json } = await daemon.api(method, path);
  if (status !== 200) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(json)}`);
}
