// All addresses of a URL's host: of a literal itself, of a name those that it resolves to.
import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { Caller, ResolveName } from '../../shared-protocol/names/name-resolver.js';

/** `host` as it stands in URLs, in brackets or not. Rejects as soon as `signal` is aborted. */
export async function resolveHost(
  names: ResolveName,
  host: string,
  caller: Caller,
  signal: AbortSignal,
): Promise<readonly LookupAddress[]> {
  const bare = bareHost(host);
  const family = isIP(bare);
  return family > 0 ? [{ address: bare, family }] : names(bare, caller, signal);
}

export function bareHost(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}

/** For a socket that may connect to these addresses and to no others, whatever it asks for. */
export function pinnedLookup(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, options, callback) => {
    const first = addresses[0];
    if (!first) callback(new Error('no address'), '', 0);
    else if (options.all) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}
