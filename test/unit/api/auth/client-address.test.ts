// Who a request is from, with and without proxies that may speak for others.
import t from 'tap';
import { clientAddress, type ClientAddress, type Incoming } from '../../../../api/auth/client-address.js';
import { testOptions } from '../../../support/api-harness.js';

const { trustedProxies } = testOptions(['--trusted-proxies', '10.0.0.0/8']);

const requestFrom = (remoteAddress: string, headers: Record<string, string>): Incoming => ({
  socket: { remoteAddress },
  headers: { host: 'box', ...headers },
});

const table: { name: string; from: string; headers: Record<string, string>; expected: ClientAddress }[] = [
  {
    name: 'nobody may speak for others unless trusted',
    from: '192.0.2.9',
    headers: { 'x-forwarded-for': '198.51.100.1', 'x-forwarded-host': 'evil', 'x-forwarded-proto': 'https' },
    expected: { ip: '192.0.2.9', host: 'box', isSecure: false },
  },
  {
    name: 'a trusted proxy may',
    from: '10.1.1.1',
    headers: { 'x-forwarded-for': '198.51.100.1', 'x-forwarded-host': 'public', 'x-forwarded-proto': 'https' },
    expected: { ip: '198.51.100.1', host: 'public', isSecure: true },
  },
  {
    name: 'what the client wrote itself is left of the last unknown hop',
    from: '::ffff:10.1.1.1',
    headers: { 'x-forwarded-for': '203.0.113.7, 198.51.100.1, 10.2.2.2' },
    expected: { ip: '198.51.100.1', host: 'box', isSecure: false },
  },
  ...[
    { said: '203.0.113.7, 198.51.100.1:5678', ip: '198.51.100.1' },
    { said: '203.0.113.7, [2001:db8::1]:5678, 10.2.2.2:80', ip: '2001:db8::1' },
    { said: '[2001:db8::1]', ip: '2001:db8::1' },
    { said: '2001:db8::1', ip: '2001:db8::1' },
    { said: '203.0.113.7, unknown', ip: '10.1.1.1' },
    { said: '203.0.113.7, _hidden, 10.2.2.2', ip: '10.1.1.1' },
    { said: '203.0.113.7, 198.51.100.1:x', ip: '10.1.1.1' },
    { said: '203.0.113.7, 1', ip: '10.1.1.1' },
    { said: '10.3.3.3, 10.2.2.2', ip: '10.3.3.3' },
  ].map(({ said, ip }) => ({
    name: `X-Forwarded-For: ${said}`,
    from: '10.1.1.1',
    headers: { 'x-forwarded-for': said },
    expected: { ip, host: 'box', isSecure: false },
  })),
  {
    name: 'a proxy that says nothing',
    from: '10.1.1.1',
    headers: {},
    expected: { ip: '10.1.1.1', host: 'box', isSecure: false },
  },
];
for (const { name, from, headers, expected } of table) {
  void t.test(name, async (t) => t.same(clientAddress(requestFrom(from, headers), trustedProxies, false), expected));
}
