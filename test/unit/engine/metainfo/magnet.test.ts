// Magnet links (BEP 9, BEP 53).
import t from 'tap';
import { parseMagnet } from '../../../../engine/metainfo/magnet.js';
import type { Magnet } from '../../../../engine/metainfo/types.js';
import { parseInfoHash } from '../../../../shared-protocol/ids.js';
import { MAX_TRACKERS, MAX_WEB_SEEDS } from '../../../../shared-protocol/torrent-bounds.js';

const HASH = 'dd8255ecdc7ca55fb0bbf81323d87062db1f6d1c';
/** The same, as older clients write it. */
const HASH_BASE32 = '3WBFL3G4PSSV7MF37AJSHWDQMLNR63I4';
const BASE = `magnet:?xt=urn:btih:${HASH}`;

void t.test('what is read', async (t) => {
  const cases: { name: string; given: string; expected: Partial<Magnet> }[] = [
    {
      name: 'the least',
      given: BASE,
      expected: { infoHash: parseInfoHash(HASH), name: null, trackers: [], peers: [], webSeeds: [], selectOnly: null },
    },
    {
      name: 'upper case',
      given: `MAGNET:?XT=URN:BTIH:${HASH.toUpperCase()}`,
      expected: { infoHash: parseInfoHash(HASH) },
    },
    { name: 'base32', given: `magnet:?xt=urn:btih:${HASH_BASE32}`, expected: { infoHash: parseInfoHash(HASH) } },
    {
      name: 'base32 in lower case',
      given: `magnet:?xt=urn:btih:${HASH_BASE32.toLowerCase()}`,
      expected: { infoHash: parseInfoHash(HASH) },
    },
    {
      name: 'base32 of zeroes keeps its length',
      given: `magnet:?xt=urn:btih:${'A'.repeat(31)}B`,
      expected: { infoHash: parseInfoHash(`${'0'.repeat(39)}1`) },
    },
    { name: 'a bare hash', given: ` ${HASH.toUpperCase()}\n`, expected: { infoHash: parseInfoHash(HASH), name: null } },
    { name: 'a bare hash in base32', given: HASH_BASE32, expected: { infoHash: parseInfoHash(HASH), trackers: [] } },
    { name: 'an escaped topic', given: `magnet:?xt=urn%3Abtih%3A${HASH}`, expected: { infoHash: parseInfoHash(HASH) } },
    { name: 'a numbered topic', given: `magnet:?xt.1=urn:btih:${HASH}`, expected: { infoHash: parseInfoHash(HASH) } },
    {
      name: 'a hybrid is used as version 1',
      given: `magnet:?xt=urn:btmh:1220${'a'.repeat(64)}&xt=urn:btih:${HASH}`,
      expected: { infoHash: parseInfoHash(HASH) },
    },
    { name: 'spaces around', given: `  ${BASE}\n`, expected: { infoHash: parseInfoHash(HASH) } },
    { name: 'a name', given: `${BASE}&dn=A+b%20c%C3%BC`, expected: { name: 'A b cü' } },
    { name: 'an empty name', given: `${BASE}&dn=`, expected: { name: null } },
    { name: 'a name with broken escapes', given: `${BASE}&dn=100%&dn=x`, expected: { name: '100%' } },
    { name: 'a name that is not UTF-8', given: `${BASE}&dn=a%FFb`, expected: { name: 'a\ufffdb' } },
    { name: 'a name that leads out', given: `${BASE}&dn=../%00etc%2Fx%E2%80%AEy`, expected: { name: '..__etc_xy' } },
    { name: 'a long name', given: `${BASE}&dn=${'x'.repeat(2_000)}`, expected: { name: 'x'.repeat(240) } },
    {
      name: 'trackers, a tier each, "=" and "+" kept',
      given: `${BASE}&tr=http%3A%2F%2Fa%2Fannounce%3Fkey%3D1+2&tr.2=udp://b:80&tr=wss://c&tr=http://a/?x=1=2`,
      expected: { trackers: [['http://a/announce?key=1+2'], ['udp://b:80'], ['http://a/?x=1=2']] },
    },
    {
      name: 'copied from HTML',
      given: `${BASE}&amp;dn=n&amp;tr=udp://b:80`,
      expected: { name: 'n', trackers: [['udp://b:80']] },
    },
    {
      name: 'peers',
      given: `${BASE}&x.pe=127.0.0.1:6881&x.pe=[2001:DB8::1]:1&x.pe=%5B%3A%3A1%5D%3A65535&x.pe=127.0.0.1:6881`,
      expected: {
        peers: [
          { host: '127.0.0.1', port: 6881 },
          { host: '2001:db8::1', port: 1 },
          { host: '::1', port: 65535 },
        ],
      },
    },
    {
      name: 'peers that are none',
      given: `${BASE}&x.pe=host.example:1&x.pe=1.2.3.4&x.pe=1.2.3.4:0&x.pe=1.2.3.4:65536&x.pe=1.2.3:1&x.pe=::1:5&x.pe=[1.2.3.4]:5`,
      expected: { peers: [] },
    },
    { name: 'web seeds', given: `${BASE}&ws=https%3A%2F%2Fw%2Ff&ws=ftp://w`, expected: { webSeeds: ['https://w/f'] } },
    {
      name: 'the selection of BEP 53',
      given: `${BASE}&so=0,2,4,6-8`,
      expected: {
        selectOnly: [
          { first: 0, last: 0 },
          { first: 2, last: 2 },
          { first: 4, last: 4 },
          { first: 6, last: 8 },
        ],
      },
    },
    {
      name: 'a selection unsorted, overlapping and in part nonsense',
      given: `${BASE}&so=7-9,1-3,2-4,5,9-8,-1,x,1e3,`,
      expected: {
        selectOnly: [
          { first: 1, last: 5 },
          { first: 7, last: 9 },
        ],
      },
    },
    {
      name: 'a selection without end costs nothing',
      given: `${BASE}&so=0-999999999999`,
      expected: { selectOnly: [{ first: 0, last: 999_999_999_999 }] },
    },
    { name: 'a selection of nothing', given: `${BASE}&so=x`, expected: { selectOnly: null } },
    {
      name: 'parameters without meaning',
      given: `${BASE}&&=&x&=y&__proto__=z&constructor=q`,
      expected: { name: null },
    },
  ];
  for (const { name, given, expected } of cases) {
    const magnet = parseMagnet(given);
    for (const key of Object.keys(expected) as (keyof Magnet)[])
      t.strictSame(magnet[key], expected[key], `${name}: ${key}`);
  }
});

void t.test('what is refused', async (t) => {
  const cases: { name: string; given: string; expected: RegExp }[] = [
    { name: 'nothing', given: '', expected: /does not begin with "magnet:\?"/ },
    { name: 'another scheme', given: `http://x/?xt=urn:btih:${HASH}`, expected: /does not begin with/ },
    { name: 'a bare hash that is too long', given: `${HASH}0`, expected: /does not begin with/ },
    { name: 'no topic', given: 'magnet:?dn=x', expected: /no "urn:btih:"/ },
    { name: 'a short hash', given: `magnet:?xt=urn:btih:${HASH.slice(1)}`, expected: /neither 40 hexadecimal/ },
    { name: 'a hash that is not hexadecimal', given: `magnet:?xt=urn:btih:${'g'.repeat(40)}`, expected: /"gggg/ },
    { name: 'a digit that base32 lacks', given: `magnet:?xt=urn:btih:${'1'.repeat(32)}`, expected: /neither/ },
    { name: 'a hash with a tail', given: `magnet:?xt=urn:btih:${HASH}00`, expected: /neither/ },
    { name: 'version 2 only', given: `magnet:?xt=urn:btmh:1220${'a'.repeat(64)}`, expected: /version 2 only/ },
    {
      name: 'another network',
      given: 'magnet:?xt=urn:sha1:YNCKHTQCWBTRNJIV4WNAE52SJUQCZO5C',
      expected: /no "urn:btih:"/,
    },
    { name: 'too long', given: `${BASE}&dn=${'x'.repeat(65_536)}`, expected: /characters, at most 65536/ },
  ];
  for (const { name, given, expected } of cases) {
    t.throws(() => parseMagnet(given), { code: 'MAGNET_INVALID', message: expected }, name);
  }
});

void t.test('what is kept of it has an end', async (t) => {
  const many = Array.from({ length: 250 }, (_, i) => `&x.pe=1.2.3.4:${i + 1}&tr=http://t${i}/a&ws=http://w${i}/f`);
  const magnet = parseMagnet(BASE + many.join(''));
  t.equal(magnet.peers.length, 200);
  t.equal(magnet.trackers.length, MAX_TRACKERS);
  t.equal(magnet.webSeeds.length, MAX_WEB_SEEDS);
  const selected = Array.from({ length: 5_000 }, (_, i) => 2 * i).join(',');
  t.equal(parseMagnet(`${BASE}&so=${selected}`).selectOnly?.length, 1_000);
});
