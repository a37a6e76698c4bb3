// A connected peer of a torrent: what is known of it and how much may be asked of it. It hears its connection and
// tells the swarm what concerns the torrent; it decides nothing about pieces or slots.
import { SECOND_MS, BLOCK_SIZE_BYTES } from '../../environment.js';
import type { ChokeCandidate } from '../../choker/types.js';
import type { PeerKey } from '../../picker/types.js';
import {
  DEFAULT_PEER_REQUEST_QUEUE,
  MAX_OUTSTANDING_REQUESTS,
  MIN_OUTSTANDING_REQUESTS,
  REQUEST_QUEUE_TIME_MS,
} from '../../wire/constants.js';
import type { OutgoingBlock } from '../../wire/frame-buffers.js';
import type { MetadataExchange } from '../../wire/metadata-extension.js';
import type { PeerAddress } from '../../environment.js';
import type { RateClient } from '../../net/rate-limiter.js';
import type { SourceMask } from '../../peers/peer-list/sources.js';
import type { PeerConnection } from '../../wire/peer-connection.js';
import type { UploadQueue } from '../../wire/upload-queue.js';
import { Bitfield } from '../pieces/bitfield.js';
import type { AllowedFastSet } from './allowed-fast-set.js';
import { RateMeter } from './rate-meter.js';
import { RequestAllowance } from './request-allowance.js';
import { RequestAbuse } from './request-abuse.js';

/** Requests a new peer gets at once; then one more for each block, until its rate has been measured. */
const FIRST_REQUESTS = 32;
/** A second that brings less than this factor more ends the slow start. */
const SLOW_START_GROWTH = 1.1;

/** Pieces that the peer announced before the torrent's metadata was known. */
export interface EarlyPieces {
  all: boolean;
  bits: Uint8Array | null;
  readonly haves: number[];
}

/** This peer's part of the rate limits. */
export interface PeerRates {
  readonly down: RateClient;
  readonly up: RateClient;
}

/** Where a connection comes from, beyond who opened it. */
export interface PeerOrigin {
  /** Sources that named its address; 0 for one that came by itself. */
  readonly sources: SourceMask;
  /** A web seed behind a socket of its own (BEP 19); null for peers. */
  readonly webSeedUrl: string | null;
}

/** A block on its way in: its bytes, and whether they are in their place in the slab already. */
export interface IncomingBlock {
  readonly piece: number;
  readonly begin: number;
  readonly bytes: Uint8Array;
  readonly inPlace: boolean;
}

/** Haves kept from one peer while metadata is unknown; the rest it will have to repeat in a bitfield. */
export const MAX_EARLY_HAVES = 4_096;

const NO_PIECES: ReadonlySet<number> = new Set();

export class Peer {
  readonly down = new RateMeter();
  readonly up = new RateMeter();
  readonly allowance: RequestAllowance;
  peerId = '';
  client = 'unknown';
  /** The remote chokes us, and wants our pieces. */
  chokesUs = true;
  interested = false;
  /** We choke the remote, and want its pieces. */
  choked = true;
  weAreInterested = false;
  snubbed = false;
  /** The peer's pieces, once the torrent's piece count is known. */
  have: Bitfield | null = null;
  early: EarlyPieces | null = null;
  /** Pieces it lets us request while choked (BEP 6). */
  allowedFast: ReadonlySet<number> = NO_PIECES;
  requestLimit = DEFAULT_PEER_REQUEST_QUEUE;
  upload: UploadQueue | null = null;
  metadata: MetadataExchange | null = null;
  /** Pieces of ours that it was told of, and may fetch, where it is not told of all (BEP 16); null: of all. */
  shown: Bitfield | null = null;
  /** Pieces that the peer may have while choked (BEP 6); null until that is decided. */
  fastOffers: AllowedFastSet | null = null;
  /** Whether the peer has all it wants (BEP 21). */
  uploadOnly = false;
  /** Where it takes connections, once that is known. */
  listenAddress: PeerAddress | null = null;
  /** Whether the connection is on its way. */
  isHalfOpen = false;
  /** Whether the peer's entry in the peer list counts as connected by this connection. */
  holdsKnown = false;
  /** When payload last went one way or the other; null: never. */
  lastPayloadMs: number | null = null;
  handshakeDone = false;
  unchokedAtMs: number | null = null;
  optimisticAtMs: number | null = null;
  /** When a block last came, or when requests began to wait. */
  lastBlockAtMs = 0;
  readonly conduct = new RequestAbuse();
  /** Requests of the read under way that are refused: told together. */
  readonly rejects: OutgoingBlock[] = [];
  unrequestedBytes = 0;
  /** The block that is arriving. */
  incoming: IncomingBlock | null = null;

  #readingPaused = false;
  #slowStart = true;
  #slowStartRequests = FIRST_REQUESTS;
  #lastRate = 0;

  constructor(
    readonly key: PeerKey,
    readonly connection: PeerConnection,
    /** When it was accepted or dialled; then when its socket was there. */
    public connectedAtMs: number,
    readonly rates: PeerRates,
    readonly origin: PeerOrigin,
  ) {
    this.allowance = new RequestAllowance(rates.down, { paysAhead: origin.webSeedUrl === null });
  }

  get webSeedUrl(): string | null {
    return this.origin.webSeedUrl;
  }

  /** Whether the socket is not read because of a rate limit. */
  get readingPaused(): boolean {
    return this.#readingPaused;
  }

  pauseReading(): void {
    this.#readingPaused = true;
    this.connection.socket.pauseReading();
  }

  resumeReading(): void {
    if (!this.#readingPaused) return;
    this.#readingPaused = false;
    this.connection.socket.resumeReading();
  }

  get isSeed(): boolean {
    return this.have?.isFull ?? false;
  }

  /** How many requests should be outstanding: enough for the round trip, bounded by what the peer queues. */
  get requestTarget(): number {
    if (this.snubbed) return 1;
    const byRate = Math.ceil((this.down.rate * REQUEST_QUEUE_TIME_MS) / SECOND_MS / BLOCK_SIZE_BYTES);
    const wanted = this.#slowStart ? Math.max(byRate, this.#slowStartRequests) : byRate;
    const cap = Math.max(1, Math.min(this.requestLimit, MAX_OUTSTANDING_REQUESTS));
    return Math.min(cap, Math.max(MIN_OUTSTANDING_REQUESTS, wanted));
  }

  asChokeCandidate(seeding: boolean): ChokeCandidate {
    const { key: id, choked, snubbed, unchokedAtMs, connectedAtMs, optimisticAtMs } = this;
    // Whatever it says: who does not read what was asked for leaves its slot to others, and may have one again when it does.
    const interested = this.interested && !this.upload?.wastesSlot;
    const rates = { downloadRate: this.down.rate, uploadRate: this.up.rate };
    return { id, interested, choked, snubbed, unchokedAtMs, connectedAtMs, optimisticAtMs, seeding, ...rates };
  }

  onBlock(bytes: number, nowMs: number): void {
    this.down.add(bytes);
    this.lastBlockAtMs = nowMs;
    if (this.#slowStart) this.#slowStartRequests++;
  }

  tick(nowMs: number, elapsedMs: number): void {
    this.down.tick(elapsedMs);
    this.up.tick(elapsedMs);
    if (this.down.rate > 0 || this.up.rate > 0) this.lastPayloadMs = nowMs;
    this.upload?.tick(this.up.rate, elapsedMs);
    this.connection.tick(elapsedMs);
    if (this.#slowStart && this.#lastRate > 0 && this.down.rate < this.#lastRate * SLOW_START_GROWTH) {
      this.#slowStart = false;
    }
    this.#lastRate = this.down.rate;
  }

  /** The torrent's piece count is known: what the peer said becomes pieces. False when it cannot be true. */
  learnPieceCount(pieceCount: number): boolean {
    const early = this.early;
    this.early = null;
    this.have = new Bitfield(pieceCount);
    if (!early) return true;
    if (early.all) this.have.fill();
    else if (early.bits) {
      if (early.bits.length !== this.have.bytes.length) return false;
      this.have = new Bitfield(pieceCount, early.bits);
    }
    for (const piece of early.haves) {
      if (piece >= pieceCount) return false;
      this.have.set(piece);
    }
    return true;
  }

  /** BEP 6. */
  allowFast(piece: number): void {
    this.allowedFast = new Set(this.allowedFast).add(piece);
  }

  /** For {@link BlockWriter}: its block has been received from another peer. */
  abandonBlock(): void {
    this.connection.abandonBlock();
    this.incoming = null;
  }
}
