// What a dead daemon has recorded as verified, held against what is on disk. It reads the stores by itself and hashes
// by itself: the engine's word is not taken for anything.
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import bencode from 'bencode';
import { openTorrentStore } from '../../storage/lmdb-torrent-store.js';
import type { TorrentRow, TorrentStore } from '../../storage/types.js';

const HASH_BYTES = 20;

interface InfoDictionary {
  readonly name: Uint8Array;
  readonly 'piece length': number;
  readonly pieces: Uint8Array;
  readonly files: readonly { readonly length: number; readonly path: readonly Uint8Array[] }[];
}

export interface Claims {
  /** Pieces that are recorded as verified. */
  readonly claimed: number;
  /** Those whose bytes on disk do not have their hash, one line each. */
  readonly wrong: readonly string[];
  /** As JSON, by info hash; of torrents whose files are known. */
  readonly priorities: ReadonlyMap<string, string>;
}

/** The daemon must have ended. */
export async function checkClaims(dataDir: string): Promise<Claims> {
  const store = openTorrentStore(join(dataDir, 'torrents'));
  try {
    const wrong: string[] = [];
    const priorities = new Map<string, string>();
    let claimed = 0;
    for (const row of store.rows()) {
      priorities.set(row.id, JSON.stringify(row.filePriorities ?? ['normal', 'normal', 'normal']));
      for (const piece of claimedPieces(store, row)) {
        claimed++;
        if (!piece.isRight(await piece.read())) wrong.push(`${row.name}: piece ${piece.index}`);
      }
    }
    return { claimed, wrong, priorities };
  } finally {
    await store.close();
  }
}

interface ClaimedPiece {
  readonly index: number;
  read(): Promise<Buffer>;
  isRight(bytes: Buffer): boolean;
}

function claimedPieces(store: TorrentStore, row: TorrentRow): ClaimedPiece[] {
  const infoBytes = store.infoBytes(row.id);
  const have = store.resume(row.id)?.have;
  if (!infoBytes || !have) return [];
  const info = bencode.decode(infoBytes) as unknown as InfoDictionary;
  const hashes = Buffer.from(info.pieces);
  const total = info.files.reduce((sum, { length }) => sum + length, 0);
  const pieces = Array.from({ length: hashes.length / HASH_BYTES }, (_, index) => index);
  return pieces
    .filter((index) => (have[index >> 3]! & (0x80 >> (index & 7))) !== 0)
    .map((index) => ({
      index,
      read: () => {
        const start = index * info['piece length'];
        return readRange(row.savePath, info, start, Math.min(start + info['piece length'], total));
      },
      isRight: (bytes) =>
        createHash('sha1')
          .update(bytes)
          .digest()
          .equals(hashes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES)),
    }));
}

/** Of all files behind one another. What is missing reads as nothing. */
async function readRange(savePath: string, info: InfoDictionary, start: number, end: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let offset = 0;
  for (const { length, path } of info.files) {
    const from = Math.max(start, offset);
    const to = Math.min(end, offset + length);
    if (from < to) {
      const elements = [info.name, ...path].map((element) => Buffer.from(element).toString());
      parts.push(await readPart(join(savePath, ...elements), from - offset, to - from));
    }
    offset += length;
  }
  return Buffer.concat(parts);
}

async function readPart(path: string, position: number, length: number): Promise<Buffer> {
  try {
    const file = await open(path, 'r');
    try {
      const bytes = Buffer.alloc(length);
      const { bytesRead } = await file.read(bytes, 0, length, position);
      return bytes.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    return Buffer.alloc(0);
  }
}
