// Which country an address is registered in, for people to see; nothing is decided by it. The data is the CC0 database
// of ip-location-db, read whole (8 MB) when it is first asked for and kept as one buffer.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import ipaddr from 'ipaddr.js';
import type { CountryResponse, Reader } from 'mmdb-lib';
import type { Log } from '../../logging.js';

export interface Countries {
  /** ISO 3166 alpha-2 in upper case, or '' where it is not known: private addresses, for one. Never throws. */
  of(ip: string): string;
}

/** A record of this database is flatter than MaxMind's. */
interface CountryRecord extends CountryResponse {
  readonly country_code?: unknown;
}

const DATABASE = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb';

const NOWHERE: Countries = { of: () => '' };

/**
 * Reads the database. Where it is missing or damaged that is logged, and no country is known.
 *
 * @param path of an MMDB file. @default the installed package's
 */
export async function openCountries(log: Pick<Log, 'warn'>, path?: string): Promise<Countries> {
  try {
    const { Reader } = await import('mmdb-lib');
    const file = path ?? createRequire(import.meta.url).resolve(DATABASE);
    // Without a cache a look-up makes one small object; the tree is walked in the buffer.
    return new MmdbCountries(new Reader<CountryRecord>(await readFile(file)));
  } catch (error) {
    log.warn('countries of peers are unknown: no database', { error: String(error) });
    return NOWHERE;
  }
}

/** Opens on the first call, once for all callers. */
export function countriesOnDemand(log: Pick<Log, 'warn'>, path?: string): () => Promise<Countries> {
  let countries: Promise<Countries> | undefined;
  return () => (countries ??= openCountries(log, path));
}

class MmdbCountries implements Countries {
  constructor(private readonly reader: Reader<CountryRecord>) {}

  of(ip: string): string {
    try {
      const address = ipaddr.process(ip);
      if (address.range() !== 'unicast') return '';
      const code = this.reader.get(address.toString())?.country_code;
      return typeof code === 'string' && /^[A-Z]{2}$/.test(code) ? code : '';
    } catch {
      // No address, or a damaged database: neither is worth a word for each peer.
      return '';
    }
  }
}
