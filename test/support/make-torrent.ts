// Builds torrents for tests (BEP 3, 12, 27, 47) together with the payload they describe. Uses the npm encoder and
// node:crypto, not our own metainfo code, so that a fault there cannot hide behind itself.
import { createHash } from 'node:crypto';
import bencode, { type BencodeInput } from 'bencode';
import { infoHashFromBytes, type InfoHash } from '../../shared-protocol/ids.js';

export interface MakeTorrentFile {
  /** Elements below the torrent's own folder. */
  readonly path: readonly string[];
  readonly bytes: Uint8Array;
}

export interface MakeTorrentOptions {
  readonly name: string;
  /** Bytes; any positive number, so that tests may use tiny pieces. */
  readonly pieceLength: number;
  /** The bytes of a single-file torrent, or the files of a multi-file one. */
  readonly files: Uint8Array | readonly MakeTorrentFile[];
  readonly private?: boolean;
  /** Tiers of BEP 12; a plain list makes one tier for each tracker. */
  readonly trackers?: readonly (string | readonly string[])[];
  /** BEP 47: pads every file but the last to a piece boundary. */
  readonly padFiles?: boolean;
  /** BEP 19. */
  readonly webSeeds?: readonly string[];
}

export interface MadeTorrent {
  readonly torrentBytes: Uint8Array;
  /** The bencoded info dictionary, as `ut_metadata` hands it out. */
  readonly infoBytes: Uint8Array;
  readonly infoHash: InfoHash;
  /** All files behind one another, the zeroes of pad files included: what the pieces cover. */
  readonly payload: Uint8Array;
}

interface Entry {
  readonly path: readonly string[];
  readonly bytes: Uint8Array;
  readonly isPad: boolean;
}

export function makeTorrent(options: MakeTorrentOptions): MadeTorrent {
  const { files, pieceLength } = options;
  const entries = files instanceof Uint8Array ? null : withPads(files, options.padFiles ? pieceLength : null);
  const payload = files instanceof Uint8Array ? files : Buffer.concat((entries ?? []).map((entry) => entry.bytes));
  const info: Record<string, BencodeInput> = {
    name: options.name,
    'piece length': pieceLength,
    pieces: hashPieces(payload, pieceLength),
    ...(entries ? { files: entries.map(encodeEntry) } : { length: payload.length }),
    ...(options.private ? { private: 1 } : {}),
  };
  const infoBytes = bencode.encode(info);
  const tiers = (options.trackers ?? []).map((tier) => (typeof tier === 'string' ? [tier] : tier));
  const first = tiers[0]?.[0];
  const torrentBytes = bencode.encode({
    ...(first === undefined ? {} : { announce: first, 'announce-list': tiers }),
    ...(options.webSeeds ? { 'url-list': options.webSeeds } : {}),
    info,
  });
  const infoHash = infoHashFromBytes(createHash('sha1').update(infoBytes).digest());
  return { torrentBytes, infoBytes, infoHash, payload };
}

/** The same bytes for the same seed, any length; they do not repeat, so that no two pieces are alike. */
export function seededBytes(seed: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = (Math.imul(seed, 0x9e3779b1) ^ 0x6d2b79f5) >>> 0;
  for (let i = 0; i < length; i += 4) {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    word ^= word >>> 14;
    for (let j = 0; j < 4 && i + j < length; j++) bytes[i + j] = word >>> (8 * j);
  }
  return bytes;
}

function withPads(files: readonly MakeTorrentFile[], pieceLength: number | null): Entry[] {
  return files.flatMap(({ path, bytes }, index) => {
    const file: Entry = { path, bytes, isPad: false };
    const over = pieceLength === null ? 0 : bytes.length % pieceLength;
    if (pieceLength === null || over === 0 || index === files.length - 1) return [file];
    const pad = new Uint8Array(pieceLength - over);
    return [file, { path: ['.pad', String(pad.length)], bytes: pad, isPad: true }];
  });
}

function encodeEntry(entry: Entry): BencodeInput {
  return { length: entry.bytes.length, path: entry.path, ...(entry.isPad ? { attr: 'p' } : {}) };
}

function hashPieces(payload: Uint8Array, pieceLength: number): Uint8Array {
  const hashes: Uint8Array[] = [];
  for (let start = 0; start < payload.length; start += pieceLength) {
    const piece = payload.subarray(start, start + pieceLength);
    hashes.push(createHash('sha1').update(piece).digest());
  }
  return Buffer.concat(hashes);
}
