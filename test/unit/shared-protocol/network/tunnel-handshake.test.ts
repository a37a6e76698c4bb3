// What is said to proxies: the bytes of RFC 1928 and 1929, and CONNECT of HTTP, however they are cut.
import t from 'tap';
import { tunnelHandshake } from '../../../../shared-protocol/network/tunnel-handshake.js';
import type { TunnelHandshake } from '../../../../shared-protocol/network/tunnel-types.js';

const NAMED = { host: 'tracker.example', port: 6969 };
const ANNA = { username: 'anna', password: 'pä' };
const SOCKS = { kind: 'socks5', credentials: null } as const;
const HTTP = { kind: 'http', credentials: null } as const;
/** Connected, from 10.0.0.1:80. */
const GRANTED = [5, 0, 0, 1, 10, 0, 0, 1, 0, 80];

/** What is sent for each answer, and how it ends. */
function talk(handshake: TunnelHandshake, ...answers: readonly (readonly number[])[]): string[] {
  const said = [Buffer.from(handshake.begin()).toString('hex')];
  for (const answer of answers) {
    const step = handshake.push(Uint8Array.from(answer));
    if (step.kind === 'more') said.push(step.send ? Buffer.from(step.send).toString('hex') : '');
    else said.push(step.kind === 'open' ? `open ${Buffer.from(step.rest).toString('hex')}`.trim() : step.reason);
    if (step.kind !== 'more') break;
  }
  return said;
}

const name = Buffer.from('tracker.example').toString('hex');

void t.test('SOCKS5', async (t) => {
  const request = `050100030f${name}1b39`;
  t.same(talk(tunnelHandshake(SOCKS, NAMED), [5, 0], GRANTED), ['050100', request, 'open'], 'a name stays one');
  const targets = [
    { host: '8.8.8.8', expected: '05010001080808080050' },
    { host: '2001:db8::1', expected: '0501000420010db80000000000000000000000010050' },
    { host: '::ffff:8.8.8.8', expected: '05010001080808080050' },
  ];
  for (const { host, expected } of targets) {
    t.equal(talk(tunnelHandshake(SOCKS, { host, port: 80 }), [5, 0])[1], expected, host);
  }
  const withUser = () => tunnelHandshake({ kind: 'socks5', credentials: ANNA }, NAMED);
  t.same(
    talk(withUser(), [5, 2], [1, 0], GRANTED),
    ['05020002', `0104${Buffer.from('anna').toString('hex')}0370c3a4`, request, 'open'],
    'RFC 1929',
  );
  t.same(talk(withUser(), [5, 0], GRANTED), ['05020002', request, 'open'], 'a proxy that asks for none');
  t.equal(talk(withUser(), [5, 2], [1, 1]).at(-1), 'the proxy refuses the credentials');
  t.equal(talk(tunnelHandshake(SOCKS, NAMED), [5, 0xff]).at(-1), 'the proxy wants other credentials');
  t.equal(talk(tunnelHandshake(SOCKS, NAMED), [5, 2]).at(-1), 'the proxy wants other credentials', 'not offered');
  t.equal(talk(tunnelHandshake(SOCKS, NAMED), [4, 0]).at(-1), 'the proxy does not speak SOCKS5');
  t.equal(talk(tunnelHandshake(SOCKS, NAMED), [5, 0], [5, 5, 0, 1, 0]).at(-1), 'connection refused');
  t.equal(talk(tunnelHandshake(SOCKS, NAMED), [5, 0], [5, 2, 0, 1, 0]).at(-1), 'refused by the rules of the proxy');
  t.equal(talk(tunnelHandshake(SOCKS, NAMED), [5, 0], [5, 99, 0, 1, 0]).at(-1), 'the proxy failed');
  t.equal(talk(tunnelHandshake(SOCKS, NAMED), [5, 0], [5, 0, 0, 9, 0]).at(-1), 'the proxy does not speak SOCKS5');
  const bounds = [GRANTED, [5, 0, 0, 3, 2, 97, 98, 0, 80], [5, 0, 0, 4, ...Array<number>(16).fill(0), 0, 80]];
  for (const bound of bounds) {
    t.equal(talk(tunnelHandshake(SOCKS, NAMED), [5, 0], [...bound, 1, 2]).at(-1), 'open 0102', 'the rest is not lost');
    const bytes = [5, 0, ...bound];
    t.equal(talk(tunnelHandshake(SOCKS, NAMED), ...bytes.map((byte) => [byte])).at(-1), 'open', 'byte by byte');
    t.equal(talk(tunnelHandshake(SOCKS, NAMED), bytes).at(-1), 'open', 'all at once');
  }
});

void t.test('CONNECT of HTTP', async (t) => {
  const text = (handshake: TunnelHandshake) => Buffer.from(handshake.begin()).toString();
  const head = 'CONNECT tracker.example:6969 HTTP/1.1\r\nHost: tracker.example:6969\r\n';
  t.equal(text(tunnelHandshake(HTTP, NAMED)), `${head}\r\n`);
  t.match(text(tunnelHandshake(HTTP, { host: '2001:db8::1', port: 80 })), /^CONNECT \[2001:db8::1\]:80 /);
  t.equal(
    text(tunnelHandshake({ kind: 'http', credentials: ANNA }, NAMED)),
    `${head}Proxy-Authorization: Basic ${Buffer.from('anna:pä').toString('base64')}\r\n\r\n`,
  );
  const answered = (answer: string) => talk(tunnelHandshake(HTTP, NAMED), [...Buffer.from(answer)]).at(-1);
  t.equal(answered('HTTP/1.1 200 OK\r\nx: y\r\n\r\n\u0001'), 'open 01');
  t.equal(answered('HTTP/1.0 204 \r\n\r\n'), 'open');
  t.equal(answered('HTTP/1.1 407 Who?\r\n\r\n'), 'the proxy refuses the credentials');
  t.equal(answered('HTTP/1.1 403 No\r\n\r\n'), 'the proxy answers 403');
  t.equal(answered('HTTP/1.1 301 \r\n\r\n'), 'the proxy answers 301');
  t.equal(answered('SSH-2.0\r\n\r\n'), 'the proxy does not speak HTTP');
  t.equal(answered('x'.repeat(20_000)), 'the proxy does not speak HTTP', 'without an end');
  t.equal(answered('HTTP/1.1 200 OK\r\n'), '', 'not yet');
});
