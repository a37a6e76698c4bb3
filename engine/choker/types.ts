// Who may download from us. Pure: snapshots in, decisions out.

/** Peers that have no more slots than so many together; the same object for all of them. */
export interface SlotGroup {
  readonly slots: number;
}

/** A connected peer as the choker sees it. Times are monotonic milliseconds. */
export interface ChokeCandidate {
  /** Unique over all torrents. */
  readonly id: number;
  readonly interested: boolean;
  readonly choked: boolean;
  /** Payload bytes per second received from it and sent to it, over the last interval. */
  readonly downloadRate: number;
  readonly uploadRate: number;
  /** We have everything we want of its torrent: rank by what it takes, not by what it gives. */
  readonly seeding: boolean;
  readonly snubbed: boolean;
  /** When it was last unchoked; null: never. */
  readonly unchokedAtMs: number | null;
  readonly connectedAtMs: number;
  /** When its last optimistic turn began; null: never. */
  readonly optimisticAtMs: number | null;
  /** When it was last choked; null: never. Absent: taken to be when its last turn began. */
  readonly chokedAtMs?: number | null;
  /** Bytes per second that it took of a seed while it last had a slot; null or absent: not known yet. */
  readonly provenRate?: number | null;
  /** Absent: of no group. */
  readonly group?: SlotGroup;
}

export type ChokeReason = 'tit-for-tat' | 'fastest' | 'turn' | 'optimistic' | 'out-ranked' | 'not-interested' | 'kept';

/**
 * The state a peer should be in. Peers that are choked and stay so get none. `optimistic` begins a turn, also for a peer
 * that is unchoked already: note the time in `optimisticAtMs`. `kept`: unchoked and stays so.
 */
export interface ChokeDecision {
  readonly id: number;
  readonly choke: boolean;
  readonly reason: ChokeReason;
}

export interface ChokerOptions {
  /** Upload slots, optimistic ones included. */
  readonly slots: number;
  /** An unchoked peer keeps its slot at least this long. @default 10 s (Transmission) */
  readonly minUnchokedMs: number;
  /** @default 30 s (BEP 3) */
  readonly optimisticIntervalMs: number;
  /**
   * How long a taker keeps a seed's regular slot while others wait that are about as fast ({@link
   * ChokeCandidate.provenRate}). Absent: the fastest keep them.
   */
  readonly seedTurnMs?: number;
}

export interface UnchokeSlotsOptions {
  /** @default 8 */
  readonly minSlots: number;
  /** @default 64 */
  readonly maxSlots: number;
  /** The n-th slot has to carry n times this much. @default 1024 B/s (libtorrent's rate based choker) */
  readonly thresholdBytesPerSec: number;
}
