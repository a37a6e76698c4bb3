import t from 'tap';
import fc from 'fast-check';
import {
  connectable,
  formatAddress,
  isConnectable,
  isLocalHost,
  networkOf,
  normalizeAddress,
  parseAddress,
} from '../../../../engine/net/address.js';

void t.test('addresses as people write them', async (t) => {
  const cases: Readonly<Record<string, string>> = {
    '192.0.2.1:6881': '192.0.2.1:6881',
    '[2001:DB8:0:0:0:0:0:1]:1': '[2001:db8::1]:1',
    '[::ffff:192.0.2.1]:65535': '192.0.2.1:65535',
    '192.0.2.1:00080': '192.0.2.1:80',
  };
  for (const [text, key] of Object.entries(cases)) t.equal(formatAddress(parseAddress(text)), key, text);
});

void t.test('anything else is refused, with the text in the message', async (t) => {
  for (const text of [
    '',
    'host.example:6881',
    '192.0.2.1',
    '192.0.2.1:',
    '192.0.2.1:0',
    '192.0.2.1:65536',
    '192.0.2.1:123456',
    '192.0.2.256:1',
    '192.0.2.1:-1',
    ' 192.0.2.1:1',
    '192.0.2.1:1\n',
    '2001:db8::1:6881',
    '[2001:db8::1]',
    '[2001:db8::1:6881',
    '[fe80::1%eth0]:6881',
    '[:::1]:6881',
    '1:80',
    '192.2:80',
    '3221225985:80',
  ]) {
    t.throws(() => parseAddress(text), { code: 'PEER_ADDRESS_INVALID' }, JSON.stringify(text));
  }
  t.throws(() => parseAddress('x'.repeat(10_000)), { message: /^.{0,200}$/ }, 'no more of it than is useful');
});

void t.test('format and parse agree for every address', async () => {
  const host = fc.oneof(fc.ipV4(), fc.ipV6());
  fc.assert(
    fc.property(host, fc.integer({ min: 1, max: 65_535 }), (host, port) => {
      const address = normalizeAddress({ host, port });
      const again = parseAddress(formatAddress(address));
      return again.host === address.host && again.port === address.port;
    }),
  );
});

void t.test('what may be connected to', async (t) => {
  for (const host of ['192.0.2.1', '127.0.0.1', '10.1.2.3', '::1', '2001:db8::1']) {
    t.equal(isConnectable({ host, port: 6881 }), true, host);
  }
  for (const host of [
    '0.0.0.0',
    '::',
    '255.255.255.255',
    '224.0.0.1',
    'ff02::1',
    '::ffff:224.0.0.1',
    'localhost',
    '',
  ]) {
    t.equal(isConnectable({ host, port: 6881 }), false, host);
  }
  for (const port of [0, -1, 65_536, 80.5, NaN])
    t.equal(isConnectable({ host: '192.0.2.1', port }), false, `port ${port}`);
});

void t.test('an address that may be connected to has one spelling', async (t) => {
  for (const [host, spelled] of [
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:201', '192.0.2.1'],
    ['2001:DB8:0::1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1%eth0'],
    ['2001:db8::1%eth0', null],
    ['fe80::1%aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', null],
    ['010.0.0.1', null],
    ['2130706433', null],
    ['0x7f.1', null],
  ] as const) {
    t.equal(connectable({ host, port: 6881 })?.host ?? null, spelled, host);
  }
});

void t.test('whatever the text, a spelling is final or refused', async () => {
  const host = fc.oneof(fc.ipV4(), fc.ipV4Extended(), fc.ipV6(), fc.string(), fc.stringMatching(/^[0-9a-f:.%]{0,70}$/));
  fc.assert(
    fc.property(host, fc.integer(), (host, port) => {
      const once = connectable({ host, port });
      isLocalHost(host);
      networkOf(host);
      if (!once) return true;
      const twice = connectable(once);
      return twice?.host === once.host && twice.port === once.port && networkOf(host) === networkOf(once.host);
    }),
  );
});

void t.test('what is close', async (t) => {
  for (const host of [
    '127.0.0.1',
    '127.3.2.1',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '169.254.1.1',
    '::1',
    'fe80::1',
    'fd00::1',
    '::ffff:10.0.0.1',
  ]) {
    t.equal(isLocalHost(host), true, host);
  }
  // Behind carrier-grade NAT are strangers: 100.64.0.0/10.
  for (const host of ['192.0.2.1', '172.32.0.1', '100.64.0.1', '2001:db8::1', '::ffff:192.0.2.1', 'localhost', '']) {
    t.equal(isLocalHost(host), false, host);
  }
});

void t.test('the network of a subscriber', async (t) => {
  for (const [host, network] of [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::', '2001:db8:1:3::/64'],
    // NAT64: each is another IPv4 host.
    ['64:ff9b::c000:201', '64:ff9b::c000:201'],
    ['nonsense', 'nonsense'],
  ] as const) {
    t.equal(networkOf(host), network, host);
  }
});
