// State directories of other programs with many torrents, as somebody has them who moves: folders of three files, a tenth of them
// half there, with totals, dates, labels and a tracker that nobody answers. Their files lie beside. Seeded, each run the same.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import bencode from 'bencode';
import { SeededRandom } from './seeded-random.js';

const PIECE_BYTES = 16 * 1024;
const FILES = 3;
const SEED = 21;
const TRACKER = 'http://127.0.0.1:9/announce';
const FIRST_ADDED_AT = 1_600_000_000;
const CATEGORIES = 10;
/** So that Ctrl-C is heard while thousands are written. */
const WRITTEN_AT_A_TIME = 500;

interface MadeTorrent {
  readonly index: number;
  readonly infoHash: string;
  readonly bytes: Uint8Array;
  readonly name: string;
  readonly isHalf: boolean;
}

/** Writes the record of a torrent into the state directory. */
type WriteRecord = (home: string, downloads: string, torrent: MadeTorrent) => void;

export const FOREIGN_PROGRAMS = ['qbittorrent', 'transmission'] as const;
export type ForeignProgram = (typeof FOREIGN_PROGRAMS)[number];

const STATES: Readonly<
  Record<ForeignProgram, { readonly folders: readonly string[]; readonly writeRecord: WriteRecord }>
> = {
  qbittorrent: { folders: ['BT_backup'], writeRecord: writeFastresume },
  transmission: { folders: ['torrents', 'resume'], writeRecord: writeResume },
};

/** Both folders are there and empty. */
export async function writeForeignState(
  program: ForeignProgram,
  home: string,
  downloads: string,
  count: number,
): Promise<void> {
  const { folders, writeRecord } = STATES[program];
  for (const folder of folders) mkdirSync(join(home, folder));
  const random = new SeededRandom(SEED);
  for (let index = 0; index < count; index++) {
    writeRecord(home, downloads, writeTorrent(downloads, index, random));
    if (index % WRITTEN_AT_A_TIME === 0) await setImmediate();
  }
}

/** A file a piece; of those that are half there the last one is missing. */
function writeTorrent(downloads: string, index: number, random: SeededRandom): MadeTorrent {
  const name = `Some.Series.${String(index).padStart(6, '0')}.1080p-GROUP`;
  const isHalf = index % 10 === 0;
  const pieces: Buffer[] = [];
  const files: { length: number; path: string[] }[] = [];
  mkdirSync(join(downloads, name));
  for (let file = 0; file < FILES; file++) {
    const content = random.bytes(PIECE_BYTES);
    pieces.push(createHash('sha1').update(content).digest());
    files.push({ length: PIECE_BYTES, path: [`episode ${file}.mkv`] });
    if (!isHalf || file < FILES - 1) writeFileSync(join(downloads, name, `episode ${file}.mkv`), content);
  }
  const info = { files, name, 'piece length': PIECE_BYTES, pieces: Buffer.concat(pieces) };
  const infoHash = createHash('sha1').update(bencode.encode(info)).digest('hex');
  return { index, infoHash, name, isHalf, bytes: bencode.encode({ announce: TRACKER, info }) };
}

function writeFastresume(home: string, downloads: string, torrent: MadeTorrent): void {
  const { index, infoHash, bytes, isHalf } = torrent;
  const addedAt = FIRST_ADDED_AT + index;
  const record = {
    ...{ 'file-format': 'libtorrent resume file', 'file-version': 1, 'info-hash': Buffer.from(infoHash, 'hex') },
    ...{ save_path: downloads, 'qBt-savePath': downloads, 'qBt-category': `category ${index % CATEGORIES}` },
    ...{ 'qBt-tags': ['kept'], 'qBt-ratioLimit': -2_000, 'qBt-seedingTimeLimit': -2, trackers: [[TRACKER]] },
    ...{ pieces: Buffer.from([1, 1, isHalf ? 0 : 1]), file_priority: [4, 4, 4], auto_managed: 1, paused: 1 },
    ...{ added_time: addedAt, completed_time: isHalf ? 0 : addedAt + 60, active_time: 3_600, seeding_time: 3_000 },
    ...{ total_uploaded: index * 1_000, total_downloaded: FILES * PIECE_BYTES },
  };
  writeFileSync(join(home, 'BT_backup', `${infoHash}.fastresume`), bencode.encode(record));
  writeFileSync(join(home, 'BT_backup', `${infoHash}.torrent`), bytes);
}

function writeResume(home: string, downloads: string, torrent: MadeTorrent): void {
  const { index, infoHash, bytes, isHalf } = torrent;
  const now = Math.floor(Date.now() / 1_000);
  const record = {
    ...{ destination: downloads, labels: ['kept'], paused: 0, corrupt: 0, dnd: [0, 0, 0], priority: [0, 0, 0] },
    ...{ 'added-date': FIRST_ADDED_AT + index, 'done-date': isHalf ? 0 : FIRST_ADDED_AT + index + 60 },
    ...{ uploaded: index * 1_000, downloaded: FILES * PIECE_BYTES, 'seeding-time-seconds': 3_000 },
    ...{ 'ratio-limit': { 'ratio-mode': 0, 'ratio-limit': '2.0' }, 'idle-limit': { 'idle-mode': 0, 'idle-limit': 30 } },
    progress: { blocks: isHalf ? Buffer.from([0xc0]) : 'all', mtimes: [now, now, isHalf ? 0 : now] },
  };
  writeFileSync(join(home, 'resume', `${infoHash}.resume`), bencode.encode(record));
  writeFileSync(join(home, 'torrents', `${infoHash}.torrent`), bytes);
}
