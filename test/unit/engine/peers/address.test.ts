import t from 'tap';
import fc from 'fast-check';
import { formatAddress, isConnectable, normalizeAddress, parseAddress } from '../../../../engine/peers/address.js';

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
  for (const port of [0, -1, 65_536]) t.equal(isConnectable({ host: '192.0.2.1', port }), false, `port ${port}`);
});
