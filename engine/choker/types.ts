// Who may download from us. Pure: snapshots in, decisions out.

/** A connected peer as the choker sees it. */
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
  /** Monotonic times; null: never. */
  readonly unchokedAtMs: number | null;
  readonly connectedAtMs: number;
  readonly optimisticAtMs: number | null;
}

export type ChokeReason = 'tit-for-tat' | 'fastest' | 'optimistic' | 'out-ranked' | 'not-interested' | 'kept';

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
}
