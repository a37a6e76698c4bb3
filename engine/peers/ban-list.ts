// Who is not talked to for the rest of the engine's run (docs/limits.md 2.13, 2.18), for all torrents.
// The rule: a public address is banned as a whole (IPv6: its /64). Where several peers share one address, on loopback
// and private networks or where the caller knows of well-behaved peers behind the same address, only the peer is: by
// its id at that address, and by its address with port.
import type { PeerId } from '../../shared-protocol/ids.js';
import type { PeerAddress } from '../environment.js';
import { connectable, formatAddress, isLocalHost, networkOf } from '../net/address.js';

/** Bans of each kind; then the one that offended longest ago is forgotten. */
export const MAX_BANS = 10_000;

export type BanReason = 'bad-data' | 'protocol-violation' | 'flooding';

export type BanScope = 'network' | 'peer';

export interface BanSubject {
  /** Where it listens; port 0 while that is not known for certain. */
  readonly address: PeerAddress;
  /** null before its handshake. */
  readonly peerId: PeerId | null;
}

export interface BanEntry {
  /** A network, an address with port, a peer id and the host it was seen at, or a web seed's URL. */
  readonly subject: string;
  /** Reason of the last offence. */
  readonly reason: BanReason;
  /** Offences so far. */
  readonly count: number;
  /** Monotonic times of the first and the last. */
  readonly sinceMs: number;
  readonly lastMs: number;
}

export class BanList {
  /** Apart, so that one host with many peer ids cannot wash out the bans of others. */
  readonly #networks: Register;
  readonly #peers: Register;
  readonly #webSeeds: Register;

  constructor(options: { readonly maxBans?: number } = {}) {
    const maxBans = options.maxBans ?? MAX_BANS;
    this.#networks = new Register(maxBans);
    this.#peers = new Register(maxBans);
    this.#webSeeds = new Register(maxBans);
  }

  /** Bans the host's network; false for loopback and private networks, which are never banned as a whole. */
  ban(host: string, reason: BanReason, nowMs: number): boolean {
    if (isLocalHost(host)) return false;
    this.#networks.note(networkOf(host), reason, nowMs);
    return true;
  }

  isBanned(host: string): boolean {
    return this.#networks.has(networkOf(host));
  }

  /** `isShared`: others at the same address are not to suffer. @default for loopback and private networks only */
  banPeer(peer: BanSubject, reason: BanReason, nowMs: number, isShared = false): BanScope {
    if (!isShared && this.ban(peer.address.host, reason, nowMs)) return 'network';
    for (const key of keysOf(peer)) this.#peers.note(key, reason, nowMs);
    return 'peer';
  }

  isBannedPeer(peer: BanSubject): boolean {
    return this.isBanned(peer.address.host) || keysOf(peer).some((key) => this.#peers.has(key));
  }

  banWebSeed(url: string, reason: BanReason, nowMs: number): void {
    this.#webSeeds.note(url, reason, nowMs);
  }

  isBannedWebSeed(url: string): boolean {
    return this.#webSeeds.has(url);
  }

  /** The latest offence last, networks before peers before web seeds. */
  entries(): BanEntry[] {
    return [this.#networks, this.#peers, this.#webSeeds].flatMap((register) => register.entries());
  }

  /** Bans in force for each reason. */
  counts(): Record<BanReason, number> {
    const counts = { 'bad-data': 0, 'protocol-violation': 0, flooding: 0 };
    for (const { reason } of this.entries()) counts[reason]++;
    return counts;
  }
}

/** Bans by key, the latest offence last; bounded. */
class Register {
  readonly #bans = new Map<string, Omit<BanEntry, 'subject'>>();

  constructor(private readonly limit: number) {}

  has(key: string): boolean {
    return this.#bans.has(key);
  }

  note(key: string, reason: BanReason, nowMs: number): void {
    const known = this.#bans.get(key);
    this.#bans.delete(key);
    const [oldest] = this.#bans.keys();
    if (this.#bans.size >= this.limit && oldest !== undefined) this.#bans.delete(oldest);
    this.#bans.set(key, { reason, count: (known?.count ?? 0) + 1, sinceMs: known?.sinceMs ?? nowMs, lastMs: nowMs });
  }

  entries(): BanEntry[] {
    return [...this.#bans].map(([subject, ban]) => ({ subject, ...ban }));
  }
}

function keysOf({ address, peerId }: BanSubject): string[] {
  const spelled = { host: connectable({ ...address, port: 1 })?.host ?? address.host, port: address.port };
  const keys = spelled.port === 0 ? [] : [formatAddress(spelled)];
  return peerId === null ? keys : [...keys, `${peerId}@${spelled.host}`];
}
