// Where requests to a torrent's trackers and web seeds may go (docs/limits.md 2.22): a stranger who writes a torrent
// file or owns a DNS name must not be able to send requests to services that trust this machine. Pure; the clients ask
// for all addresses of a host, once resolved, and connect to what is left of them and to nothing else, so a name that
// changes its mind gains nothing. A host is of the internet or inside, never both: addresses inside beside others are
// left out.
import type { LookupAddress } from 'node:dns';
import type { Caller } from '../../shared-protocol/names/name-resolver.js';
import { plainAddress, type AddressPolicy } from '../../shared-protocol/address-policy.js';

export interface TargetRules {
  readonly policy: Pick<AddressPolicy, 'standingOf' | 'isThisMachine'>;
  /** Literal addresses that are not to be asked: those of the blocklist. */
  readonly isBlocked: (address: string) => boolean;
}

/** The rights of the account that asks, and what the request can do. */
export interface TargetUse {
  readonly mayReachInside: boolean;
  /** The request is harmless to this very machine, as an announce is. */
  readonly isHarmless: boolean;
}

/** On whose behalf something is asked for again and again, and with what rights at that moment. */
export interface TargetAccess {
  readonly account: Caller;
  mayReachInside(): boolean;
}

export interface Pin {
  /** At least one. */
  readonly addresses: readonly LookupAddress[];
  readonly isInside: boolean;
  /** Open to all accounts: what is answered there need not be hidden from any of them. */
  readonly isOpen: boolean;
}

export type TargetVerdict = ({ readonly kind: 'pinned' } & Pin) | { readonly kind: 'refused'; readonly reason: string };

/** The same whatever there is: it must not tell what lies inside. */
export const NOT_ALLOWED = 'address not allowed';

export function judgeTarget(found: readonly LookupAddress[], rules: TargetRules, use: TargetUse): TargetVerdict {
  if (found.length === 0) return { kind: 'refused', reason: 'no address' };
  const reachable = found.filter(({ address }) => mayBeReached(address, rules, use));
  if (reachable.length === 0) return { kind: 'refused', reason: NOT_ALLOWED };
  const asked = reachable.filter(({ address }) => !rules.isBlocked(address) && !rules.isBlocked(plainAddress(address)));
  if (asked.length === 0) return { kind: 'refused', reason: 'address on the blocklist' };
  const standing = (one: LookupAddress) => rules.policy.standingOf(one.address);
  const outside = asked.filter((one) => standing(one) === 'public');
  if (outside.length > 0) return { kind: 'pinned', addresses: outside, isInside: false, isOpen: true };
  return {
    kind: 'pinned',
    addresses: asked,
    isInside: true,
    isOpen: asked.every((one) => standing(one) === 'allowed'),
  };
}

/** Whether a request with this path is harmless to this very machine: libtorrent's rule, and the scrape of BEP 48. */
export function isHarmlessPath(path: string, purpose: 'announce' | 'scrape'): boolean {
  return path.startsWith('/announce') || (purpose === 'scrape' && path.startsWith('/scrape'));
}

function mayBeReached(address: string, { policy }: TargetRules, { mayReachInside, isHarmless }: TargetUse): boolean {
  switch (policy.standingOf(address)) {
    case 'public':
      return true;
    case 'allowed':
      return isHarmless || !policy.isThisMachine(address);
    case 'inside':
      return mayReachInside && (isHarmless || !policy.isThisMachine(address));
    case 'never':
      return false;
  }
}
