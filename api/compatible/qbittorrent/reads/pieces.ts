// torrents/pieceStates and torrents/pieceHashes: a number, or a hash, for each piece of a torrent.
import { setImmediate as othersRan } from 'node:timers/promises';
import { Reply } from '../../../routes/reply.js';
import type { Answer } from '../row.js';
import type { OneTorrent } from './one-torrent.js';

const SHA1_BYTES = 20;
/** Measured: a millisecond. */
const HASHES_AT_A_TIME = 10_000;
const [MISSING, THERE] = ['0', '2'];

/** 2: it is there; 0: it is not. Which are on their way is not told. */
export async function pieceStates({ services, share }: OneTorrent): Promise<Answer> {
  const { pieceCount, have } = await services.library.pieces(share);
  const states: string[] = new Array<string>(pieceCount);
  for (let piece = 0; piece < pieceCount; piece++) {
    states[piece] = ((have[piece >> 3] ?? 0) & (0x80 >> (piece & 7))) === 0 ? MISSING : THERE;
  }
  return listOf(states.join(','));
}

/** In hexadecimal digits. With them a torrent file can be made, so they are for those who may have that. */
export async function pieceHashes({ services, share }: OneTorrent): Promise<Answer> {
  const { pieceHashes = new Uint8Array() } = await services.library.inspect(share, { parts: ['pieceHashes'] });
  const { buffer, byteOffset, byteLength } = pieceHashes;
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  const parts: string[] = [];
  for (let from = 0; from < bytes.length; from += HASHES_AT_A_TIME * SHA1_BYTES) {
    const digits = bytes.subarray(from, from + HASHES_AT_A_TIME * SHA1_BYTES).toString('hex');
    parts.push((digits.match(/.{40}/g) ?? []).map((hash) => `"${hash}"`).join(','));
    await othersRan();
  }
  return listOf(parts.join(','));
}

function listOf(items: string): Answer {
  return new Reply(Buffer.from(`[${items}]`), { 'Content-Type': 'application/json' });
}
