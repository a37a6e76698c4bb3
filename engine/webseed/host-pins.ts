// Where a web seed's requests may go (safety 2.22): each host is resolved once and judged, and only what was judged is
// connected to, so that a name that changes its mind gains nothing. A host is of the internet or local, never both:
// local addresses beside others are left out.
import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isLocalAddress, judgeAddress } from '../net/address-guard.js';
import { PIECE_QUERY } from './constants.js';
import { SeedFailure } from './types.js';

/** A host that may be connected to. */
export interface Pin {
  readonly addresses: readonly LookupAddress[];
  readonly isLocal: boolean;
}

export class HostPins {
  /** By host name as it stands in URLs: lower case, without brackets. */
  readonly #pins = new Map<string, Pin>();

  /** `loopbackAllowed`: seeds may be on this very machine. `isBlocked`: literal addresses that are not to be asked. */
  constructor(
    private readonly lookup: LookupFunction,
    private readonly loopbackAllowed: boolean,
    private readonly isBlocked: (address: string) => boolean = () => false,
  ) {}

  /**
   * Resolves and judges a URL's host. `redirectedFrom` is the host that sends us there, if any does.
   * @throws SeedFailure when the URL may not be asked
   */
  async admit(url: URL, redirectedFrom: Pin | null): Promise<Pin> {
    const host = bare(url.hostname);
    const pin = this.#pins.get(host) ?? this.#judge(await this.#resolve(host));
    this.#pins.set(host, pin);
    if (pin.isLocal && url.search !== '' && !PIECE_QUERY.test(url.search))
      throw new SeedFailure('a local web seed may not have a query');
    if (pin.isLocal && redirectedFrom?.isLocal === false) {
      throw new SeedFailure('redirect from the internet to a local address');
    }
    return pin;
  }

  /** For sockets that connect: knows the hosts that were admitted and no others. */
  readonly connectLookup: LookupFunction = (host, options, callback) => {
    const pin = this.#pins.get(bare(host));
    const first = pin?.addresses[0];
    if (!pin || !first) callback(new SeedFailure(`${host} was not admitted`), '', 0);
    else if (options.all) callback(null, [...pin.addresses]);
    else callback(null, first.address, first.family);
  };

  #judge(found: readonly LookupAddress[]): Pin {
    let reason = 'host has no address';
    const allowed = found.filter(({ address }) => {
      const verdict = judgeAddress(address, this.loopbackAllowed, this.isBlocked);
      if (verdict.kind === 'refused') reason = verdict.reason;
      return verdict.kind === 'allowed';
    });
    const ofInternet = allowed.filter(({ address }) => !isLocalAddress(address));
    if (ofInternet.length > 0) return { addresses: ofInternet, isLocal: false };
    if (allowed.length > 0) return { addresses: allowed, isLocal: true };
    throw new SeedFailure(reason);
  }

  #resolve(host: string): Promise<readonly LookupAddress[]> {
    const family = isIP(host);
    if (family > 0) return Promise.resolve([{ address: host, family }]);
    return new Promise((resolve, reject) => {
      this.lookup(host, { all: true }, (error, found, familyFound) => {
        if (error) return reject(error);
        return resolve(typeof found === 'string' ? [{ address: found, family: familyFound ?? isIP(found) }] : found);
      });
    });
  }
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}
