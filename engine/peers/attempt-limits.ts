// How often the whole session connects to one network (docs/limits.md 2.18): a tracker or PEX can aim us at a third
// party, who must not feel it. A public IPv4 address or IPv6 /64 gets at most one attempt a minute; and where several
// ports are said to listen, three attempts an hour, whatever the ports, but for peers that have answered. Addresses
// inside have bounds of their own (inside-limits.ts), what --fetch-allow opens has none.
//
// Networks share a fixed number of buckets by a hash with a secret. Nothing is ever evicted, so no attacker can wash
// out the record of a target with other addresses: two networks in one bucket only make each other wait. With 4,096
// networks tried within the hour, 6 % of new ones share a bucket, and most of those find room in it.
import type { Standing } from '../../shared-protocol/address-policy.js';
import { MINUTE_MS, type PeerAddress, type Random } from '../environment.js';
import { connectable, formatAddress, networkOf } from '../net/address.js';
import { InsideLimits } from './inside-limits.js';

const ATTEMPT_INTERVAL_MS = MINUTE_MS;
const SLOT_MS = 60 * MINUTE_MS;
const SLOTS_PER_NETWORK = 3;
/** Grants under way; more are not given, and then the peer waits its minute. */
const MAX_GRANTS = 1_024;

export interface AttemptLimitsOptions {
  /** 38 bytes each. @default 65,536 (2.5 MB): what 30 attempts a second fill in half an hour */
  readonly buckets: number;
  /** Whether hosts are of the internet or inside. @default all of the internet */
  readonly standingOf: (host: string) => Standing;
}

/** Why an address may be tried again within the minute: it proved to be a peer, or closed on the encrypted handshake. */
export type GrantReason = 'handshake-done' | 'mse-refused';

interface Grant {
  used: boolean;
  readonly reason: GrantReason;
  readonly untilMs: number;
}

export class AttemptLimits {
  readonly #standingOf: (host: string) => Standing;
  readonly #inside = new InsideLimits();
  readonly #buckets: number;
  readonly #secret: number;
  /** When each bucket may be tried again; 0: at any time. */
  readonly #freeAtMs: Float64Array;
  /** The ports of attempts, and until when each counts; 0: an empty slot. One port alone takes one slot. */
  readonly #ports: Uint16Array;
  readonly #slotUntilMs: Float64Array;
  readonly #grants = new Map<string, Grant>();

  constructor(deps: { readonly random: Random }, options: Partial<AttemptLimitsOptions> = {}) {
    this.#standingOf = options.standingOf ?? (() => 'public');
    this.#buckets = options.buckets ?? 65_536;
    this.#secret = deps.random.bytes(4).reduce((secret, byte) => (secret << 8) | byte, 0);
    this.#freeAtMs = new Float64Array(this.#buckets);
    this.#ports = new Uint16Array(this.#buckets * SLOTS_PER_NETWORK);
    this.#slotUntilMs = new Float64Array(this.#buckets * SLOTS_PER_NETWORK);
  }

  /** When the address may be connected to: `nowMs` or earlier means now. */
  freeAtMs(address: PeerAddress, nowMs: number): number {
    const standing = this.#standingOf(address.host);
    if (standing === 'allowed') return nowMs;
    if (standing !== 'public') return this.#inside.freeAtMs(address, nowMs);
    const grant = this.#grantFor(address, nowMs);
    if (grant?.reason === 'handshake-done') return nowMs;
    const bucket = this.#bucketOf(address.host);
    const isOnlyPort = this.#slotOfOnlyPort(bucket, address.port, nowMs) !== null;
    const slotFreeMs = isOnlyPort ? nowMs : this.#slotUntilMs[this.#slotFreeFirst(bucket)]!;
    return grant ? slotFreeMs : Math.max(this.#freeAtMs[bucket]!, slotFreeMs);
  }

  /** A connection to the address begins. */
  onAttempt(address: PeerAddress, nowMs: number): void {
    const standing = this.#standingOf(address.host);
    if (standing === 'allowed') return;
    if (standing !== 'public') return this.#inside.onAttempt(address, nowMs);
    const bucket = this.#bucketOf(address.host);
    this.#freeAtMs[bucket] = nowMs + ATTEMPT_INTERVAL_MS;
    const grant = this.#grantFor(address, nowMs);
    if (grant) grant.used = true;
    if (grant?.reason === 'handshake-done') return;
    const slot = this.#slotOfOnlyPort(bucket, address.port, nowMs) ?? this.#slotFreeFirst(bucket);
    this.#ports[slot] = address.port;
    this.#slotUntilMs[slot] = nowMs + SLOT_MS;
  }

  /**
   * One more attempt at this very address and port, begun within a minute, need not wait. After `mse-refused` only once
   * a minute, and in the count of three: a third party does not speak BitTorrent in plain either.
   */
  allowAgain(address: PeerAddress, reason: GrantReason, nowMs: number): void {
    if (this.#standingOf(address.host) !== 'public') return;
    const key = keyOf(address);
    const known = this.#grants.get(key);
    if (reason === 'mse-refused' && known && known.untilMs > nowMs) return;
    this.#grants.delete(key);
    this.#forgetGrants(nowMs);
    if (this.#grants.size >= MAX_GRANTS) return;
    this.#grants.set(key, { used: false, reason, untilMs: nowMs + ATTEMPT_INTERVAL_MS });
  }

  #grantFor(address: PeerAddress, nowMs: number): Grant | null {
    const grant = this.#grants.get(keyOf(address));
    return grant && !grant.used && grant.untilMs > nowMs ? grant : null;
  }

  /** Forgets grants that have ended; they were given in the order in which they end. */
  #forgetGrants(nowMs: number): void {
    for (const [key, { untilMs }] of this.#grants) {
      if (untilMs > nowMs) return;
      this.#grants.delete(key);
    }
  }

  /** The port's slot, when no other port was tried within the hour; else null. */
  #slotOfOnlyPort(bucket: number, port: number, nowMs: number): number | null {
    let own: number | null = null;
    const first = bucket * SLOTS_PER_NETWORK;
    for (let slot = first; slot < first + SLOTS_PER_NETWORK; slot++) {
      if (this.#slotUntilMs[slot]! <= nowMs) continue;
      if (this.#ports[slot] !== port) return null;
      own ??= slot;
    }
    return own;
  }

  #slotFreeFirst(bucket: number): number {
    const first = bucket * SLOTS_PER_NETWORK;
    let best = first;
    for (let slot = first + 1; slot < first + SLOTS_PER_NETWORK; slot++) {
      if (this.#slotUntilMs[slot]! < this.#slotUntilMs[best]!) best = slot;
    }
    return best;
  }

  /** FNV-1a from a secret start, its bits mixed well (murmur3's finish). */
  #bucketOf(host: string): number {
    let hash = this.#secret;
    const network = networkOf(host);
    for (let i = 0; i < network.length; i++) hash = Math.imul(hash ^ network.charCodeAt(i), 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    return ((hash ^ (hash >>> 16)) >>> 0) % this.#buckets;
  }
}

function keyOf(address: PeerAddress): string {
  return formatAddress(connectable(address) ?? address);
}
