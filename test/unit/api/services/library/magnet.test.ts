// The link in lists: what others add the torrent by, however many trackers it has.
import fc from 'fast-check';
import t from 'tap';
import { formatMagnet, shownMagnet } from '../../../../../api/services/library/magnet.js';
import { parseMagnet } from '../../../../../engine/metainfo/magnet.js';
import { safeElement } from '../../../../../engine/metainfo/index.js';
import { parseInfoHash } from '../../../../../shared-protocol/ids.js';
import { MAX_MAGNET_TRACKER_CHARS } from '../../../../../shared-protocol/torrent-bounds.js';

const id = parseInfoHash('dd8255ecdc7ca55fb0bbf81323d87062db1f6d1c');
const BASE = `magnet:?xt=urn:btih:${id}`;

void t.test('what is written', async (t) => {
  t.equal(
    formatMagnet({ id, name: 'a b&c', trackers: 'http://a/?k=1&l=2\nudp://b:1' }),
    `${BASE}&dn=a%20b%26c&tr=http%3A%2F%2Fa%2F%3Fk%3D1%26l%3D2&tr=udp%3A%2F%2Fb%3A1`,
  );
  t.equal(formatMagnet({ id, name: '', trackers: '' }), BASE);
  t.equal(parseMagnet(formatMagnet({ id, name: 'a\ud800', trackers: '' })).name, 'a\ufffd');
});

void t.test('is read again', async (t) => {
  const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 100 }).filter((text) => text.trim() === text);
  const urls = fc.uniqueArray(fc.webUrl({ withQueryParameters: true }), { maxLength: 5 });
  const isRead = fc.property(name, urls, (dn, trackers) => {
    const magnet = parseMagnet(formatMagnet({ id, name: dn, trackers: trackers.join('\n') }));
    return magnet.name === safeElement(dn) && magnet.trackers.flat().every((url) => trackers.includes(url));
  });
  t.doesNotThrow(() => fc.assert(isRead, { numRuns: 500 }));
});

void t.test('the first of many trackers are in it, encoded and masked', async (t) => {
  const trackers = Array.from({ length: 8 }, (_, i) => `http://t${i}.example/${'/'.repeat(2_000)}`);
  const facts = { id, name: 'n', trackers: trackers.join('\n'), isPrivate: false };
  const whole = shownMagnet(facts, 'owner');
  t.ok(whole.length <= `${BASE}&dn=n`.length + MAX_MAGNET_TRACKER_CHARS, `${whole.length} characters`);
  t.same(parseMagnet(whole).trackers.flat(), trackers.slice(0, 1));
  // Each mask is longer than what it hides.
  const keys = Array.from({ length: 16 }, (_, i) => `http://t${i}.example/?${'key=a&'.repeat(150)}`).join('\n');
  const masked = shownMagnet({ ...facts, trackers: keys }, 'viewer');
  t.notMatch(masked, /key%3Da/);
  t.match(masked, /&tr=http%3A%2F%2Ft0\./);
  t.ok(masked.length <= `${BASE}&dn=n`.length + MAX_MAGNET_TRACKER_CHARS, `${masked.length} characters`);
  t.equal(shownMagnet({ ...facts, trackers: keys, isPrivate: true }, 'viewer'), `${BASE}&dn=n`);
});
