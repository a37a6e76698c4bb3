// Which peers the session talks to: bans and the limits on attempts, for all torrents alike, and how much an address is
// worth to us (BEP 40).
import type { Standing } from '../../shared-protocol/address-policy.js';
import { MINUTE_MS, type Clock, type Log, type PeerAddress, type Random } from '../environment.js';
import { formatAddress } from '../net/address.js';
import { AttemptLimits, type GrantReason } from '../peers/attempt-limits.js';
import { BanList, type BanReason, type BanSubject } from '../peers/ban-list.js';
import type { Blocklist } from '../peers/blocklist.js';
import type { KnownPeer } from '../peers/peer-list/known-peer.js';
import { maskOf } from '../peers/peer-list/sources.js';
import { peerPriority } from '../peers/peer-priority.js';
import { SharedAddresses } from '../peers/shared-addresses.js';
import type { BanWatcher, PeerFilters } from '../torrent/session-interface.js';
import { BadDataCounters, type BadDataCounts } from './ban-counters.js';

export interface PeerFilterDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Where peers at this address see us; null while unknown. */
  readonly ourAddress: (seenBy: string) => PeerAddress | null;
  readonly blocklist: Pick<Blocklist, 'has'>;
  readonly standingOf: (host: string) => Standing;
}

/** One that was known before it was blocked is looked at again after this: the list may have changed. */
const BLOCKED_RETRY_MS = MINUTE_MS;

const BY_HAND = maskOf('manual');

export class PeerFilter implements PeerFilters {
  readonly #bans = new BanList();
  readonly #shared = new SharedAddresses();
  readonly #watchers = new Set<BanWatcher>();
  readonly #harm: BadDataCounters;
  readonly #attempts: AttemptLimits;

  constructor(private readonly deps: PeerFilterDeps) {
    this.#attempts = new AttemptLimits(deps, { standingOf: deps.standingOf });
    this.#harm = new BadDataCounters(deps);
  }

  /** When it may be connected to: not after `nowMs` means now, `Infinity` never. */
  freeAtMs({ address, sources }: KnownPeer, nowMs: number): number {
    if (this.#bans.isBannedPeer({ address, peerId: null })) return Infinity;
    if (this.isBlocked(address.host)) return nowMs + BLOCKED_RETRY_MS;
    // A user of this program wants it so.
    const isTyped = (sources & BY_HAND) !== 0;
    if (isTyped && this.deps.standingOf(address.host) === 'public') return nowMs;
    return this.#attempts.freeAtMs(address, nowMs);
  }

  onAttempt(address: PeerAddress): void {
    this.#attempts.onAttempt(address, this.deps.clock.nowMs());
  }

  allowAgain(address: PeerAddress, reason: GrantReason): void {
    this.#attempts.allowAgain(address, reason, this.deps.clock.nowMs());
  }

  isBlocked(host: string): boolean {
    return this.deps.blocklist.has(host);
  }

  /** Whether peers there are not talked to, whatever the port and the protocol; banned or blocked. */
  isBannedHost(host: string): boolean {
    return this.isBlocked(host) || this.#bans.isBanned(host);
  }

  isBanned(peer: BanSubject): boolean {
    return this.#bans.isBannedPeer(peer);
  }

  ban(peer: BanSubject, reason: BanReason, ground: string): void {
    const { address, peerId } = peer;
    const isShared = this.#shared.onOffence(address.host, peerId);
    const scope = this.#bans.banPeer(peer, reason, this.deps.clock.nowMs(), isShared);
    this.#harm.onBan('peer banned', { peer: formatAddress(address), peerId, reason, ground, scope });
    for (const watcher of [...this.#watchers]) watcher.onBanned();
  }

  banWebSeed(url: string, ground: string): void {
    this.#bans.banWebSeed(url, 'bad-data', this.deps.clock.nowMs());
    // Of the URL nothing else: passwords stand in it, and keys in its path.
    this.#harm.onBan('web seed banned', { host: new URL(url).host, reason: 'bad-data', ground });
    for (const watcher of [...this.#watchers]) watcher.onBanned();
  }

  isBannedWebSeed(url: string): boolean {
    return this.#bans.isBannedWebSeed(url);
  }

  onGoodPeer({ address, peerId }: BanSubject): void {
    if (peerId !== null) this.#shared.onGood(address.host, peerId);
  }

  hasOffended(host: string): boolean {
    return this.#shared.hasOffended(host);
  }

  onPieceFailed(bytes: number): void {
    this.#harm.onPieceFailed(bytes);
  }

  watch(watcher: BanWatcher): void {
    this.#watchers.add(watcher);
  }

  unwatch(watcher: BanWatcher): void {
    this.#watchers.delete(watcher);
  }

  get badData(): BadDataCounts {
    return this.#harm.counters;
  }

  /** BEP 40; larger is preferred. The same for both ends, once each knows its own address. */
  priority(address: PeerAddress): number {
    const ours = this.deps.ourAddress(address.host);
    return ours ? peerPriority(ours, address) : 0;
  }
}
