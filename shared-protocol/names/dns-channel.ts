// One question at a time to the name servers, without the system's resolver: that one blocks a thread of libuv's pool,
// which the disk needs, for as long as a server is silent, and cannot be told to stop.
import type { LookupAddress } from 'node:dns';
import { promises as dns } from 'node:dns';
import { failed } from './fair-slots.js';

/** Before a server is asked again, or the next one. */
const TRY_MS = 1_500;
const TRIES = 2;
/** The time to look up one name, however many servers and tries. */
const LOOKUP_MS = 5_000;
/** How long IPv6 addresses are waited for once there are others. No spec value; RFC 8305 has 50 ms, far ends take longer. */
const SECOND_FAMILY_MS = 250;
/** The system's servers are read anew by then: networks change. */
const CHANNEL_LIFE_MS = 30_000;

/** No such name, or none with an address. */
const NO_NAME: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME', 'ENONAME']);

export class DnsChannel {
  #resolver: dns.Resolver | null = null;
  #madeAtMs = -Infinity;

  /** `servers`: null for the system's. `nowMs`: monotonic. */
  constructor(
    private readonly servers: () => Promise<readonly string[] | null>,
    private readonly nowMs: () => number,
  ) {}

  /** Ends what is asked at this moment, and asks no server again that it knows. */
  forget(): void {
    this.#madeAtMs = -Infinity;
    this.#resolver?.cancel();
  }

  /**
   * IPv4 addresses first. @throws Error with the code `ENOTFOUND`, `EAI_AGAIN` when no server gives an answer, `ABORT_ERR`
   */
  async resolve(name: string, signal: AbortSignal): Promise<readonly LookupAddress[]> {
    if (signal.aborted) throw failed('ABORT_ERR');
    const resolver = await this.#channel();
    if (signal.aborted) throw failed('ABORT_ERR');
    const cancel = (): void => resolver.cancel();
    const timer = setTimeout(cancel, LOOKUP_MS);
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await ask(resolver, name);
    } catch (error) {
      if (signal.aborted) throw failed('ABORT_ERR');
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      throw failed(NO_NAME.has(code) ? 'ENOTFOUND' : 'EAI_AGAIN');
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      // What is left of it would end up in the next question's time.
      resolver.cancel();
    }
  }

  /** @throws Error with the code `EAI_AGAIN` where there is no server */
  async #channel(): Promise<dns.Resolver> {
    const nowMs = this.nowMs();
    if (this.#resolver && nowMs - this.#madeAtMs < CHANNEL_LIFE_MS) return this.#resolver;
    const servers = await this.servers();
    if (servers?.length === 0) throw failed('EAI_AGAIN');
    const resolver = new dns.Resolver({ timeout: TRY_MS, tries: TRIES });
    if (servers) resolver.setServers(servers);
    this.#resolver = resolver;
    this.#madeAtMs = nowMs;
    return resolver;
  }
}

async function ask(resolver: dns.Resolver, name: string): Promise<readonly LookupAddress[]> {
  const ipv4 = resolver.resolve4(name).then((found) => found.map((address) => ({ address, family: 4 })));
  const ipv6 = resolver.resolve6(name).then((found) => found.map((address) => ({ address, family: 6 })));
  ipv6.catch(() => undefined);
  let first: LookupAddress[];
  try {
    first = await ipv4;
  } catch (error) {
    return await ipv6.catch(() => {
      throw error;
    });
  }
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<LookupAddress[]>((resolve) => (timer = setTimeout(resolve, SECOND_FAMILY_MS, [])));
  const second = await Promise.race([ipv6.catch(() => []), enough]);
  clearTimeout(timer);
  return [...first, ...second];
}
