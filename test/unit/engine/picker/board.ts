// Picker boards in strings, one character a piece: `availability: '1231'`, `have: ' *  '`, `priorities: 'nhm-'`.
import { BLOCK_SIZE_BYTES } from '../../../../engine/environment.js';
import { createPicker, type BlockRequest, type PeerKey, type PiecePriority } from '../../../../engine/picker/index.js';
import { SeededRandom } from '../../../support/seeded-random.js';

/** Has every piece of a board; takes part in none of its availability. */
export const SEED: PeerKey = 1_000;

const PRIORITIES: Readonly<Record<string, PiecePriority>> = {
  e: 'edge',
  m: 'max',
  h: 'high',
  n: 'normal',
  '-': 'skip',
};

export interface BoardParams {
  /** Peers that have each piece, beside {@link SEED}. */
  readonly availability: string;
  readonly have?: string;
  readonly priorities?: string;
  readonly blocksPerPiece?: number;
  readonly seed?: number;
  /** Pieces that fit into the slab. */
  readonly room?: number;
}

export function bitfield(board: string, isSet: (at: string) => boolean = (at) => at === '*'): Uint8Array {
  const bits = new Uint8Array(Math.ceil(board.length / 8));
  [...board].forEach((at, piece) => {
    if (isSet(at)) bits[piece >> 3]! |= 0x80 >> (piece & 7);
  });
  return bits;
}

export function prioritiesOf(board: string): PiecePriority[] {
  return [...board].map((at) => PRIORITIES[at]!);
}

export function setUp({ availability, have, priorities, blocksPerPiece = 1, seed = 1, room = Infinity }: BoardParams) {
  const pieceLength = blocksPerPiece * BLOCK_SIZE_BYTES;
  const opened: number[] = [];
  const world = {
    pieceCount: availability.length,
    pieceLength,
    totalBytes: availability.length * pieceLength,
    random: new SeededRandom(seed),
    room,
    openPiece(piece: number): boolean {
      if (world.room === 0) return false;
      world.room--;
      opened.push(piece);
      return true;
    },
  };
  const picker = createPicker(world);
  if (priorities) picker.setPriorities(prioritiesOf(priorities));
  if (have) picker.setHave(bitfield(have));
  const most = Math.max(...[...availability].map(Number));
  for (let peer = 1; peer <= most; peer++) {
    picker.onPeerJoined(peer);
    picker.onPeerBitfield(
      peer,
      bitfield(availability, (at) => Number(at) >= peer),
    );
  }
  picker.onPeerJoined(SEED);
  picker.onPeerHaveAll(SEED);
  return { picker, world, opened };
}

export function join(picker: ReturnType<typeof createPicker>, peer: PeerKey, has: string): void {
  picker.onPeerJoined(peer);
  picker.onPeerBitfield(peer, bitfield(has));
}

/** Requests as text: `piece.block`. */
export function names(requests: readonly BlockRequest[]): string[] {
  return requests.map(({ piece, begin }) => `${piece}.${begin / BLOCK_SIZE_BYTES}`);
}

export function pieces(requests: readonly BlockRequest[]): number[] {
  return [...new Set(requests.map((request) => request.piece))];
}

export function blockBytes(length = BLOCK_SIZE_BYTES): Uint8Array {
  return new Uint8Array(length);
}
