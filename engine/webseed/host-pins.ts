// Where a web seed's requests may go (docs/limits.md 2.22): each host is resolved once and judged, and only what was
// judged is connected to, so that a name that changes its mind gains nothing. Inside, nothing is asked that could be a
// command.
import { judgeHost, type HostRules } from '../net/judge-host.js';
import { NOT_ALLOWED, type Pin, type TargetAccess } from '../net/judge-target.js';
import { bareHost } from '../net/resolve-host.js';
import { PIECE_QUERY } from './constants.js';
import { SeedFailure } from './types.js';

export class HostPins {
  /** By host name as it stands in URLs: lower case, without brackets. */
  readonly #pins = new Map<string, Pin>();

  constructor(
    private readonly rules: HostRules,
    private readonly access: TargetAccess,
  ) {}

  /**
   * Resolves and judges a URL's host. `redirectedFrom` is the host that sends us there, if any does.
   * @throws SeedFailure when the URL may not be asked; what the resolver throws
   */
  async admit(url: URL, redirectedFrom: Pin | null, signal: AbortSignal): Promise<Pin> {
    const host = bareHost(url.hostname);
    const known = this.#pins.get(host);
    // One without addresses is of the proxy, and worth nothing without it.
    const isOfUse = known && (known.addresses.length > 0 || this.rules.outlet.proxyOf('peers') !== null);
    const pin = isOfUse ? known : await this.#resolve(host, signal);
    this.#pins.set(host, pin);
    if ((pin.isInside || !pin.isOpen) && url.search !== '' && !PIECE_QUERY.test(url.search)) {
      throw new SeedFailure('a local web seed may not have a query');
    }
    // A server outside has no say in what lies inside.
    if (pin.isInside && redirectedFrom?.isInside === false) throw new SeedFailure(NOT_ALLOWED);
    return pin;
  }

  /** The pin of a host, for sockets that connect; none where it was not admitted. */
  of(host: string): Pin | undefined {
    return this.#pins.get(host);
  }

  async #resolve(host: string, signal: AbortSignal): Promise<Pin> {
    // A range of a file whose path the torrent names is no command to any server.
    const use = { mayReachInside: this.access.mayReachInside(), isHarmless: true };
    const verdict = await judgeHost(this.rules, 'peers', host, this.access.account, use, signal);
    if (verdict.kind === 'refused') throw new SeedFailure(verdict.reason);
    return verdict;
  }
}
