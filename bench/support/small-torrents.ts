// Many small torrents that share their bytes but not their names, and so not their info hashes: what a crowd of peers
// is spread over. Pieces are single blocks, so that a request a second moves whole pieces.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import bencode from 'bencode';
import { BLOCK_BYTES } from '../load/wire.js';
import { SeededRandom } from './seeded-random.js';

const SEED = 20_261_122;

export interface SmallTorrent {
  readonly name: string;
  readonly torrentBytes: Uint8Array;
  /** 40 hexadecimal digits. */
  readonly infoHash: string;
}

export interface SmallTorrents {
  readonly torrents: readonly SmallTorrent[];
  readonly pieceCount: number;
  /** What each of them holds. */
  readonly data: Uint8Array;
}

export function makeSmallTorrents(count: number, pieceCount: number): SmallTorrents {
  const data = new SeededRandom(SEED).bytes(pieceCount * BLOCK_BYTES);
  const pieces = Buffer.concat(
    Array.from({ length: pieceCount }, (_, piece) => {
      const at = piece * BLOCK_BYTES;
      return createHash('sha1')
        .update(data.subarray(at, at + BLOCK_BYTES))
        .digest();
    }),
  );
  const torrents = Array.from({ length: count }, (_, index): SmallTorrent => {
    const name = `small-${index}.bin`;
    const info = { length: data.length, name, 'piece length': BLOCK_BYTES, pieces };
    const infoHash = createHash('sha1').update(bencode.encode(info)).digest('hex');
    return { name, torrentBytes: bencode.encode({ info }), infoHash };
  });
  return { torrents, pieceCount, data };
}

/** So that the torrent is found complete there. */
export function writeContent({ name }: SmallTorrent, data: Uint8Array, folder: string): void {
  writeFileSync(join(folder, name), data);
}
