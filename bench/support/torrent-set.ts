// Many small torrents (BEP 3) with their data in one folder, so that every program seeds them: one file of 16 KiB each,
// one piece. Seeded, so that each run has the same; made in the order of their numbers.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import bencode from 'bencode';
import { SeededRandom } from './seeded-random.js';

export const FILE_BYTES = 16 * 1024;
const SEED = 8;
/** So that Ctrl-C is heard while 100,000 are written. */
const WRITTEN_AT_A_TIME = 500;

export interface SmallTorrent {
  /** 40 hexadecimal digits. */
  readonly id: string;
  readonly bytes: Uint8Array;
}

export interface TorrentSet {
  /** What the torrents are to be saved as. */
  readonly folder: string;
  readonly torrents: readonly SmallTorrent[];
}

/**
 * Makes the folder. The first `count` of the set: a larger set begins with a smaller one. `announce` is the tracker of all
 * of them; null: they have none.
 */
export async function makeTorrentSet(
  folder: string,
  count: number,
  announce: string | null = null,
): Promise<TorrentSet> {
  mkdirSync(folder, { recursive: true });
  const data = new SeededRandom(SEED).bytes(FILE_BYTES);
  const number = new DataView(data.buffer, data.byteOffset, 4);
  const torrents: SmallTorrent[] = [];
  for (let index = 0; index < count; index++) {
    number.setUint32(0, index);
    const name = `Some.Collection.of.Files.${String(index).padStart(6, '0')}.2024.1080p-GROUP.bin`;
    writeFileSync(join(folder, name), data);
    const pieces = createHash('sha1').update(data).digest();
    const info = { length: FILE_BYTES, name, 'piece length': FILE_BYTES, pieces };
    const id = createHash('sha1').update(bencode.encode(info)).digest('hex');
    torrents.push({ id, bytes: bencode.encode(announce === null ? { info } : { announce, info }) });
    if (index % WRITTEN_AT_A_TIME === 0) await setImmediate();
  }
  return { folder, torrents };
}
