// The payload that all programs move: one file in memory and its torrent (BEP 3). The bytes repeat after 16 MiB, so
// that a raw seeder can serve them from one buffer that stays in the processor's reach; every page of the file is its
// own all the same, and no program looks for repetitions.
import { createHash } from 'node:crypto';
import { closeSync, ftruncateSync, openSync, readSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import bencode from 'bencode';
import { SeededRandom } from './seeded-random.js';

const MIB = 1024 * 1024;
export const PERIOD_BYTES = 16 * MIB;
const SEED = 20_261_120;

export interface Payload {
  readonly folder: string;
  readonly name: string;
  readonly file: string;
  readonly bytes: number;
  readonly pieceLength: number;
  readonly pieceCount: number;
  readonly torrentFile: string;
  readonly torrentBytes: Uint8Array;
  /** 40 hexadecimal digits. */
  readonly infoHash: string;
  /** Of the whole file, by which copies are checked. */
  readonly sha1: string;
}

/** `bytes` and `pieceLength`: whole multiples of a MiB; pieces divide the period. */
export function makePayload(folder: string, bytes: number, pieceLength: number): Payload {
  const period = new SeededRandom(SEED).bytes(PERIOD_BYTES);
  const name = 'payload.bin';
  const file = join(folder, name);
  const fd = openSync(file, 'w');
  ftruncateSync(fd, bytes);
  for (let at = 0; at < bytes; at += PERIOD_BYTES) writeSync(fd, period, 0, Math.min(PERIOD_BYTES, bytes - at), at);
  closeSync(fd);

  const pieceCount = Math.ceil(bytes / pieceLength);
  const hashes = new Uint8Array(pieceCount * 20);
  for (let piece = 0; piece < pieceCount; piece++) {
    const at = (piece * pieceLength) % PERIOD_BYTES;
    const length = Math.min(pieceLength, bytes - piece * pieceLength);
    const data = period.subarray(at, at + length);
    hashes.set(createHash('sha1').update(data).digest(), piece * 20);
  }
  const info = { length: bytes, name, 'piece length': pieceLength, pieces: hashes };
  const torrentBytes = bencode.encode({ info });
  const torrentFile = join(folder, 'payload.torrent');
  writeFileSync(torrentFile, torrentBytes);
  const infoHash = createHash('sha1').update(bencode.encode(info)).digest('hex');
  const sha1 = hashFile(file);
  return { folder, name, file, bytes, pieceLength, pieceCount, torrentFile, torrentBytes, infoHash, sha1 };
}

/** @throws Error when the copy in the folder is not the payload, byte for byte */
export function checkCopy(payload: Payload, folder: string): void {
  const copy = join(folder, payload.name);
  const { size } = statSync(copy);
  if (size !== payload.bytes) throw new Error(`${copy}: ${size} bytes instead of ${payload.bytes}`);
  if (hashFile(copy) !== payload.sha1) throw new Error(`${copy}: not the payload`);
}

function hashFile(file: string): string {
  const hash = createHash('sha1');
  const buffer = Buffer.allocUnsafe(4 * MIB);
  const fd = openSync(file, 'r');
  for (let count = readSync(fd, buffer); count > 0; count = readSync(fd, buffer))
    hash.update(buffer.subarray(0, count));
  closeSync(fd);
  return hash.digest('hex');
}
