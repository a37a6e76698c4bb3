// The addresses a torrent knows, whether connected or not: where they came from, what is known of them, how often they
// failed, when they may be tried again. Pure: time is an argument. Limits per target address are the session's
// (attempt-limits.ts), bans too (ban-list.ts); both come in through `take`.
// Invariant: a peer that is not connected is in both queues, one that is connected in neither. Every change of what
// the queues sort by goes through `#change`. Nothing here scans the list but `setSeeding`, `setRank`, `dropSources` and
// `forgetHosts`.
import type { Standing } from '../../../shared-protocol/address-policy.js';
import type { PeerAddress } from '../../environment.js';
import { connectable, formatAddress } from '../../net/address.js';
import { Admission } from './admission.js';
import { AttemptQueue } from './attempts.js';
import { EvictionQueue } from './evictions.js';
import { KnownEntry, type DisconnectKind, type KnownPeer, type PeerFacts, type PeerFlags } from './known-peer.js';
import { maskOf, rankOf, sourcesIn, type PeerSource } from './sources.js';

export { MAX_FAILURES } from './known-peer.js';
export type { DisconnectKind, KnownPeer, MseSupport, PeerFacts, PeerFlags } from './known-peer.js';
export { sourcesIn, type PeerSource } from './sources.js';

/** libtorrent `max_peerlist_size`. */
export const MAX_KNOWN_PEERS = 3_000;
/** While paused; libtorrent `max_paused_peerlist_size` is 1,000. */
export const MAX_KNOWN_PEERS_PAUSED = 500;

export interface PeerListOptions {
  /** @default 3,000 (libtorrent) */
  readonly limit: number;
  /** BEP 40 priority; larger is preferred. @default all alike */
  readonly rank: (address: PeerAddress) => number;
  /** Hosts that are not to be known. @default none */
  readonly isBlocked: (host: string) => boolean;
  /** Whether hosts are of the internet or inside. @default all of the internet */
  readonly standingOf: (host: string) => Standing;
}

export class PeerList {
  readonly #peers = new Map<string, KnownEntry>();
  readonly #attempts = new AttemptQueue();
  readonly #evictions = new EvictionQueue();
  readonly #admission: Admission;
  #limit: number;
  #rank: (address: PeerAddress) => number;
  #serial = 0;

  constructor(options: Partial<PeerListOptions> = {}) {
    this.#limit = options.limit ?? MAX_KNOWN_PEERS;
    this.#rank = options.rank ?? (() => 0);
    this.#admission = new Admission(options.isBlocked ?? (() => false), options.standingOf ?? (() => 'public'));
  }

  get size(): number {
    return this.#peers.size;
  }

  /** Comparisons made so far: what the list has cost. */
  get steps(): number {
    return this.#attempts.steps + this.#evictions.steps;
  }

  get(address: PeerAddress): KnownPeer | null {
    return this.#find(address);
  }

  /** How many of the addresses were new. `mayBeInside`: their source may name addresses inside. */
  add(addresses: readonly PeerAddress[], source: PeerSource, mayBeInside = false): number {
    if (this.#admission.refuses(source)) return 0;
    let added = 0;
    for (const address of addresses) {
      const known = this.#find(address);
      if (known) this.#addSource(known, source);
      else if (this.#addNew(address, source, mayBeInside)) added++;
    }
    return added;
  }

  /** Takes what a PEX message says of an address: believed until a connection shows otherwise. */
  hear(address: PeerAddress, flags: PeerFlags): void {
    const entry = this.#find(address);
    if (entry) this.#change(entry, () => entry.hear(flags));
  }

  /** Takes what a connection showed. */
  observe(address: PeerAddress, facts: Partial<PeerFacts>): void {
    const entry = this.#find(address);
    if (entry) this.#change(entry, () => entry.observe(facts));
  }

  /**
   * The next address to connect to now; it counts as connected until `onDisconnected`. `freeAtMs` says when the session
   * lets it be tried (attempt limits): one that has to wait is put back until then, and forgotten when that is never
   * (`Infinity`: banned).
   */
  take(nowMs: number, freeAtMs: (peer: KnownPeer) => number = () => nowMs): KnownPeer | null {
    for (;;) {
      const entry = this.#attempts.take(nowMs);
      if (!entry) return null;
      const waitUntilMs = freeAtMs(entry);
      if (waitUntilMs <= nowMs) {
        this.#evictions.remove(entry);
        entry.connected = true;
        return entry;
      }
      if (waitUntilMs === Infinity) {
        this.#drop(entry);
        continue;
      }
      entry.notBeforeMs = waitUntilMs;
      this.#attempts.insert(entry);
    }
  }

  /** When the next address may be tried, perhaps in the past; null when there is none. */
  nextAttemptMs(): number | null {
    return this.#attempts.nextMs();
  }

  /**
   * A peer that came to us says it listens there: not to be connected to until `onDisconnected`, which the caller that
   * got true reports. False when the address is unknown, or another connection's already.
   */
  hold(address: PeerAddress): boolean {
    const entry = this.#find(address);
    if (!entry || entry.connected) return false;
    this.#change(entry, () => (entry.connected = true));
    return true;
  }

  /** The handshake with a peer that was taken or held is through. */
  onConnected(address: PeerAddress, nowMs: number): void {
    const entry = this.#find(address);
    if (entry?.connected) entry.lastConnectedMs = nowMs;
  }

  onDisconnected(address: PeerAddress, kind: DisconnectKind, nowMs: number): void {
    const entry = this.#find(address);
    if (!entry) return;
    this.#change(entry, () => entry.end(kind, nowMs));
    this.#shrink();
  }

  /** Forgets the address, which may be learnt again. */
  forget(address: PeerAddress): void {
    const entry = this.#find(address);
    if (entry) this.#drop(entry);
  }

  /** All at these hosts. They may be learnt again. */
  forgetHosts(isMeant: (host: string) => boolean): void {
    for (const entry of [...this.#peers.values()]) if (isMeant(entry.address.host)) this.#drop(entry);
  }

  /** The address is our own: forgotten, and not learnt again, whichever source tells. */
  forgetOwn(address: PeerAddress): void {
    this.forget(address);
    this.#admission.addOwn(address);
  }

  /**
   * Forgets peers that are known only through these sources, and refuses them until `acceptSources`: the torrent turned
   * out to be private (BEP 27). Returns those that are connected, for the caller to close.
   */
  dropSources(sources: readonly PeerSource[]): PeerAddress[] {
    const dropped = maskOf(...sources);
    this.#admission.refuse(dropped);
    const connected: PeerAddress[] = [];
    for (const entry of [...this.#peers.values()]) {
      if ((entry.sources & dropped) === 0) continue;
      if ((entry.sources & ~dropped) !== 0) {
        this.#change(entry, () => (entry.sources &= ~dropped));
        continue;
      }
      if (entry.connected) connected.push(entry.address);
      this.#drop(entry);
    }
    return connected;
  }

  acceptSources(sources: readonly PeerSource[]): void {
    this.#admission.accept(maskOf(...sources));
  }

  /** Connected peers stay, also above the limit; they count when they leave. */
  setLimit(limit: number): void {
    this.#limit = limit;
    this.#shrink();
  }

  /** While we are a seed, known seeds are not connected to. */
  setSeeding(seeding: boolean): void {
    const queued = [...this.#peers.values()].filter(({ connected }) => !connected);
    this.#attempts.setSeeding(seeding, queued);
  }

  /** BEP 40 priorities change with our own external address. */
  setRank(rank: (address: PeerAddress) => number): void {
    this.#rank = rank;
    for (const entry of this.#peers.values()) this.#change(entry, () => (entry.preference = rank(entry.address)));
  }

  /** Throws `bug: …` when an invariant does not hold; for tests. */
  checkInvariant(): void {
    const entries = [...this.#peers.values()];
    const queued = entries.filter(({ connected }) => !connected);
    this.#attempts.checkInvariant(queued);
    this.#evictions.checkInvariant(queued);
    if (entries.length > this.#limit && queued.length > 0) throw new Error(`bug: ${entries.length} > ${this.#limit}`);
    for (const [key, entry] of this.#peers) {
      if (key !== formatAddress(entry.address)) throw new Error(`bug: ${key} is known as ${entry.key}`);
      if (sourcesIn(entry.sources).some((source) => this.#admission.refuses(source)) || entry.sources === 0) {
        throw new Error(`bug: ${key} is known from nowhere`);
      }
    }
  }

  #find(address: PeerAddress): KnownEntry | null {
    // IPv4 has one spelling, and most IPv6 addresses come in theirs: no need to parse what is known.
    const known = this.#peers.get(formatAddress(address));
    if (known || !address.host.includes(':')) return known ?? null;
    const normal = connectable(address);
    return (normal && this.#peers.get(formatAddress(normal))) ?? null;
  }

  #addSource(entry: KnownEntry, source: PeerSource): void {
    const sources = entry.sources | maskOf(source);
    // Someone who types an address wants it tried now.
    const isWantedNow = source === 'manual' && !entry.connected;
    if (sources === entry.sources && !isWantedNow) return;
    this.#change(entry, () => {
      entry.sources = sources;
      if (!isWantedNow) return;
      entry.notBeforeMs = 0;
      entry.failures = 0;
    });
  }

  #addNew(address: PeerAddress, source: PeerSource, mayBeInside: boolean): boolean {
    const rank = rankOf(maskOf(source));
    const isFull = this.#peers.size >= this.#limit;
    const victim = isFull ? this.#evictions.victimFor(rank) : null;
    if (isFull && !victim) return false;
    const normal = this.#admission.admit(address, source, mayBeInside);
    if (!normal) return false;
    if (victim) this.#drop(victim);
    const key = formatAddress(normal);
    const entry = new KnownEntry(key, normal, source, this.#rank(normal), this.#serial++);
    this.#peers.set(key, entry);
    this.#enqueue(entry);
    return true;
  }

  /** Takes it out of the queues, lets its facts change, and puts it back where it belongs now. */
  #change(entry: KnownEntry, mutate: () => void): void {
    if (!entry.connected) this.#dequeue(entry);
    mutate();
    if (!entry.connected) this.#enqueue(entry);
  }

  #enqueue(entry: KnownEntry): void {
    this.#attempts.insert(entry);
    this.#evictions.insert(entry);
  }

  #dequeue(entry: KnownEntry): void {
    this.#attempts.remove(entry);
    this.#evictions.remove(entry);
  }

  #drop(entry: KnownEntry): void {
    this.#dequeue(entry);
    this.#peers.delete(entry.key);
  }

  #shrink(): void {
    while (this.#peers.size > this.#limit) {
      const worst = this.#evictions.worst();
      if (!worst) return;
      this.#drop(worst);
    }
  }
}
