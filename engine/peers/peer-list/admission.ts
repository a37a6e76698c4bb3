// What may become a known peer: an address that can be connected to, that is not ourselves, from a source the torrent
// listens to, and at whose port a liar could do no harm.
import { isPrivilegedPort, type Standing } from '../../../shared-protocol/address-policy.js';
import type { PeerAddress } from '../../environment.js';
import { connectable, formatAddress } from '../../net/address.js';
import { maskOf, type PeerSource, type SourceMask } from './sources.js';

/** A machine has a few addresses; more are a tracker that lists all of 127.0.0.0/8. */
export const MAX_OWN_ADDRESSES = 64;

export class Admission {
  /** Addresses that led back to ourselves, the oldest first. */
  readonly #own = new Set<string>();
  #refused: SourceMask = 0;

  /** `isBlocked`: whose addresses are not worth knowing, by the host. */
  constructor(
    private readonly isBlocked: (host: string) => boolean,
    private readonly standingOf: (host: string) => Standing,
  ) {}

  /** The address in its one spelling; null: it may not be known. `mayBeInside`: its source may name those inside. */
  admit(address: PeerAddress, source: PeerSource, mayBeInside: boolean): PeerAddress | null {
    const normal = connectable(address);
    if (!normal || this.refuses(source) || this.#own.has(formatAddress(normal))) return null;
    return this.#isHarmless(normal, source, mayBeInside) && !this.isBlocked(normal.host) ? normal : null;
  }

  /** A user may aim at any port of a stranger; no other source makes us knock at services, and none at those inside. */
  #isHarmless({ host, port }: PeerAddress, source: PeerSource, mayBeInside: boolean): boolean {
    const standing = this.standingOf(host);
    if (standing === 'inside') return mayBeInside && !isPrivilegedPort(port);
    return standing === 'allowed' || (standing === 'public' && (source === 'manual' || !isPrivilegedPort(port)));
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
