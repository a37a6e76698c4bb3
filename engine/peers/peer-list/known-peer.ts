// One known peer: what is remembered of an address, which peers it is tried before, and how long its last end keeps it
// waiting (docs/limits.md 2.18; values of libtorrent unless said otherwise).
import { MINUTE_MS, SECOND_MS, type PeerAddress } from '../../environment.js';
import type { HeapItem } from '../../util/binary-heap.js';
import { maskOf, rankOf, type PeerSource, type SourceMask } from './sources.js';

/** libtorrent `max_failcount`: after that many failures in a row an address goes first when room is needed. */
export const MAX_FAILURES = 3;
/** libtorrent `min_reconnect_time`; the n-th failure waits n times as long. */
const RECONNECT_MS = MINUTE_MS;
/** An address that a person gave is expected to work, perhaps once its program has started. */
const RECONNECT_MANUAL_MS = 5 * SECOND_MS;
/** Transmission tries a peer again after 5 s when it was useful; so do we after an orderly end. */
const RECONNECT_GOOD_MS = 5 * SECOND_MS;
/** Peers that broke the protocol; also the most that failures may add up to. */
const RECONNECT_MAX_MS = 60 * MINUTE_MS;

/**
 * How a connection ended. `lost`: it had been useful; `unwanted`: it was not; `mse-refused`: the remote closed when we
 * opened with an encrypted handshake, and is tried in plain at once.
 */
export type DisconnectKind = 'never-connected' | 'lost' | 'violation' | 'unwanted' | 'mse-refused';

/** Whether it takes encrypted connections (MSE). */
export type MseSupport = 'unknown' | 'works' | 'refused';

/** Flags that PEX tells of a peer (BEP 11 flags 0x02, 0x01, 0x10). */
export interface PeerFlags {
  readonly isSeed: boolean;
  readonly prefersEncryption: boolean;
  readonly isReachable: boolean;
}

export interface PeerFacts extends PeerFlags {
  readonly mse: MseSupport;
}

export interface KnownPeer extends PeerFacts {
  readonly address: PeerAddress;
  readonly sources: SourceMask;
  /** Taken to be connected to, or connected. */
  readonly connected: boolean;
  /** In a row. */
  readonly failures: number;
  /** Monotonic time before which it is left alone. */
  readonly notBeforeMs: number;
  /** Monotonic time of its last handshake; null: none yet. */
  readonly lastConnectedMs: number | null;
}

const PERSONAL = maskOf('manual', 'magnet');

/** The flags as bits: a torrent may know thousands of addresses. */
const FLAG_BITS = { isSeed: 1, prefersEncryption: 2, isReachable: 4 } as const;
const FLAG_NAMES = ['isSeed', 'prefersEncryption', 'isReachable'] as const;

/** Where a known peer stands in an order of all. */
export interface PlaceInLine extends HeapItem {
  readonly entry: KnownEntry;
}

export class KnownEntry implements KnownPeer {
  sources: SourceMask;
  connected = false;
  failures = 0;
  notBeforeMs = 0;
  lastConnectedMs: number | null = null;
  isSeed = false;
  prefersEncryption = false;
  isReachable = false;
  mse: MseSupport = 'unknown';
  /** Among those to be connected to, and among those to make room. */
  readonly attempt: PlaceInLine = { entry: this, heapIndex: -1 };
  readonly eviction: PlaceInLine = { entry: this, heapIndex: -1 };
  /** Flags that a connection has shown, which hearsay does not change. */
  #observed = 0;

  constructor(
    readonly key: string,
    readonly address: PeerAddress,
    source: PeerSource,
    /** Larger is preferred among equals (BEP 40). */
    public preference: number,
    /** The order in which addresses were learnt. */
    readonly serial: number,
  ) {
    this.sources = maskOf(source);
  }

  get rank(): number {
    return rankOf(this.sources);
  }

  hear(flags: PeerFlags): void {
    for (const name of FLAG_NAMES) {
      if (flags[name] && (this.#observed & FLAG_BITS[name]) === 0) this[name] = true;
    }
  }

  observe(facts: Partial<PeerFacts>): void {
    for (const name of FLAG_NAMES) {
      const value = facts[name];
      if (value === undefined) continue;
      this.#observed |= FLAG_BITS[name];
      this[name] = value;
    }
    if (facts.mse) this.mse = facts.mse;
  }

  /** Counts the end of a connection, and sets when the next may begin. */
  end(kind: DisconnectKind, nowMs: number): void {
    this.connected = false;
    if (kind === 'mse-refused' && this.mse !== 'refused') {
      this.mse = 'refused';
      this.notBeforeMs = nowMs;
      return;
    }
    // Plain did not do either: it may be one that takes nothing but encryption, so the next attempt begins with that.
    if (kind === 'never-connected' && this.mse === 'refused') this.mse = 'unknown';
    this.failures = kind === 'lost' ? 0 : this.failures + 1;
    this.notBeforeMs = nowMs + this.#delayMs(kind);
  }

  #delayMs(kind: DisconnectKind): number {
    if (kind === 'violation') return RECONNECT_MAX_MS;
    if (kind === 'lost') return RECONNECT_GOOD_MS;
    const isPersonal = (this.sources & PERSONAL) !== 0;
    const delayMs = isPersonal ? RECONNECT_MANUAL_MS * 2 ** (this.failures - 1) : RECONNECT_MS * this.failures;
    return Math.min(delayMs, RECONNECT_MAX_MS);
  }
}

/** Untried before failed, fewer failures first; then the better source, BEP 40, and who was learnt first. */
export function isTriedBefore(a: KnownEntry, b: KnownEntry): boolean {
  if (a.failures !== b.failures) return a.failures < b.failures;
  if (a.rank !== b.rank) return a.rank < b.rank;
  if (a.preference !== b.preference) return a.preference > b.preference;
  return a.serial < b.serial;
}
