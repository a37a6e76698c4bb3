// What may become a known peer: an address that can be connected to, that is not ourselves, from a source the torrent
// listens to, and at whose port a liar could do no harm.
import type { PeerAddress } from '../ports.js';
import { connectable, formatAddress, isLocalHost } from './address.js';
import { maskOf, type PeerSource, type SourceMask } from './known-sources.js';

/** Ports below belong to services that a liar may want us to knock at (safety.md 2.18). */
const FIRST_UNPRIVILEGED_PORT = 1_024;
/** A machine has a few addresses; more are a tracker that lists all of 127.0.0.0/8. */
export const MAX_OWN_ADDRESSES = 64;

export class Admission {
  /** Addresses that led back to ourselves, the oldest first. */
  readonly #own = new Set<string>();
  #refused: SourceMask = 0;

  /** `isBlocked`: whose addresses are not worth knowing, by the host. */
  constructor(private readonly isBlocked: (host: string) => boolean) {}

  /** The address in its one spelling; null when it may not be known. */
  admit(address: PeerAddress, source: PeerSource): PeerAddress | null {
    const normal = connectable(address);
    if (!normal || this.refuses(source) || this.#own.has(formatAddress(normal))) return null;
    // A person may aim at any port; nobody else makes us knock at strangers' services.
    const isHarmless = source === 'manual' || normal.port >= FIRST_UNPRIVILEGED_PORT || isLocalHost(normal.host);
    return isHarmless && !this.isBlocked(normal.host) ? normal : null;
  }

  addOwn(address: PeerAddress): void {
    const own = connectable(address);
    if (!own) return;
    this.#own.add(formatAddress(own));
    for (const oldest of this.#own) {
      if (this.#own.size <= MAX_OWN_ADDRESSES) break;
      this.#own.delete(oldest);
    }
  }

  refuses(source: PeerSource): boolean {
    return (this.#refused & maskOf(source)) !== 0;
  }

  refuse(sources: SourceMask): void {
    this.#refused |= sources;
  }

  accept(sources: SourceMask): void {
    this.#refused &= ~sources;
  }
}
