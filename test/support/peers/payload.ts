// Files with a torrent of them, too large to be held in memory: written and hashed in one pass from an AES-CTR key
// stream, the same for the same seed. BEP 3, multi-file. Compares by SHA-256 what others made of it.
import { createCipheriv, createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import bencode from 'bencode';
import { infoHashFromBytes, type InfoHash } from '../../../shared-protocol/ids.js';

export const KIB = 1024;
export const MIB = 1024 * KIB;

const ZEROES = Buffer.alloc(MIB);

export interface PayloadOptions {
  /** The directory that will hold the torrent's folder. */
  readonly directory: string;
  readonly name: string;
  readonly seed: number;
  readonly pieceLength: number;
  /** Bytes by path below the torrent's folder, in order. */
  readonly files: readonly (readonly [path: string, length: number])[];
}

export interface Payload {
  /** Where its folder is. */
  readonly directory: string;
  readonly name: string;
  readonly infoHash: InfoHash;
  readonly infoBytes: Uint8Array;
  readonly totalBytes: number;
  readonly pieceLength: number;
  /** SHA-256 in hex by path below the torrent's folder. */
  readonly digests: Readonly<Record<string, string>>;
  torrent(trackers?: readonly string[]): Uint8Array;
  magnet(extra?: { readonly peers?: readonly string[]; readonly trackers?: readonly string[] }): string;
}

/** Three files of odd sizes that share pieces; the sizes sum up to `totalBytes`. */
export async function writePayload(
  directory: string,
  totalBytes: number,
  pieceLength: number,
  seed = 1,
): Promise<Payload> {
  const first = Math.floor(totalBytes * 0.61) + 13;
  const second = Math.floor(totalBytes * 0.02) + 7;
  return writeFiles({
    directory,
    name: `payload-${seed}`,
    seed,
    pieceLength,
    files: [
      ['film.bin', first],
      ['extras/notes.bin', second],
      ['extras/sound.bin', totalBytes - first - second],
    ],
  });
}

export async function writeFiles(options: PayloadOptions): Promise<Payload> {
  const { directory, name, pieceLength, files } = options;
  const cipher = createCipheriv(
    'aes-128-ctr',
    createHash('md5').update(String(options.seed)).digest(),
    ZEROES.subarray(0, 16),
  );
  const pieces = new PieceHashes(pieceLength);
  const digests: Record<string, string> = {};
  for (const [path, length] of files) {
    const target = join(directory, name, path);
    await mkdir(dirname(target), { recursive: true });
    const file = await open(target, 'wx');
    const digest = createHash('sha256');
    for (let left = length; left > 0; left -= Math.min(left, MIB)) {
      const bytes = cipher.update(ZEROES.subarray(0, Math.min(left, MIB)));
      digest.update(bytes);
      pieces.update(bytes);
      await file.write(bytes);
    }
    await file.close();
    digests[path] = digest.digest('hex');
  }
  const info = {
    files: files.map(([path, length]) => ({ length, path: path.split('/') })),
    name,
    'piece length': pieceLength,
    pieces: pieces.finish(),
  };
  const infoBytes = bencode.encode(info);
  const infoHash = infoHashFromBytes(createHash('sha1').update(infoBytes).digest());
  return {
    directory,
    name,
    infoHash,
    infoBytes,
    totalBytes: files.reduce((sum, [, length]) => sum + length, 0),
    pieceLength,
    digests,
    torrent(trackers = []) {
      const tiers = trackers.map((url) => [url]);
      return bencode.encode({ ...(trackers[0] ? { announce: trackers[0], 'announce-list': tiers } : {}), info });
    },
    magnet({ peers = [], trackers = [] } = {}) {
      const parts = [`xt=urn:btih:${infoHash}`, `dn=${name}`];
      for (const url of trackers) parts.push(`tr=${encodeURIComponent(url)}`);
      for (const peer of peers) parts.push(`x.pe=${peer}`);
      return `magnet:?${parts.join('&')}`;
    },
  };
}

/** SHA-256 in hex of every file below the torrent's folder in another directory: to be compared with `digests`. */
export async function digestsOf(payload: Payload, directory: string): Promise<Record<string, string>> {
  const folder = join(directory, payload.name);
  const digests: Record<string, string> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const digest = createHash('sha256');
    await pipeline(createReadStream(path, { highWaterMark: MIB }), digest);
    digests[path.slice(folder.length + 1)] = digest.digest('hex');
  }
  return digests;
}

/** SHA-1 of each piece of a stream of bytes. */
class PieceHashes {
  readonly #hashes: Buffer[] = [];
  #hash = createHash('sha1');
  #room: number;

  constructor(private readonly pieceLength: number) {
    this.#room = pieceLength;
  }

  update(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) {
      const end = Math.min(bytes.length, at + this.#room);
      this.#hash.update(bytes.subarray(at, end));
      this.#room -= end - at;
      at = end;
      if (this.#room === 0) this.#next();
    }
  }

  finish(): Uint8Array {
    if (this.#room < this.pieceLength) this.#next();
    return Buffer.concat(this.#hashes);
  }

  #next(): void {
    this.#hashes.push(this.#hash.digest());
    this.#hash = createHash('sha1');
    this.#room = this.pieceLength;
  }
}
