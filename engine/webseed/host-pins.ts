// Where a web seed's requests may go (docs/limits.md 2.22): each host is resolved once and judged, and only what was
// judged is connected to, so that a name that changes its mind gains nothing. Inside, nothing is asked that could be a
// command.
import type { LookupFunction } from 'node:net';
import type { ResolveName } from '../../shared-protocol/names/name-resolver.js';
import { judgeTarget, NOT_ALLOWED, type Pin, type TargetAccess, type TargetRules } from '../net/judge-target.js';
import { bareHost, pinnedLookup, resolveHost } from '../net/resolve-host.js';
import { PIECE_QUERY } from './constants.js';
import { SeedFailure } from './types.js';

export class HostPins {
  /** By host name as it stands in URLs: lower case, without brackets. */
  readonly #pins = new Map<string, Pin>();

  constructor(
    private readonly names: ResolveName,
    private readonly rules: TargetRules,
    private readonly access: TargetAccess,
  ) {}

  /**
   * Resolves and judges a URL's host. `redirectedFrom` is the host that sends us there, if any does.
   * @throws SeedFailure when the URL may not be asked; what the resolver throws
   */
  async admit(url: URL, redirectedFrom: Pin | null, signal: AbortSignal): Promise<Pin> {
    const host = bareHost(url.hostname);
    const pin = this.#pins.get(host) ?? (await this.#resolve(host, signal));
    this.#pins.set(host, pin);
    if (pin.isInside && url.search !== '' && !PIECE_QUERY.test(url.search)) {
      throw new SeedFailure('a local web seed may not have a query');
    }
    // A server outside has no say in what lies inside.
    if (pin.isInside && redirectedFrom?.isInside === false) throw new SeedFailure(NOT_ALLOWED);
    return pin;
  }

  /** For sockets that connect: knows the hosts that were admitted and no others. */
  readonly connectLookup: LookupFunction = (host, options, callback) => {
    const pin = this.#pins.get(bareHost(host));
    if (!pin) callback(new SeedFailure(`${host} was not admitted`), '', 0);
    else pinnedLookup(pin.addresses)(host, options, callback);
  };

  async #resolve(host: string, signal: AbortSignal): Promise<Pin> {
    const found = await resolveHost(this.names, host, this.access.account, signal);
    // A range of a file whose path the torrent names is no command to any server.
    const verdict = judgeTarget(found, this.rules, { mayReachInside: this.access.mayReachInside(), isHarmless: true });
    if (verdict.kind === 'refused') throw new SeedFailure(verdict.reason);
    return verdict;
  }
}
