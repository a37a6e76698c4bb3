// Countries of addresses, with the database that is installed.
import { createRequire } from 'node:module';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import fc from 'fast-check';
import { countriesOnDemand, openCountries } from '../../../../../api/services/library/countries.js';
import { temporaryDirectory } from '../../../../support/temporary-directory.js';

const database = createRequire(import.meta.url).resolve(
  '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb',
);

function listeningLog(): { readonly warnings: string[]; warn(message: string): void } {
  const warnings: string[] = [];
  return { warnings, warn: (message) => void warnings.push(message) };
}

void t.test('addresses that everybody knows', async (t) => {
  const log = listeningLog();
  const countries = await openCountries(log);
  t.same(log.warnings, []);
  for (const { ip, country } of [
    { ip: '8.8.8.8', country: 'US' },
    { ip: '::ffff:8.8.8.8', country: 'US' },
    { ip: '2001:4860:4860::8888', country: 'US' },
    // RIPE NCC, and DENIC
    { ip: '193.0.6.139', country: 'NL' },
    { ip: '81.91.170.12', country: 'DE' },
    // Addresses of no place, and what is no address.
    { ip: '127.0.0.1', country: '' },
    { ip: '10.1.2.3', country: '' },
    { ip: '192.168.0.1', country: '' },
    { ip: '100.64.0.1', country: '' },
    { ip: '169.254.1.1', country: '' },
    { ip: '224.0.0.1', country: '' },
    { ip: '0.0.0.0', country: '' },
    { ip: '::1', country: '' },
    { ip: 'fe80::1', country: '' },
    { ip: 'fe80::1%eth0', country: '' },
    { ip: 'fd00::1', country: '' },
    { ip: '', country: '' },
    { ip: 'localhost', country: '' },
    { ip: '8.8.8.8:80', country: '' },
  ]) {
    t.equal(countries.of(ip), country, ip);
  }
});

void t.test('any text gives two letters or nothing', async (t) => {
  const countries = await openCountries(listeningLog());
  const found = new Set<string>();
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()), (ip) => {
      const country = countries.of(ip);
      found.add(country);
      return country === '' || /^[A-Z]{2}$/.test(country);
    }),
    { numRuns: 1_000 },
  );
  t.ok(found.size > 5, `${found.size} countries`);
});

void t.test('it is read once, and only when it is asked for', async (t) => {
  const log = listeningLog();
  const path = join(await temporaryDirectory(), 'later.mmdb');
  const countries = countriesOnDemand(log, path);
  await writeFile(path, await readFile(database));
  t.equal(countries(), countries());
  t.equal((await countries()).of('8.8.8.8'), 'US');
  t.same(log.warnings, []);
});

void t.test('without a database, or with a damaged one: one warning and no countries', async (t) => {
  const directory = await temporaryDirectory();
  const damaged = join(directory, 'damaged.mmdb');
  await writeFile(damaged, (await readFile(database)).subarray(0, 100_000));
  for (const path of [join(directory, 'none.mmdb'), damaged]) {
    const log = listeningLog();
    const countries = countriesOnDemand(log, path);
    t.equal((await countries()).of('8.8.8.8'), '');
    t.equal((await countries()).of('8.8.4.4'), '');
    t.equal(log.warnings.length, 1);
  }
});

void t.test('a database that ends early or holds nonsense never throws', async (t) => {
  const path = join(await temporaryDirectory(), 'nonsense.mmdb');
  const bytes = await readFile(database);
  // Keeps the description at the end, which is all that opening looks at.
  bytes.fill(0xff, 0, bytes.length - 1_000);
  await writeFile(path, bytes);
  const countries = await openCountries(listeningLog(), path);
  for (const ip of ['8.8.8.8', '1.1.1.1', '2001:4860:4860::8888']) t.equal(countries.of(ip), '');
});
