// What a dead daemon has recorded as verified, held against what is on disk. It reads the stores by itself and hashes
// by itself: the engine's word is not taken for anything. Bytes of skipped files may lie in the torrent's part file.
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import bencode from 'bencode';
import { openTorrentStore } from '../../storage/lmdb-torrent-store.js';
import type { TorrentRow, TorrentStore } from '../../storage/types.js';
import { storeOf } from '../support/own-engine.js';

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
  const store = openTorrentStore(storeOf(dataDir));
  try {
    const wrong: string[] = [];
    const priorities = new Map<string, string>();
    let claimed = 0;
    for (const row of store.rows()) {
      // It was removed: nothing is said of its files but that they go.
      if (row.leaving) continue;
      priorities.set(row.id, JSON.stringify(row.filePriorities ?? ['normal', 'normal', 'normal']));
      for (const piece of claimedPieces(store, row, join(dataDir, 'parts'))) {
        claimed++;
        if (!(await piece.isRight())) wrong.push(`${row.name}: piece ${piece.index}`);
      }
    }
    return { claimed, wrong, priorities };
  } finally {
    await store.close();
  }
}

interface ClaimedPiece {
  readonly index: number;
  isRight(): Promise<boolean>;
}

function claimedPieces(store: TorrentStore, row: TorrentRow, partsDir: string): ClaimedPiece[] {
  const infoBytes = store.infoBytes(row.id);
  const have = store.resume(row.id)?.have;
  if (!infoBytes || !have) return [];
  const info = bencode.decode(infoBytes) as unknown as InfoDictionary;
  const hashes = Buffer.from(info.pieces);
  const total = info.files.reduce((sum, { length }) => sum + length, 0);
  const partFile = join(partsDir, `${row.id}.parts`);
  const pieces = Array.from({ length: hashes.length / HASH_BYTES }, (_, index) => index);
  return pieces
    .filter((index) => (have[index >> 3]! & (0x80 >> (index & 7))) !== 0)
    .map((index) => ({
      index,
      async isRight() {
        const start = index * info['piece length'];
        const spans = spansOf(row.savePath, partFile, info, start, Math.min(start + info['piece length'], total));
        const expected = hashes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES);
        for (const bytes of await readings(spans)) {
          if (createHash('sha1').update(bytes).digest().equals(expected)) return true;
        }
        return false;
      },
    }));
}

/** The two places where a stretch of one file may lie. */
interface Span {
  readonly length: number;
  readonly places: readonly { readonly path: string; readonly position: number }[];
}

/** Of all files behind one another. A byte lies in the part file where it lies in the torrent. */
function spansOf(savePath: string, partFile: string, info: InfoDictionary, start: number, end: number): Span[] {
  const spans: Span[] = [];
  let offset = 0;
  for (const { length, path } of info.files) {
    const from = Math.max(start, offset);
    const to = Math.min(end, offset + length);
    if (from < to) {
      const elements = [info.name, ...path].map((element) => Buffer.from(element).toString());
      const own = { path: join(savePath, ...elements), position: from - offset };
      spans.push({ length: to - from, places: [own, { path: partFile, position: from }] });
    }
    offset += length;
  }
  return spans;
}

/** Every way to put the spans together, their own files first. What is missing reads as nothing. */
async function readings(spans: readonly Span[]): Promise<Buffer[]> {
  let whole = [Buffer.alloc(0)];
  for (const { length, places } of spans) {
    const parts = await Promise.all(places.map(({ path, position }) => readPart(path, position, length)));
    whole = parts.flatMap((part) => whole.map((before) => Buffer.concat([before, part])));
  }
  return whole;
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
