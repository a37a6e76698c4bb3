// Resolves the host of a URL once and keeps only the addresses that may be connected to. What is returned is what the
// connection is pinned to, so a name that changes its mind between the two gains nothing (DNS rebinding).
import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import type { AddressPolicy } from '../../shared-protocol/address-policy.js';
import type { Caller, ResolveName } from '../../shared-protocol/names/name-resolver.js';
import { hostOf } from './url-policy.js';

const THIS_MACHINE: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

export class Resolver {
  constructor(
    private readonly names: ResolveName,
    private readonly policy: Pick<AddressPolicy, 'isOpen'>,
  ) {}

  /** The addresses that may be connected to; none when there are only others. @throws what the resolver of names throws */
  async resolve(url: URL, caller: Caller, signal: AbortSignal): Promise<readonly LookupAddress[]> {
    const found = await this.#addressesOf(url, caller, signal);
    return found.filter(({ address }) => this.policy.isOpen(address));
  }

  async #addressesOf(url: URL, caller: Caller, signal: AbortSignal): Promise<readonly LookupAddress[]> {
    const host = hostOf(url);
    if (host.kind === 'literal') return [{ address: host.address, family: isIP(host.address) }];
    return host.kind === 'this-machine' ? THIS_MACHINE : this.names(host.name, caller, signal);
  }
}
