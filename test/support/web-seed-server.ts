// A web seed on loopback (BEP 19): a plain HTTP or HTTPS server that knows ranges. `respond` answers instead of it;
// the misbehaviours of docs/limits.md 2.24 come ready made.
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { gzipSync } from 'node:zlib';
import { TEST_CERTIFICATE, TEST_KEY } from './tls-fixture.js';

export interface SeenRequest {
  /** Path and query as they came. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** Both ends included; null without a `Range` header. */
  readonly range: { readonly first: number; readonly last: number } | null;
  /** Number of the connection it came over, from 1. */
  readonly connection: number;
}

export interface Exchange extends SeenRequest {
  readonly response: ServerResponse;
  /** The whole file, and what of it was asked for; empty where there is no such file. */
  readonly file: Uint8Array;
  readonly part: Uint8Array;
  /** Of all requests, from 0. */
  readonly index: number;
}

/** False leaves the request to the server. */
export type Respond = (exchange: Exchange) => boolean;

export interface WebSeedServerOptions {
  /** By path, percent-encoded as it comes in requests, with a slash at the start. */
  readonly files: Readonly<Record<string, Uint8Array>>;
  readonly respond?: Respond;
  /** With the certificate of {@link TEST_CERTIFICATE}, for `localhost`. */
  readonly https?: boolean;
}

export interface WebSeedServer {
  readonly port: number;
  /** Without a slash at the end. */
  readonly origin: string;
  readonly requests: readonly SeenRequest[];
  /** Responses whose connection ended before they did. */
  readonly abortedResponses: number;
  close(): Promise<void>;
}

export async function startWebSeedServer(options: WebSeedServerOptions): Promise<WebSeedServer> {
  const requests: SeenRequest[] = [];
  let connections = 0;
  let abortedResponses = 0;
  const numbers = new WeakMap<object, number>();
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const connection = numbers.get(request.socket) ?? ++connections;
    numbers.set(request.socket, connection);
    const seen = { path: request.url ?? '', headers: request.headers, range: readRange(request), connection };
    requests.push(seen);
    response.on('close', () => {
      if (!response.writableFinished) abortedResponses++;
    });
    const file = options.files[seen.path.replace(/\?.*$/, '')] ?? new Uint8Array(0);
    const part = seen.range ? file.subarray(seen.range.first, seen.range.last + 1) : file;
    const exchange = { ...seen, response, file, part, index: requests.length - 1 };
    if (options.respond?.(exchange)) return;
    if (part.length === 0) response.writeHead(404).end('no such file');
    else answer(exchange);
  };
  const server = options.https
    ? createHttpsServer({ cert: TEST_CERTIFICATE, key: TEST_KEY }, onRequest)
    : createHttpServer(onRequest);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    port,
    origin: options.https ? `https://localhost:${port}` : `http://127.0.0.1:${port}`,
    requests,
    get abortedResponses() {
      return abortedResponses;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The range as it should be; `changes` replaces headers, undefined leaves one out. */
export function answer(exchange: Exchange, changes: Readonly<Record<string, string | undefined>> = {}): void {
  const { response, part } = exchange;
  response.writeHead(206, rangeHeaders(exchange, changes)).end(part);
}

/** Ways in which a server may answer something else than was asked for. */
export const MISBEHAVIOURS = {
  /** All of the file, as servers do that know no ranges. */
  wholeFile: ({ response, file }) => done(response.writeHead(200, { 'content-length': file.length }).end(file)),
  /** Less than its headers say. */
  shortBody: (exchange) => {
    exchange.response.writeHead(206, rangeHeaders(exchange));
    exchange.response.write(exchange.part.subarray(0, exchange.part.length - 1), () => exchange.response.destroy());
    return true;
  },
  /** Less than the range, and says so in no header. */
  shortChunked: (exchange) => {
    exchange.response.writeHead(206, rangeHeaders(exchange, { 'content-length': undefined }));
    exchange.response.end(exchange.part.subarray(0, exchange.part.length - 1));
    return true;
  },
  longBody: (exchange) => {
    const { response, part } = exchange;
    response.writeHead(206, rangeHeaders(exchange, { 'content-length': String(part.length + 1) }));
    return done(response.end(Buffer.concat([part, Buffer.of(0)])));
  },
  longChunked: (exchange) => {
    exchange.response.writeHead(206, rangeHeaders(exchange, { 'content-length': undefined }));
    return done(exchange.response.end(Buffer.concat([exchange.part, Buffer.of(0)])));
  },
  /** As long as it should be, but from elsewhere. */
  shiftedRange: (exchange) => {
    const { first, last } = exchange.range ?? { first: 0, last: 0 };
    answer(exchange, { 'content-range': `bytes ${first + 1}-${last + 1}/${exchange.file.length + 1}` });
    return true;
  },
  otherTotal: (exchange) => {
    const { first, last } = exchange.range ?? { first: 0, last: 0 };
    answer(exchange, { 'content-range': `bytes ${first}-${last}/${exchange.file.length + 1}` });
    return true;
  },
  noContentRange: (exchange) => {
    answer(exchange, { 'content-range': undefined });
    return true;
  },
  gzip: (exchange) => {
    const body = gzipSync(exchange.part);
    const headers = { 'content-encoding': 'gzip', 'content-length': String(body.length) };
    exchange.response.writeHead(206, rangeHeaders(exchange, headers)).end(body);
    return true;
  },
  /** The range, and then zeroes for as long as somebody reads. */
  endless: (exchange) => {
    const { response, part } = exchange;
    response.writeHead(206, rangeHeaders(exchange, { 'content-length': undefined }));
    response.write(part);
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    };
    response.on('drain', more);
    more();
    return true;
  },
  hugeHeaders: (exchange) => {
    answer(exchange, { 'x-much': 'x'.repeat(20_000) });
    return true;
  },
  /** Nothing at all. */
  silent: () => true,
  /** Half of the range, then a reset. */
  reset: (exchange) => {
    const { response, part } = exchange;
    response.writeHead(206, rangeHeaders(exchange));
    response.write(part.subarray(0, part.length / 2), () => response.socket?.resetAndDestroy());
    return true;
  },
} satisfies Record<string, Respond>;

/** Answers with a status and no file. */
export function status(code: number, headers: Readonly<Record<string, string>> = {}): Respond {
  return ({ response }) => done(response.writeHead(code, headers).end('sorry'));
}

function done(_response: ServerResponse): true {
  return true;
}

function rangeHeaders(
  { range, file, part }: Exchange,
  changes: Readonly<Record<string, string | undefined>> = {},
): Record<string, string> {
  const headers: Record<string, string | undefined> = {
    'content-length': String(part.length),
    'content-range': `bytes ${range?.first ?? 0}-${range?.last ?? file.length - 1}/${file.length}`,
    ...changes,
  };
  const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(given);
}

function readRange(request: IncomingMessage): SeenRequest['range'] {
  const match = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
  return match ? { first: Number(match[1]), last: Number(match[2]) } : null;
}
