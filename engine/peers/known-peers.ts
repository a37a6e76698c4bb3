// The addresses a torrent knows, whether connected or not: where they came from, how often they failed, when they
// may be tried again. Pure: time is an argument. Limits and back-off follow libtorrent (safety.md 2.18).
import { MINUTE_MS, SECOND_MS, type PeerAddress } from '../ports.js';
import { formatAddress, isConnectable } from './address.js';

/** libtorrent `max_peerlist_size`. */
export const MAX_KNOWN_PEERS = 3_000;
/** libtorrent `max_failcount`: after that many failures in a row an address is forgotten when room is needed. */
export const MAX_FAILURES = 3;
/** libtorrent `min_reconnect_time`; the n-th failure waits n times as long. */
const RECONNECT_MS = MINUTE_MS;
/** An address that a person gave is expected to work, perhaps once its program has started. */
const RECONNECT_MANUAL_MS = 5 * SECOND_MS;
/** Transmission tries a peer again after 5 s when it was useful; so do we after an orderly end. */
const RECONNECT_GOOD_MS = 5 * SECOND_MS;
/** Peers that broke the protocol. */
const RECONNECT_BANNED_MS = 60 * MINUTE_MS;

export type PeerSource = 'manual' | 'tracker' | 'magnet' | 'incoming';

export interface KnownPeer {
  readonly address: PeerAddress;
  readonly source: PeerSource;
  connected: boolean;
  failures: number;
  /** Monotonic time before which it is left alone. */
  notBeforeMs: number;
}

export type DisconnectKind = 'never-connected' | 'lost' | 'violation' | 'unwanted';

export class KnownPeers {
  readonly #peers = new Map<string, KnownPeer>();
  /** Addresses to try, in order; entries may have become unfit since they were queued. */
  #queue: string[] = [];

  get size(): number {
    return this.#peers.size;
  }

  /** How many of the addresses were new. */
  add(addresses: readonly PeerAddress[], source: PeerSource): number {
    let added = 0;
    for (const address of addresses) {
      if (!isConnectable(address)) continue;
      const key = formatAddress(address);
      const known = this.#peers.get(key);
      if (known) {
        // Someone who types an address wants it tried now.
        if (source === 'manual' && !known.connected) {
          known.notBeforeMs = 0;
          known.failures = 0;
          this.#queue.unshift(key);
        }
        continue;
      }
      if (this.#peers.size >= MAX_KNOWN_PEERS && !this.#evict()) break;
      this.#peers.set(key, { address, source, connected: false, failures: 0, notBeforeMs: 0 });
      if (source === 'manual') this.#queue.unshift(key);
      else this.#queue.push(key);
      added++;
    }
    return added;
  }

  /** The next address to connect to now; it counts as connected until `onDisconnected`. */
  take(nowMs: number): KnownPeer | null {
    for (let tries = this.#queue.length; tries > 0; tries--) {
      const key = this.#queue.shift()!;
      const peer = this.#peers.get(key);
      if (!peer || peer.connected) continue;
      if (peer.notBeforeMs > nowMs) {
        this.#queue.push(key);
        continue;
      }
      peer.connected = true;
      return peer;
    }
    return null;
  }

  /** When the next address may be tried; null when there is none. */
  nextAttemptMs(): number | null {
    let next: number | null = null;
    for (const key of this.#queue) {
      const peer = this.#peers.get(key);
      if (peer && !peer.connected && (next === null || peer.notBeforeMs < next)) next = peer.notBeforeMs;
    }
    return next;
  }

  onDisconnected(address: PeerAddress, kind: DisconnectKind, nowMs: number): void {
    const key = formatAddress(address);
    const peer = this.#peers.get(key);
    if (!peer) return;
    peer.connected = false;
    peer.failures = kind === 'lost' ? 0 : peer.failures + 1;
    if (kind === 'violation') peer.notBeforeMs = nowMs + RECONNECT_BANNED_MS;
    else if (kind === 'lost') peer.notBeforeMs = nowMs + RECONNECT_GOOD_MS;
    else if (peer.source === 'manual' || peer.source === 'magnet') {
      peer.notBeforeMs = nowMs + Math.min(RECONNECT_MANUAL_MS * 2 ** (peer.failures - 1), RECONNECT_BANNED_MS);
    } else peer.notBeforeMs = nowMs + RECONNECT_MS * peer.failures;
    this.#queue.push(key);
  }

  /** Ourselves, or an address that turned out to be no peer. */
  forget(address: PeerAddress): void {
    this.#peers.delete(formatAddress(address));
  }

  /** Makes room by forgetting one that only ever failed. */
  #evict(): boolean {
    for (const [key, peer] of this.#peers) {
      if (!peer.connected && peer.failures >= MAX_FAILURES) return this.#peers.delete(key);
    }
    return false;
  }
}
