// Our own public address as others see it: trackers (BEP 24), peers (`yourip`, BEP 10) and the gateway. Each network has
// one vote, and it takes two of them, since any one may lie.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { connectable, isLocalHost, networkOf } from '../net/address.js';

/** Votes kept; the oldest goes first. */
const MAX_VOTES = 100;
const QUORUM = 2;

export class ExternalAddress {
  /** Our address as each network last said; one map for each family. */
  readonly #votes = { ipv4: new Map<string, string>(), ipv6: new Map<string, string>() };
  readonly #current: { ipv4: string | null; ipv6: string | null } = { ipv4: null, ipv6: null };

  /** `onChange` with the new address. */
  constructor(private readonly onChange: (address: string) => void) {}

  /** The address that peers of this family see; null while that is unknown. */
  seenBy(host: string): string | null {
    return this.#current[familyOf(host)];
  }

  /** @param voter the address of the peer or tracker that says so; null for the gateway, which knows. */
  vote(address: string, voter: string | null): void {
    const seen = publicAddress(address);
    const family = familyOf(seen ?? address);
    // A connection of one family shows nothing of the other.
    if (seen === null || (voter !== null && isIP(voter) !== 0 && familyOf(voter) !== family)) return;
    const votes = this.#votes[family];
    const network = voter === null ? '' : networkOf(voter);
    votes.delete(network);
    votes.set(network, seen);
    const [oldest] = votes.keys();
    if (votes.size > MAX_VOTES && oldest !== undefined) votes.delete(oldest);
    const winner = this.#winner(votes);
    if (winner === null || winner === this.#current[family]) return;
    this.#current[family] = winner;
    this.onChange(winner);
  }

  #winner(votes: ReadonlyMap<string, string>): string | null {
    const gateway = votes.get('');
    if (gateway !== undefined) return gateway;
    const counts = new Map<string, number>();
    for (const address of votes.values()) counts.set(address, (counts.get(address) ?? 0) + 1);
    const [best] = [...counts].sort((a, b) => b[1] - a[1]);
    return best && best[1] >= QUORUM ? best[0] : null;
  }
}

/** In its one spelling; null for what cannot be ours to the world: local, shared by a provider's customers, no host. */
function publicAddress(address: string): string | null {
  const own = connectable({ host: address, port: 1 })?.host ?? null;
  if (own === null || isLocalHost(own)) return null;
  return ipaddr.parse(own).range() === 'carrierGradeNat' ? null : own;
}

function familyOf(host: string): 'ipv4' | 'ipv6' {
  return host.includes(':') ? 'ipv6' : 'ipv4';
}
