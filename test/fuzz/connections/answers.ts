// What a server that is fetched from may answer, right and wrong, and how it may end. A URL says which answer, how much of
// it and which ending, so that trackers, web seeds, feeds and fetches can all be sent there.
import { gzipSync } from 'node:zlib';
import type { Socket } from 'node:net';
import type { SeededRandom } from '../../support/seeded-random.js';
import { startRudeServer, type RudeServer } from '../../support/rude-server.js';
import { reset } from './reset.js';

const BODY = 'd8:intervali1800e5:peers0:e';
const OK = 'HTTP/1.1 200 OK\r\n';

const ANSWERS: readonly Uint8Array[] = [
  'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: anything\r\n\r\n',
  'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n\x81\x05hello',
  'HTTP/1.1 101 Switching Protocols\r\n\r\n',
  `${OK}Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
  `${OK}Content-Length: ${BODY.length}\r\n\r\n${BODY}`,
  `${OK}Content-Length: 100000\r\n\r\n${BODY}`,
  `${OK}\r\n${BODY}`,
  `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nd8:in\r\n0\r\nTrailer: x\r\n\r\n`,
  `${OK}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nx`,
  `${OK}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!`,
  `${OK}Content-Length: 5\r\n\r\nhello${OK}Content-Length: 5\r\n\r\nagain`,
  'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n',
  'HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-9/10\r\nContent-Length: 10\r\n\r\n0123456789',
  'HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n',
  'HTTP/1.1 304 Not Modified\r\n\r\n',
  'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n',
  `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
  'HTTP/2.0 200 OK\r\n\r\n',
  'SSH-2.0-OpenSSH_9.2\r\n',
].map((text) => Buffer.from(text, 'latin1'));

const GZIPPED = gzipSync(BODY);
const ALL = [
  ...ANSWERS,
  Buffer.concat([Buffer.from(`${OK}Content-Encoding: gzip\r\nContent-Length: ${GZIPPED.length}\r\n\r\n`), GZIPPED]),
];

const ENDINGS = ['fin', 'reset', 'reset soon', 'garbage, fin', 'garbage, reset', 'keep'] as const;
const SOON_MS = 5;
/** Who waits for more of an answer than comes gets its end then. */
const KEEP_MS = 200;
const GARBAGE_BYTES = 500;

/** A path that makes the server answer so, like no other with another number. */
export function rudePath(random: SeededRandom, number: number): string {
  const which = random.below(ALL.length);
  const length = ALL[which]!.length;
  // Whole answers are where most of the code is.
  const cut = random.below(2) === 0 ? length : random.below(length + 1);
  return `/announce/${number}/${which}/${cut}/${random.below(ENDINGS.length)}`;
}

export interface RudeAnswers extends Pick<RudeServer, 'port' | 'origin' | 'close'> {
  /** Whether anybody came for a path of this number. */
  isAsked(number: number): boolean;
}

export async function startRudeAnswers(random: SeededRandom): Promise<RudeAnswers> {
  const asked = new Set<number>();
  const server = await startRudeServer((head, socket) => {
    const [, number, which = '0', cut = '0', ending = '0'] = /\/(\d+)\/(\d+)\/(\d+)\/(\d)/.exec(head) ?? [];
    asked.add(Number(number));
    const said = ALL[Number(which)]!.subarray(0, Number(cut));
    end(socket, said, ENDINGS[Number(ending)] ?? 'fin', random);
  });
  const { port, origin, close } = server;
  return { port, origin, close, isAsked: (number) => asked.has(number) };
}

function end(socket: Socket, said: Uint8Array, ending: (typeof ENDINGS)[number], random: SeededRandom): void {
  if (said.length > 0) socket.write(said);
  if (ending.startsWith('garbage')) socket.write(random.bytes(1 + random.below(GARBAGE_BYTES)));
  if (ending === 'fin' || ending === 'garbage, fin') socket.end();
  else if (ending === 'reset') reset(socket);
  else setTimeout(() => reset(socket), ending === 'keep' ? KEEP_MS : SOON_MS);
}
