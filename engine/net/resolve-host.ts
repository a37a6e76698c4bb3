// All addresses of a URL's host: of a literal itself, of a name those that it resolves to.
import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';

/** `host` as it stands in URLs, in brackets or not. Names cannot be told to stop resolving: the wait is given up. */
export function resolveHost(
  lookup: LookupFunction,
  host: string,
  signal: AbortSignal,
): Promise<readonly LookupAddress[]> {
  const bare = bareHost(host);
  const family = isIP(bare);
  if (family > 0) return Promise.resolve([{ address: bare, family }]);
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(Object.assign(new Error('given up'), { code: 'ABORT_ERR' }));
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    lookup(bare, { all: true }, (error, found, familyFound) => {
      signal.removeEventListener('abort', stop);
      if (error) return reject(error);
      return resolve(typeof found === 'string' ? [{ address: found, family: familyFound ?? isIP(found) }] : found);
    });
  });
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
