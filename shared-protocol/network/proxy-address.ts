// The address of the proxy, whose name is resolved here: the one name that is, when the proxy resolves the others.
// Asked again now and then, since proxies move, and soon while it is not known.
import { isIP } from 'node:net';
import type { Clock, Timer } from '../clock.js';
import type { ResolveName } from '../names/name-resolver.js';
import type { ProxyOptions } from './network-options.js';

const KNOWN_MS = 5 * 60_000;
const UNKNOWN_MS = 5_000;

/** The proxy, and its address: null while that is not known, and nothing goes through it. */
export interface KnownProxy extends ProxyOptions {
  readonly address: string | null;
}

export interface ProxyAddressDeps {
  readonly clock: Pick<Clock, 'after'>;
  readonly names: ResolveName;
  /** The address is known now, or is another. */
  readonly onChange: () => void;
}

export class ProxyAddress {
  #address: string | null = null;
  #timer: Timer | null = null;
  #asking: AbortController | null = null;

  constructor(private readonly deps: ProxyAddressDeps) {}

  get address(): string | null {
    return this.#address;
  }

  /** null: there is no proxy, or no way to it. */
  set(proxy: Pick<ProxyOptions, 'host'> | null): void {
    this.#timer?.cancel();
    this.#timer = null;
    this.#asking?.abort();
    this.#asking = null;
    this.#address = proxy && isIP(proxy.host) !== 0 ? proxy.host : null;
    if (proxy && this.#address === null) void this.#ask(proxy.host);
  }

  async #ask(host: string): Promise<void> {
    const asking = new AbortController();
    this.#asking = asking;
    const found = await this.deps.names(host, null, asking.signal).catch(() => []);
    if (asking.signal.aborted) return;
    const addresses = found.map(({ address }) => address);
    this.#timer = this.deps.clock.after(addresses.length > 0 ? KNOWN_MS : UNKNOWN_MS, () => void this.#ask(host));
    // One that still is among them stays, and so do the connections through it.
    const isStill = this.#address !== null && addresses.includes(this.#address);
    const [first] = addresses;
    if (isStill || first === undefined) return;
    this.#address = first;
    this.deps.onChange();
  }
}
