// Torrents that were added long ago, as far as the service knows: taken over from the state of a qBittorrent, whose record
// of each says when. What acts on torrents of some age can then be tested without waiting for it.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import bencode from 'bencode';
import type { DaemonUnderTest } from '../daemon.js';
import { makeTorrent } from '../make-torrent.js';
import { importAll } from './import-scene.js';
import { seededBytes } from './seeded-bytes.js';

const PIECE = 16_384;
const SIZE = 3 * PIECE;

export interface OldTorrent {
  /** Also of its only file, which lies whole in the save path of the daemon. */
  readonly name: string;
  readonly tracker?: string;
  /** Bytes; @default 0 */
  readonly uploaded?: number;
}

/**
 * Writes the state of a qBittorrent that has the torrents whole in `savePath`, as it names it there, since `at` (unix seconds).
 * Their info hashes, in the same order.
 */
export async function writeOldTorrents(
  backup: string,
  savePath: string,
  torrents: readonly OldTorrent[],
  at: number,
): Promise<readonly string[]> {
  await mkdir(backup, { recursive: true });
  const ids: string[] = [];
  for (const [index, { name, tracker, uploaded = 0 }] of torrents.entries()) {
    const made = makeTorrent({
      ...{ name, pieceLength: PIECE, files: contentOf(name, index) },
      trackers: tracker ? [tracker] : [],
    });
    const id = String(made.infoHash);
    await writeFile(join(backup, `${id}.torrent`), made.torrentBytes);
    const record = {
      'file-format': 'libtorrent resume file',
      'file-version': 1,
      'info-hash': Buffer.from(id, 'hex'),
      save_path: savePath,
      pieces: Buffer.alloc(SIZE / PIECE, 1),
      added_time: at,
      completed_time: at,
      total_uploaded: uploaded,
      trackers: tracker ? [[tracker]] : [],
    };
    await writeFile(join(backup, `${id}.fastresume`), bencode.encode(record));
    ids.push(id);
  }
  return ids;
}

/** Writes their files. */
export async function writeOldFiles(directory: string, torrents: readonly OldTorrent[]): Promise<void> {
  for (const [index, { name }] of torrents.entries()) await writeFile(join(directory, name), contentOf(name, index));
}

function contentOf(name: string, index: number): Uint8Array {
  return seededBytes(SIZE, name.length * 31 + index);
}

/** Their info hashes, in the same order. `ageS`: how long ago they were added and complete. */
export async function addOldTorrents(
  daemon: DaemonUnderTest,
  torrents: readonly OldTorrent[],
  ageS: number,
): Promise<readonly string[]> {
  const backup = join(daemon.savePath, '..', `qbittorrent ${torrents[0]?.name ?? ''}`, 'BT_backup');
  const at = Math.floor(Date.now() / 1_000) - ageS;
  await writeOldFiles(daemon.savePath, torrents);
  const ids = await writeOldTorrents(backup, daemon.savePath, torrents, at);
  const report = await importAll(daemon, { from: 'qbittorrent', path: backup });
  if (report.imported !== torrents.length) throw new Error(JSON.stringify(report));
  return ids;
}
