// One request over a connection of its own (pinned-connection.ts): no pool, so nothing that was opened under one name or
// policy ever serves another. No time limits here: the caller gives up by the signal. Not undici: its parser of HTTP/1 brings the process down when a server ends the connection
// while the body waits to be read (nodejs/undici#5360), and what mends it needs Node 22.
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { fetchFailed } from './failure.js';
import { connecting, type PinnedTarget } from './pinned-connection.js';

/** The same limit as that of the API's own server; no spec value. */
const MAX_HEADER_BYTES = 16 * 1024;
/** Interim responses (RFC 9110, section 15.2) before the one that is waited for; no spec value. */
const MAX_INTERIM = 10;
/** Bytes that come beside those of a body, as the lines of its chunks: so many, what waits to be read among them, and half of the body. */
const MAX_BESIDE_BYTES = 128 * 1024;

export interface PinnedRequest extends PinnedTarget {
  /** @default POST with a body, else GET */
  readonly method?: string;
  /** @default none */
  readonly body?: string | Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

export interface RawResponse {
  readonly status: number;
  /** Lower-case names; several of one name are joined. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as it comes, compressed or not. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Ends the connection; to be called in any case. */
  close(): void;
}

/** Resolves when the headers are there. @throws what Node's HTTP, TLS and the system throw */
export async function sendPinned(request: PinnedRequest, signal: AbortSignal): Promise<RawResponse> {
  const { url, headers, body, certificateAuthorities, outlet } = request;
  const { request: begin } = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const sent = begin({
      method: request.method ?? (body === undefined ? 'GET' : 'POST'),
      // IPv6 stands in brackets in a URL and nowhere else.
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port,
      path: `${url.pathname}${url.search}`,
      headers,
      maxHeaderSize: MAX_HEADER_BYTES,
      rejectUnauthorized: true,
      signal,
      ...(certificateAuthorities.length > 0 ? { ca: [...certificateAuthorities] } : {}),
      ...connecting(request),
    });
    sent.on('socket', (socket) => outlet.keep(socket));
    const close = (): void => void sent.destroy();
    // Also later: a connection that ends before the caller reads the body would otherwise have no listener to tell.
    sent.on('error', reject);
    let interim = 0;
    sent.on('information', () => {
      // Each takes a turn of everybody's, and they may have no end.
      if (++interim > MAX_INTERIM) sent.destroy(fetchFailed('too many interim responses'));
    });
    sent.on('upgrade', (_response, socket) => {
      // Detached from the request, which hears of it no more.
      socket.on('error', () => undefined).destroy();
      reject(new Error('nobody asked for another protocol'));
    });
    sent.on('response', (response: IncomingMessage) => {
      response.on('error', () => undefined);
      resolve({ status: response.statusCode ?? 0, headers: flat(response.headers), body: bodyOf(response), close });
    });
    sent.end(body);
  });
}

/** @throws RequestError `FETCH_FAILED` while it is read, once far more has come beside it than of it: each chunk of a byte takes as long as one of many */
async function* bodyOf(response: IncomingMessage): AsyncGenerator<Uint8Array> {
  const { socket } = response;
  const before = socket.bytesRead;
  let length = 0;
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (socket.bytesRead - before > length * 1.5 + MAX_BESIDE_BYTES)
      throw fetchFailed('the chunks of the body are too small');
    yield chunk;
  }
}

function flat(headers: IncomingHttpHeaders): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]): [string, string] => {
    return [name, Array.isArray(value) ? value.join(', ') : (value ?? '')];
  });
  return Object.fromEntries(entries);
}
