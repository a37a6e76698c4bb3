// Who is asked for which blocks: each peer's requests are topped up to what it can answer in time, taken back from who is
// not to answer them any more, and given to others when a peer lets them wait. What arrives is not its business.
import type { TorrentInfo } from '../../metainfo/types.js';
import type { BlockRequest, PeerKey, PiecePicker } from '../../picker/types.js';
import { BLOCK_SIZE_BYTES, type Clock } from '../../environment.js';
import { blockLengthAt, pieceLengthAt } from '../pieces/geometry.js';
import type { Peer } from '../peer/peer.js';

/** libtorrent `piece_timeout`: a peer that sends nothing for this long while requests wait is snubbing us. */
const SNUB_AFTER_MS = 20_000;
/** Requests are topped up in lots, not one for each block. */
const REFILL_FRACTION = 4;
/** Between two times that requests are taken back for somebody who reads: peers count what is (BEP 6), and it costs a round trip. */
const HURRY_PAUSE_MS = 2_000;
/** Requests before an urgent one that are not worth taking back. */
const SHORT_QUEUE = 16;

export interface RequestsDeps {
  readonly info: TorrentInfo;
  readonly picker: PiecePicker;
  readonly clock: Clock;
  readonly peers: ReadonlyMap<PeerKey, Peer>;
  /** The picker has given these up: their room is free. */
  readonly closePieces: (pieces: readonly number[]) => void;
}

export class Requests {
  /** Peers that could take more requests but found no room for a new piece. */
  readonly #starved = new Set<Peer>();
  #running = true;
  #roomRefused = false;
  #hurriedMs = -Infinity;

  constructor(private readonly deps: RequestsDeps) {}

  /** There was no room for a piece that was about to be picked. */
  onRoomRefused(): void {
    this.#roomRefused = true;
  }

  /** There is room again. */
  onRoom(): void {
    const starved = [...this.#starved];
    this.#starved.clear();
    for (const peer of starved) this.fill(peer);
  }

  forget(peer: Peer): void {
    this.#starved.delete(peer);
    peer.allowance.settle(0);
  }

  /** Nothing is asked for any more. */
  stop(): void {
    this.#running = false;
  }

  /** Tops up the peer's requests to its target, if we may ask it at all. */
  fill(peer: Peer): void {
    if (!this.#running || !peer.handshakeDone || !peer.weAreInterested || peer.connection.closed) return;
    const allowed = peer.chokesUs ? peer.allowedFast : undefined;
    if (allowed?.size === 0) return;
    const target = peer.requestTarget;
    const outstanding = this.deps.picker.outstanding(peer.key);
    let missing = target - outstanding;
    if (missing <= 0 || (outstanding > 0 && missing < target / REFILL_FRACTION)) return;
    let lot: number;
    let requested: number;
    // All at once, or under a rate limit in lots.
    do {
      lot = peer.allowance.blocks(missing);
      requested = lot > 0 ? this.#request(peer, lot, allowed) : 0;
      missing -= requested;
    } while (missing > 0 && requested > 0 && requested === lot);
  }

  /** Fills the queues of all peers, those on parole last: a better one is to fetch a failed piece. */
  fillAll(): void {
    const { peers, picker } = this.deps;
    const onParole = ({ key }: Peer): number => Number(picker.isOnParole(key));
    for (const peer of [...peers.values()].sort((a, b) => onParole(a) - onParole(b))) this.fill(peer);
  }

  /** After blocks became free again: the fastest with room takes them, not another that may sit on them. */
  fillOthers(except: Peer): void {
    const others = [...this.deps.peers.values()].filter((peer) => peer !== except && peer.weAreInterested);
    others.sort((a, b) => Number(a.snubbed) - Number(b.snubbed) || b.down.rate - a.down.rate);
    for (const peer of others) this.fill(peer);
  }

  /** Under a rate limit, after something was read: what was asked for without one must not come in at once. */
  holdBack(peer: Peer): void {
    if (peer.readingPaused || peer.connection.closed) return;
    if (peer.allowance.mustWait(this.#awaited(peer), this.deps.clock.nowMs())) peer.pauseReading();
  }

  /** A block of so many bytes begins to arrive; `expected`: it was asked for. */
  onArrival(peer: Peer, length: number, expected: boolean): void {
    const { allowance, connection, rates } = peer;
    if (!expected) return rates.down.charge(length);
    const nowMs = this.deps.clock.nowMs();
    // Only with the fast extension we are told what became of a request that is taken back (BEP 6).
    const canTakeBack = rates.down.isLimited && connection.fast;
    const isOverdue = canTakeBack && allowance.beginGrace(this.#awaited(peer), nowMs);
    if (isOverdue) this.takeBack(peer, this.deps.picker.openPieces());
    allowance.onArrival(length, nowMs);
  }

  /** Notes that the peer sent a block, so that it does not snub us. */
  onSent(peer: Peer): void {
    if (peer.snubbed) this.#setSnubbed(peer, false);
  }

  /**
   * With the fast extension the requests stay outstanding until they are rejected, or answered after all; without it
   * the peer does not say what became of them, and a block that was on its way is no fault of its.
   */
  takeBack(peer: Peer, pieces: readonly number[]): void {
    const { info, picker } = this.deps;
    const blocks = awaitedBlocks(picker, info, peer, pieces);
    if (blocks.length === 0) return;
    peer.connection.sendCancels(blocks);
    if (peer.connection.fast) return;
    for (const { piece, begin, length } of blocks) {
      picker.onRequestLost(peer.key, piece, begin);
      peer.unrequestedBytes -= length;
    }
  }

  /**
   * Pieces that somebody waits for and nobody was asked for come first: what peers have not begun to send of others is
   * taken back. Not of web seeds, which are asked for long runs.
   */
  hurry(pieces: readonly number[]): void {
    const { peers, picker, clock } = this.deps;
    const nowMs = clock.nowMs();
    const urgent = new Set(pieces);
    if (nowMs - this.#hurriedMs >= HURRY_PAUSE_MS) {
      this.#hurriedMs = nowMs;
      const others = picker.openPieces().filter((piece) => !urgent.has(piece));
      for (const peer of peers.values()) {
        if (peer.webSeedUrl !== null || picker.outstanding(peer.key) <= SHORT_QUEUE) continue;
        if (pieces.some((piece) => picker.peerHas(peer.key, piece))) this.takeBack(peer, others);
      }
    }
    const fastest = [...peers.values()].sort((a, b) => b.down.rate - a.down.rate);
    for (const peer of fastest) this.fill(peer);
  }

  /** Once a second: peers that let requests wait too long lose them to others. */
  tick(nowMs: number): void {
    const { peers, picker } = this.deps;
    for (const peer of peers.values()) {
      if (picker.outstanding(peer.key) === 0 || peer.readingPaused) continue;
      if (nowMs - peer.lastBlockAtMs < SNUB_AFTER_MS) continue;
      this.#setSnubbed(peer, true);
      picker.onPeerChoked(peer.key);
      peer.lastBlockAtMs = nowMs;
      this.fillOthers(peer);
      this.fill(peer);
    }
    for (const peer of peers.values()) {
      peer.allowance.settle(this.#awaited(peer));
      this.fill(peer);
    }
  }

  /** How many blocks were requested, up to `count`. */
  #request(peer: Peer, count: number, allowed: ReadonlySet<number> | undefined): number {
    const { picker, clock, closePieces } = this.deps;
    const wasIdle = picker.outstanding(peer.key) === 0;
    this.#roomRefused = false;
    const blocks = picker.pick(peer.key, count, allowed);
    if (this.#roomRefused) {
      this.#starved.add(peer);
      // Pieces that no connected peer can finish must not hold the room that others need.
      closePieces(picker.closeStrandedPieces());
    }
    if (blocks.length === 0) return 0;
    if (wasIdle) peer.lastBlockAtMs = clock.nowMs();
    peer.allowance.onAsked(blocks.length);
    peer.connection.sendRequests(blocks);
    return blocks.length;
  }

  #setSnubbed(peer: Peer, snubbed: boolean): void {
    peer.snubbed = snubbed;
    this.deps.picker.setSnubbed(peer.key, snubbed);
  }

  /** Requests whose blocks have not begun to arrive. */
  #awaited(peer: Peer): number {
    return this.deps.picker.outstanding(peer.key) - (peer.incoming ? 1 : 0);
  }
}

/** The blocks of these pieces that a peer was asked for and has not begun to send, in their order. */
function awaitedBlocks(
  picker: PiecePicker,
  info: TorrentInfo,
  { key, incoming }: Peer,
  pieces: readonly number[],
): BlockRequest[] {
  const blocks: BlockRequest[] = [];
  for (const piece of pieces) {
    const end = pieceLengthAt(info, piece);
    for (let begin = 0; begin < end; begin += BLOCK_SIZE_BYTES) {
      const isComing = incoming?.piece === piece && incoming.begin === begin;
      if (isComing || !picker.isRequested(key, piece, begin)) continue;
      blocks.push({ piece, begin, length: blockLengthAt(info, piece, begin) });
    }
  }
  return blocks;
}
