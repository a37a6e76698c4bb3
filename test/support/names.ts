// Names of tests: what a look-up function says, as the resolver of names would.
import { isIP, type LookupFunction } from 'node:net';
import type { ResolveName } from '../../shared-protocol/names/name-resolver.js';

export function namesFrom(lookup: LookupFunction): ResolveName {
  return (name, _asker, signal) =>
    new Promise((resolve, reject) => {
      const stop = (): void => reject(Object.assign(new Error('given up'), { code: 'ABORT_ERR' }));
      signal.addEventListener('abort', stop, { once: true });
      lookup(name, { all: true }, (error, found) => {
        signal.removeEventListener('abort', stop);
        if (error) reject(error);
        else resolve(typeof found === 'string' ? [{ address: found, family: isIP(found) }] : found);
      });
    });
}
