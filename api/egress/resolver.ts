// Resolves the host of a URL once and keeps only the addresses that may be connected to. What is returned is what the
// connection is pinned to, so a name that changes its mind between the two gains nothing (DNS rebinding).
import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { AddressPolicy } from '../../shared-protocol/address-policy.js';
import { Semaphore } from '../auth/semaphore.js';
import { fetchFailed } from './failure.js';
import { hostOf } from './url-policy.js';

/**
 * The system's resolver blocks a thread of libuv's pool, which the engine's disk needs as well: names whose servers never
 * answer must not take all four.
 */
const MAX_LOOKUPS = 2;
const MAX_WAITING_LOOKUPS = 64;

const THIS_MACHINE: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

export class Resolver {
  readonly #lookups = new Semaphore(MAX_LOOKUPS, MAX_WAITING_LOOKUPS);

  constructor(
    private readonly lookup: LookupFunction,
    private readonly policy: Pick<AddressPolicy, 'isOpen'>,
  ) {}

  /**
   * The addresses that may be connected to; none when there are only others. A lookup that runs cannot be stopped, one
   * that waits is left out when `signal` is aborted.
   * @throws RequestError `FETCH_FAILED` when too many names are being resolved; what the resolver throws
   */
  async resolve(url: URL, signal: AbortSignal): Promise<readonly LookupAddress[]> {
    const found = await this.#addressesOf(url, signal);
    return found.filter(({ address }) => this.policy.isOpen(address));
  }

  async #addressesOf(url: URL, signal: AbortSignal): Promise<readonly LookupAddress[]> {
    const host = hostOf(url);
    if (host.kind === 'literal') return [{ address: host.address, family: isIP(host.address) }];
    if (host.kind === 'this-machine') return THIS_MACHINE;
    const found = await this.#lookups.run(async () => {
      signal.throwIfAborted();
      return this.#lookUp(host.name);
    });
    if (!found) throw fetchFailed('too many names are being resolved');
    return found;
  }

  #lookUp(name: string): Promise<readonly LookupAddress[]> {
    return new Promise((resolve, reject) => {
      this.lookup(name, { all: true }, (error, found, family) => {
        if (error) return reject(error);
        return resolve(typeof found === 'string' ? [{ address: found, family: family ?? isIP(found) }] : found);
      });
    });
  }
}
