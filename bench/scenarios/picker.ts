// The picker in a large torrent: 100,000 pieces of 256 KiB, 500 peers of whom a tenth have everything and the others a
// random half. Peers ask in turn, get blocks to request, deliver them; pieces complete; peers announce new pieces.
import { createPicker, type PiecePicker } from '../../engine/picker/index.js';
import { BLOCK_SIZE_BYTES } from '../../engine/environment.js';
import { SeededRandom } from '../support/seeded-random.js';
import type { Scenario } from './scenario.js';
import { perSecond } from './micro.js';

const PIECES = 100_000;
const PIECE_BYTES = 256 * 1024;
const PEERS = 500;
const SEED_EVERY = 10;
/** Blocks that a peer is asked for at a time: one piece. */
const BLOCKS_PER_PICK = 16;
const SEED = 7;

export const picker: Scenario = {
  kind: 'micro',
  what: `choosing blocks: ${PIECES} pieces, ${PEERS} peers`,
  async measure() {
    const random = new SeededRandom(SEED);
    const bitfields = Array.from({ length: PEERS }, () => random.bytes(PIECES / 8));
    const block = new Uint8Array(BLOCK_SIZE_BYTES);

    const joinStartMs = performance.now();
    let board = openBoard(random, bitfields);
    const joinMs = performance.now() - joinStartMs;

    let peer = 0;
    const pickAndReceive = () => {
      peer = (peer + 1) % PEERS;
      const blocks = board.pick(peer, BLOCKS_PER_PICK);
      for (const { piece, begin, length } of blocks) {
        const outcome = board.onBlockReceived(peer, piece, begin, block.subarray(0, length));
        if (outcome.kind === 'accepted' && outcome.pieceComplete) board.onPieceVerified(piece);
      }
      if (board.missingCount === 0) board = openBoard(random, bitfields);
      return blocks.length;
    };
    const blocksPerSecond = await perSecond(pickAndReceive);
    const announce = () => {
      for (let i = 0; i < 100; i++) board.onPeerHave(random.below(PEERS), random.below(PIECES));
      return 100;
    };
    return [
      { name: `${PEERS} peers join with their bitfields`, value: joinMs, unit: 'ms' },
      { name: 'blocks picked and received', value: blocksPerSecond, unit: 'blocks/s' },
      { name: 'the same as payload', value: (blocksPerSecond * BLOCK_SIZE_BYTES) / 1e6, unit: 'MB/s' },
      { name: 'have messages', value: await perSecond(announce), unit: 'haves/s' },
    ];
  },
};

function openBoard(random: SeededRandom, bitfields: readonly Uint8Array[]): PiecePicker {
  const board = createPicker({
    pieceCount: PIECES,
    pieceLength: PIECE_BYTES,
    totalBytes: PIECES * PIECE_BYTES,
    random,
    openPiece: () => true,
  });
  bitfields.forEach((bits, peer) => {
    board.onPeerJoined(peer);
    if (peer % SEED_EVERY === 0) board.onPeerHaveAll(peer);
    else board.onPeerBitfield(peer, bits);
  });
  return board;
}
