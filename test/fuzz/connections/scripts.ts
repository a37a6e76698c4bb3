// What may be said to the listeners of a daemon, right and wrong: HTTP and WebSocket, peers in plain and encrypted, and
// the first bytes of TLS. Each may be cut at any byte.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { multipart } from '../../support/api-harness.js';
import { attacksOn } from '../../support/peers/attacks.js';
import { extended, frame, fullBitfield, handshake, ID, request } from '../../support/peers/raw-peer.js';
import { SeededRandom } from '../../support/seeded-random.js';

const KEY_BYTES = 96;
const UPGRADE =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n';

export interface Account {
  readonly url: string;
  readonly cookie: string;
}

/** Of a stranger, and of somebody with a cookie. */
export function httpScripts({ url, cookie }: Account, torrent: Uint8Array): Uint8Array[] {
  const host = `Host: ${new URL(url).host}\r\n`;
  const signedIn = `${host}Cookie: ${cookie}\r\nOrigin: ${url}\r\n`;
  const form = multipart({ file: torrent, save_path: '' });
  const body = Buffer.from(form.body as Uint8Array); // multipart makes bytes
  const type = `Content-Type: ${String(form.headers?.['content-type'])}\r\n`;
  const login = '{"username":"admin","password":"wrong"}';
  const chunked = `7\r\n{"limit\r\n5\r\n":[]}\r\n0\r\nTrailer: x\r\n\r\n`;
  const texts = [
    `GET /api/healthz HTTP/1.1\r\n${host}\r\n`,
    `GET / HTTP/1.0\r\n\r\n`,
    `GET /api/torrents HTTP/1.1\r\n${signedIn}Accept-Encoding: gzip\r\n\r\n`,
    `GET /api/torrents HTTP/1.1\r\n${signedIn}\r\nGET /api/me HTTP/1.1\r\n${signedIn}\r\nGET / HTTP/1.1\r\n${host}\r\n`,
    `GET /api/openapi.json HTTP/1.1\r\n${signedIn}\r\n`,
    `POST /api/login HTTP/1.1\r\n${host}Content-Length: ${login.length}\r\n\r\n${login}`,
    `PUT /api/settings/limits HTTP/1.1\r\n${signedIn}Transfer-Encoding: chunked\r\n\r\n${chunked}`,
    `PUT /api/settings/limits HTTP/1.1\r\n${signedIn}Expect: 100-continue\r\nContent-Length: 4\r\n\r\nnull`,
    `CONNECT evil.example:443 HTTP/1.1\r\n${host}\r\nmore`,
    `OPTIONS * HTTP/1.1\r\n${host}\r\n`,
    `GET / HTTP/1.1\r\n${host}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n\r\n`,
    `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
    `GET / HTTP/1.1\r\n${host}X: ${'x'.repeat(20_000)}\r\n\r\n`,
    `GET /api/ws HTTP/1.1\r\n${host}${UPGRADE}\r\n`,
    `GET /elsewhere HTTP/1.1\r\n${signedIn}${UPGRADE}\r\n`,
    `GET /api/ws HTTP/1.1\r\n${signedIn}${UPGRADE.replace('13', '99')}\r\n`,
  ];
  const socket = `GET /api/ws?frames=delta HTTP/1.1\r\n${signedIn}${UPGRADE}Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n`;
  return [
    ...texts.map((text) => Buffer.from(text)),
    Buffer.concat([
      Buffer.from(`POST /api/torrents/file HTTP/1.1\r\n${signedIn}${type}Content-Length: ${body.length}\r\n\r\n`),
      body,
    ]),
    ...FRAMES.map((frames) => Buffer.concat([Buffer.from(socket), frames])),
  ];
}

/** Of a client (RFC 6455): text, ping, close; unmasked, too long, a reserved bit, a length of 2^63, half a fragment. */
const FRAMES: readonly Buffer[] = [
  Buffer.concat([masked(0x81, 'hello'), masked(0x89, 'ping'), masked(0x88, '\x03\xe8bye')]),
  Buffer.concat([masked(0x81, 'x'.repeat(100)), masked(0x89, ''), masked(0x8a, 'pong')]),
  Buffer.from([0x81, 0x02, 0x68, 0x69]),
  Buffer.from([0x82, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4]),
  Buffer.from([0xf1, 0x80, 1, 2, 3, 4]),
  Buffer.concat([masked(0x01, 'begun'), masked(0x81, 'and another')]),
  masked(0x88, '\x00'),
];

function masked(first: number, text: string): Buffer {
  const payload = Buffer.from(text, 'latin1');
  return Buffer.concat([Buffer.from([first, 0x80 | payload.length, 0, 0, 0, 0]), payload]);
}

/** Of a torrent with so many pieces of 256 KiB, which the daemon seeds. */
export function peerScripts(infoHash: string, pieces: number, seed: number): Uint8Array[] {
  const hello = handshake(infoHash, { fast: true, extended: true });
  const requests = Array.from({ length: 64 }, (_, index) => request(index % pieces, 0));
  const random = new SeededRandom(seed);
  return [
    Buffer.concat([hello, extended('d1:md6:ut_pexi1e11:ut_metadatai2eee'), frame(ID.interested), ...requests]),
    Buffer.concat([hello, fullBitfield(pieces), frame(ID.unchoke), frame(ID.haveNone), frame(ID.haveAll)]),
    Buffer.concat([handshake(infoHash), Buffer.alloc(64)]),
    // A key of MSE with its pad, and what does not follow from it.
    ...Array.from({ length: 4 }, () => random.bytes(KEY_BYTES + random.below(600))),
    ...attacksOn(pieces).map(({ bytes }) => Buffer.concat([handshake(infoHash), bytes])),
  ];
}

/** The first flight of a real client. */
export async function clientHello(): Promise<Uint8Array> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const client = connectTls({ host: '127.0.0.1', port: typeof address === 'object' && address ? address.port : 0 });
  client.on('error', () => undefined);
  const [accepted] = (await once(server, 'connection')) as [ReturnType<typeof connectTls>];
  const [hello] = (await once(accepted, 'data')) as [Buffer];
  accepted.destroy();
  client.destroy();
  server.close();
  return hello;
}
