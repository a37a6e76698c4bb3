// Reading addresses by hand, against a package that does it another way.
import t from 'tap';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { isIPv6 } from 'node:net';
import { mappedIpv4, parseIpv4, parseIpv6 } from '../../../shared-protocol/ip-address.js';
import '../../support/fuzzing.js';

function bytesOf(text: string): number[] | null {
  const words = new Uint32Array(4).fill(7);
  if (!parseIpv6(text, words)) return null;
  return [...words].flatMap((word) => [word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255, word & 255]);
}

void t.test('IPv4', async (t) => {
  for (const [text, value] of [
    ['0.0.0.0', 0],
    ['255.255.255.255', 2 ** 32 - 1],
    ['1.2.3.4', 0x01020304],
    ['001.009.096.105', 0x01096069],
    ['128.0.0.1', 0x80000001],
  ] as const) {
    t.equal(parseIpv4(text), value, text);
  }
  const none = ['', '1', '1.2.3', '1.2.3.4.5', '1.2.3.', '.1.2.3', '1..2.3', '256.1.1.1', '0001.1.1.1', '1.2.3.4 '];
  for (const text of [...none, ' 1.2.3.4', '1.2.3.a', '-1.2.3.4', '1.2.3.4/8', '::1', '1,2,3,4']) {
    t.equal(parseIpv4(text), -1, JSON.stringify(text));
  }
});

void t.test('IPv6 in all its spellings', async (t) => {
  for (const text of [
    '::',
    '::1',
    '1::',
    '2001:db8::',
    '2001:DB8::ff',
    '1:2:3:4:5:6:7:8',
    '1:2:3:4:5:6:7::',
    '::2:3:4:5:6:7:8',
    '1::8',
    'fe80::1:2:3',
    '::ffff:1.2.3.4',
    '64:ff9b::192.0.2.33',
    '1:2:3:4:5:6:1.2.3.4',
    'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  ]) {
    t.same(bytesOf(text), ipaddr.IPv6.parse(text).toByteArray(), text);
  }
  for (const text of [
    ...['', ':', ':::', '1', '1:', ':1', '1:2:3:4:5:6:7', '1:2:3:4:5:6:7:8:9', '1::2::3', '12345::', 'g::', '1:::2'],
    ...['::1 ', '[::1]', '::1%eth0', '::1.2.3', '1:2:3:4:5:6:7:1.2.3.4', '::1.2.3.4:5', '1:2:3:4:5:6:7:8::', '::1:'],
    ...['1.2.3.4', '::1.2.3.256', '1:2:3:4::5:6:7:8'],
  ]) {
    t.equal(bytesOf(text), null, JSON.stringify(text));
  }
});

void t.test('IPv6 as the system understands it', async () => {
  const piece = fc.constantFrom('0', '1', 'ab', 'ffff', '0db8', '12345', ':', '::', '1.2.3.4', '');
  const written = fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join(':'));
  const any = fc.oneof(written, fc.ipV6(), fc.string({ unit: fc.constantFrom(...'0123af:.'), maxLength: 40 }));
  fc.assert(
    fc.property(any, (text) => {
      // In the one spelling of RFC 5952, since the package has ideas of its own about others.
      const isAddress = isIPv6(text) && !text.includes('%');
      const expected = isAddress
        ? ipaddr.IPv6.parse(new URL(`http://[${text}]/`).hostname.slice(1, -1)).toByteArray()
        : null;
      return JSON.stringify(bytesOf(text)) === JSON.stringify(expected);
    }),
    { numRuns: 5_000 },
  );
});

void t.test('the IPv4 address in a mapped one', async (t) => {
  const words = new Uint32Array(4);
  parseIpv6('::ffff:1.2.3.4', words);
  t.equal(mappedIpv4(words), 0x01020304);
  parseIpv6('::1.2.3.4', words);
  t.equal(mappedIpv4(words), -1);
});
