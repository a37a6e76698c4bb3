// Thousands of random operations against a plain model of who was asked for what, the invariant checked after each.
import t from 'tap';
import { BLOCK_SIZE_BYTES } from '../../../../engine/environment.js';
import { createPicker, type PeerKey, type PiecePriority } from '../../../../engine/picker/index.js';
import { SeededRandom } from '../../../support/seeded-random.js';

const PIECES = 40;
const BLOCKS = 3;
const LAST_BLOCK_BYTES = 1_000;
const PIECE_LENGTH = BLOCKS * BLOCK_SIZE_BYTES;
const TOTAL_BYTES = (PIECES - 1) * PIECE_LENGTH + BLOCK_SIZE_BYTES + LAST_BLOCK_BYTES;
const PRIORITIES: readonly PiecePriority[] = ['skip', 'normal', 'high', 'max', 'edge'];

const blocksOf = (piece: number): number => (piece === PIECES - 1 ? 2 : BLOCKS);
const lengthOf = (piece: number, block: number): number =>
  piece === PIECES - 1 && block === 1 ? LAST_BLOCK_BYTES : BLOCK_SIZE_BYTES;

class Model {
  readonly random: SeededRandom;
  readonly picker;
  readonly peers = new Map<PeerKey, { has: Set<number>; asked: Set<number> }>();
  /** Received blocks of each piece in progress; a block is piece × BLOCKS + index. */
  readonly open = new Map<number, Set<number>>();
  readonly have = new Set<number>();
  priorities: PiecePriority[] = new Array<PiecePriority>(PIECES).fill('normal');
  room = 6;
  endGamePicks = 0;
  #nextPeer = 1;

  constructor(seed: number) {
    this.random = new SeededRandom(seed);
    this.picker = createPicker({
      pieceCount: PIECES,
      pieceLength: PIECE_LENGTH,
      totalBytes: TOTAL_BYTES,
      random: this.random,
      openPiece: (piece, length) => {
        if (this.room === 0) return false;
        this.#expect(!this.open.has(piece) && !this.have.has(piece), `piece ${piece} opened again`);
        this.#expect(length === Math.min(PIECE_LENGTH, TOTAL_BYTES - piece * PIECE_LENGTH), `length ${length}`);
        this.room--;
        this.open.set(piece, new Set());
        return true;
      },
    });
  }

  step(): void {
    const { picker, random } = this;
    const key = [...this.peers.keys()][random.below(Math.max(1, this.peers.size))];
    const peer = key === undefined ? undefined : this.peers.get(key);
    const dice = random.below(100);
    if (dice < 4 || peer === undefined || key === undefined) this.#join();
    else if (dice < 6) {
      picker.onPeerGone(key);
      this.peers.delete(key);
    } else if (dice < 8) {
      picker.onPeerChoked(key);
      peer.asked.clear();
    } else if (dice < 12) {
      const piece = random.below(PIECES);
      picker.onPeerHave(key, piece);
      peer.has.add(piece);
    } else if (dice < 13) this.#changePriorities();
    else if (dice < 14) picker.setSequential(random.below(2) === 0);
    else if (dice < 16) picker.setSnubbed(key, random.below(2) === 0);
    else if (dice < 45) this.#pick(key);
    else if (dice < 52) this.#lose(key);
    else if (dice < 90) this.#receive(key);
    else if (dice < 98) this.#finish();
    else if (dice < 99) this.#close(random.below(3) === 0);
    else this.#recheck();
    this.#compare();
  }

  #join(): void {
    const key = this.#nextPeer++;
    const has = new Set<number>();
    this.peers.set(key, { has, asked: new Set() });
    this.picker.onPeerJoined(key);
    const kind = this.random.below(4);
    if (kind === 0) {
      this.picker.onPeerHaveAll(key);
      for (let piece = 0; piece < PIECES; piece++) has.add(piece);
    } else if (kind < 3) {
      const bits = this.random.bytes(PIECES / 8);
      this.picker.onPeerBitfield(key, bits);
      for (let piece = 0; piece < PIECES; piece++) if (bits[piece >> 3]! & (0x80 >> (piece & 7))) has.add(piece);
    }
  }

  #changePriorities(): void {
    // All wanted, some, or so few that they fit into the slab and end-game is reached.
    const oddsAgainst = [0, 1, 12][this.random.below(3)]!;
    this.priorities = this.priorities.map(() =>
      this.random.below(oddsAgainst + 1) > 0 ? 'skip' : PRIORITIES[1 + this.random.below(3)]!,
    );
    this.picker.setPriorities(this.priorities);
  }

  #pick(key: PeerKey): void {
    const peer = this.peers.get(key)!;
    const allowed =
      this.random.below(10) === 0 ? new Set(Array.from({ length: 5 }, () => this.random.below(PIECES))) : undefined;
    const count = this.random.below(6);
    const requests = this.picker.pick(key, count, allowed);
    this.#expect(requests.length <= count, `${requests.length} requests instead of ${count}`);
    for (const { piece, begin, length } of requests) {
      const block = piece * BLOCKS + begin / BLOCK_SIZE_BYTES;
      const name = `block ${block} for peer ${key}`;
      this.#expect(peer.has.has(piece), `${name}, which has it not`);
      this.#expect(this.priorities[piece] !== 'skip', `${name} is not wanted`);
      this.#expect(allowed?.has(piece) ?? true, `${name} is not allowed`);
      this.#expect(this.open.get(piece)?.has(block) === false, `${name} is not missing in an open piece`);
      this.#expect(length === lengthOf(piece, block % BLOCKS), `${name} is ${length} long`);
      this.#expect(!peer.asked.has(block), `${name} twice`);
      const copies = [...this.peers.values()].filter((other) => other.asked.has(block)).length;
      this.#expect(copies === 0 || this.#isEndGame(), `${name} is outstanding elsewhere, outside end-game`);
      this.#expect(copies < 3, `${name} is its fourth copy`);
      if (copies > 0) this.endGamePicks++;
      peer.asked.add(block);
    }
  }

  #lose(key: PeerKey): void {
    const { asked } = this.peers.get(key)!;
    const block = this.random.below(3) > 0 ? [...asked][0] : this.random.below(PIECES * BLOCKS);
    if (block === undefined) return;
    const lost = this.picker.onRequestLost(key, Math.floor(block / BLOCKS), (block % BLOCKS) * BLOCK_SIZE_BYTES);
    this.#expect(lost === asked.delete(block), `lost block ${block}: ${lost}`);
  }

  #receive(key: PeerKey): void {
    const { asked } = this.peers.get(key)!;
    const block = this.random.below(10) > 0 ? [...asked].at(-1) : this.random.below(PIECES * BLOCKS);
    if (block === undefined) return;
    const piece = Math.floor(block / BLOCKS);
    if (block % BLOCKS >= blocksOf(piece)) return;
    const bytes = new Uint8Array(lengthOf(piece, block % BLOCKS));
    const outcome = this.picker.onBlockReceived(key, piece, (block % BLOCKS) * BLOCK_SIZE_BYTES, bytes);
    this.#expect((outcome.kind === 'accepted') === asked.delete(block), `block ${block} is ${outcome.kind}`);
    if (outcome.kind !== 'accepted') return;
    const others = [...this.peers].filter(([, peer]) => peer.asked.delete(block)).map(([other]) => other);
    const named = [...outcome.cancel].sort((a, b) => a - b);
    this.#expect(others.join() === named.join(), `cancel to ${named.join()} instead of ${others.join()}`);
    const received = this.open.get(piece)!.add(block);
    this.#expect(outcome.pieceComplete === (received.size === blocksOf(piece)), `piece ${piece} complete`);
  }

  #finish(): void {
    for (const [piece, received] of this.open) {
      if (received.size < blocksOf(piece)) continue;
      if (this.random.below(4) === 0) this.#expect(this.picker.onPieceFailed(piece).length > 0, 'has sources');
      else {
        this.picker.onPieceVerified(piece);
        this.have.add(piece);
      }
      this.#forget(piece);
    }
  }

  #close(stranded: boolean): void {
    for (const piece of stranded ? this.picker.closeStrandedPieces() : this.picker.closeIdlePieces())
      this.#forget(piece);
  }

  #recheck(): void {
    if (this.random.below(2) === 0) {
      const piece = this.random.below(PIECES);
      this.picker.onPieceLost(piece);
      this.have.delete(piece);
      return;
    }
    const bits = this.random.bytes(PIECES / 8).map((byte) => byte & this.random.below(256));
    this.picker.setHave(bits);
    this.have.clear();
    for (let piece = 0; piece < PIECES; piece++)
      if (bits[piece >> 3]! & (0x80 >> (piece & 7)) && !this.open.has(piece)) this.have.add(piece);
  }

  #forget(piece: number): void {
    this.open.delete(piece);
    this.room++;
  }

  #missing(): number[] {
    return this.priorities.flatMap((priority, piece) => (priority !== 'skip' && !this.have.has(piece) ? [piece] : []));
  }

  #isEndGame(): boolean {
    const isAsked = (block: number): boolean => [...this.peers.values()].some(({ asked }) => asked.has(block));
    return this.#missing().every((piece) => {
      const received = this.open.get(piece);
      const blocks = Array.from({ length: blocksOf(piece) }, (_, index) => piece * BLOCKS + index);
      return received !== undefined && blocks.every((block) => received.has(block) || isAsked(block));
    });
  }

  #compare(): void {
    const { picker } = this;
    picker.checkInvariant();
    const missing = this.#missing();
    this.#expect(picker.haveCount === this.have.size, `have ${picker.haveCount}`);
    this.#expect(picker.missingCount === missing.length, `missing ${picker.missingCount}`);
    this.#expect(picker.inEndGame === (missing.length > 0 && this.#isEndGame()), `end-game: ${picker.inEndGame}`);
    for (const [key, { has, asked }] of this.peers) {
      this.#expect(picker.outstanding(key) === asked.size, `outstanding ${picker.outstanding(key)} of ${key}`);
      this.#expect(picker.peerPieceCount(key) === has.size, `pieces ${picker.peerPieceCount(key)} of ${key}`);
      const interesting = missing.some((piece) => has.has(piece));
      this.#expect(picker.isInteresting(key) === interesting, `peer ${key} interesting: ${!interesting}`);
    }
  }

  #expect(holds: boolean, otherwise: string): void {
    if (!holds) throw new Error(`model: ${otherwise}`);
  }
}

void t.test('random operations keep the invariant and ask twice only in end-game', async (t) => {
  let endGamePicks = 0;
  for (let seed = 1; seed <= 20; seed++) {
    const model = new Model(seed);
    let step = 0;
    try {
      for (; step < 1_500; step++) model.step();
    } catch (error) {
      t.fail(`seed ${seed}, step ${step}: ${error instanceof Error ? error.stack : String(error)}`);
      return;
    }
    endGamePicks += model.endGamePicks;
  }
  t.ok(endGamePicks > 20, `${endGamePicks} copies in end-game: it was reached`);
});
