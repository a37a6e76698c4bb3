// Whom the session talks to: bans and the limits on attempts, for all torrents alike, and how much an address is worth
// to us (BEP 40).
import type { Clock, Log, PeerAddress, Random } from '../ports.js';
import { formatAddress } from '../peers/address.js';
import { AttemptLimits, type GrantReason } from '../peers/attempt-limits.js';
import { BanList, type BanReason, type BanSubject } from '../peers/ban-list.js';
import type { KnownPeer } from '../peers/known-peer.js';
import { maskOf } from '../peers/known-sources.js';
import { peerPriority } from '../peers/peer-priority.js';
import type { PeerGates } from '../torrent/services.js';

export interface PeerGateDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Where peers at this address see us; null while unknown. */
  readonly ourAddress: (seenBy: string) => PeerAddress | null;
}

const BY_HAND = maskOf('manual');

export class PeerGate implements PeerGates {
  readonly #bans = new BanList();
  readonly #attempts: AttemptLimits;

  constructor(private readonly deps: PeerGateDeps) {
    this.#attempts = new AttemptLimits(deps);
  }

  /** When it may be connected to: not after `nowMs` means now, `Infinity` never. */
  freeAtMs({ address, sources }: KnownPeer, nowMs: number): number {
    if (this.#bans.isBannedPeer({ address, peerId: null })) return Infinity;
    // Somebody who may use this program wants it so.
    if ((sources & BY_HAND) !== 0) return nowMs;
    return this.#attempts.freeAtMs(address, nowMs);
  }

  onAttempt(address: PeerAddress): void {
    this.#attempts.onAttempt(address, this.deps.clock.nowMs());
  }

  allowAgain(address: PeerAddress, reason: GrantReason): void {
    this.#attempts.allowAgain(address, reason, this.deps.clock.nowMs());
  }

  isBannedHost(host: string): boolean {
    return this.#bans.isBanned(host);
  }

  isBanned(peer: BanSubject): boolean {
    return this.#bans.isBannedPeer(peer);
  }

  ban(peer: BanSubject, reason: BanReason): void {
    this.#bans.banPeer(peer, reason, this.deps.clock.nowMs());
    this.deps.log.info('peer banned', { peer: formatAddress(peer.address), reason });
  }

  /** BEP 40; larger is preferred. The same for both ends, once each knows its own address. */
  priority(address: PeerAddress): number {
    const ours = this.deps.ourAddress(address.host);
    return ours ? peerPriority(ours, address) : 0;
  }
}
