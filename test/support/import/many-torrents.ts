// The state of a qBittorrent with many small torrents, no two alike: whole, half there under the names of incomplete files, without
// metadata, paused, with labels and totals of their own. What the list must show of each once all are taken over.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import bencode from 'bencode';
import { makeTorrent } from '../make-torrent.js';
import { seededBytes } from './seeded-bytes.js';

const PIECE = 16_384;
const PIECES = 2;
const SUFFIX = '.!qB';
const FIRST_ADDED_AT = 1_600_000_000;
const [CATEGORIES, TAGS] = [3, 5];

export interface ManyTorrents {
  /** By info hash. */
  readonly shown: ReadonlyMap<string, ShownOfMany>;
  /** Names of all their files. */
  readonly files: readonly string[];
}

export interface ShownOfMany {
  readonly name: string;
  readonly total_up: number;
  readonly total_down: number;
  readonly added_at: number;
  readonly bytes_done: number;
  readonly paused: boolean;
  readonly category: string;
  readonly tags: readonly string[];
}

/** Written below `home`, with files in `downloads`. */
export async function writeManyTorrents(home: string, downloads: string, count: number): Promise<ManyTorrents> {
  const backup = join(home, 'BT_backup');
  await mkdir(backup, { recursive: true });
  const shown = new Map<string, ShownOfMany>();
  const files: string[] = [];
  for (let index = 0; index < count; index++) {
    const name = `number ${index}.bin`;
    const made = makeTorrent({ name, pieceLength: PIECE, files: seededBytes(PIECES * PIECE, index) });
    const [isMagnet, isHalf] = [index % 7 === 3, index % 5 === 1];
    const had = isMagnet ? 0 : isHalf ? 1 : PIECES;
    const one: ShownOfMany = {
      name: `shown ${index}`,
      total_up: isMagnet ? 0 : index * 1_009 + 1,
      total_down: isMagnet ? 0 : index * 503 + 2,
      added_at: FIRST_ADDED_AT + index,
      bytes_done: had * PIECE,
      paused: index % 4 === 0,
      category: `category ${index % CATEGORIES}`,
      tags: [`tag ${index % TAGS}`],
    };
    const isSuffixed = isHalf && !isMagnet;
    const file = isSuffixed ? name + SUFFIX : name;
    const record = {
      ...{ 'file-format': 'libtorrent resume file', 'file-version': 1, 'info-hash': Buffer.from(made.infoHash, 'hex') },
      ...{ save_path: downloads, added_time: one.added_at, auto_managed: one.paused ? 0 : 1, paused: 1 },
      ...{ total_uploaded: one.total_up, total_downloaded: one.total_down, 'qBt-name': one.name },
      ...{ 'qBt-category': one.category, 'qBt-tags': one.tags },
      ...(isMagnet ? { name } : { pieces: Buffer.from([1, had - 1]), mapped_files: [file] }),
    };
    await writeFile(join(backup, `${made.infoHash}.fastresume`), bencode.encode(record));
    if (!isMagnet) {
      await writeFile(join(backup, `${made.infoHash}.torrent`), made.torrentBytes);
      await writeFile(join(downloads, file), made.payload);
      files.push(file);
    }
    shown.set(made.infoHash, one);
  }
  return { shown, files };
}
