// One request over a connection of its own (pinned-connection.ts): no pool, so nothing that was opened under one name or
// policy ever serves another. No time limits here: the caller gives up by the signal. Not undici: its parser of HTTP/1 brings the process down when a server ends the connection
// while the body waits to be read (nodejs/undici#5360), and what mends it needs Node 22.
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { connecting, type PinnedTarget } from './pinned-connection.js';

/** The same limit as that of the API's own server; no spec value. */
const MAX_HEADER_BYTES = 16 * 1024;

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
  readonly body: Readable;
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
    sent.on('upgrade', (_response, socket) => {
      // Detached from the request, which hears of it no more.
      socket.on('error', () => undefined).destroy();
      reject(new Error('nobody asked for another protocol'));
    });
    sent.on('response', (response: IncomingMessage) => {
      response.on('error', () => undefined);
      resolve({ status: response.statusCode ?? 0, headers: flat(response.headers), body: response, close });
    });
    sent.end(body);
  });
}

function flat(headers: IncomingHttpHeaders): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]): [string, string] => {
    return [name, Array.isArray(value) ? value.join(', ') : (value ?? '')];
  });
  return Object.fromEntries(entries);
}
