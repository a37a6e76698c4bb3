// One request over a connection of its own to addresses that were judged before: no pool, so nothing that was opened under
// one name or policy ever serves another. TLS is verified against the name in the URL. No time limits here: the caller
// gives up by the signal. Not undici: its parser of HTTP/1 brings the process down when a server ends the connection
// while the body waits to be read (nodejs/undici#5360), and what mends it needs Node 22.
import type { LookupAddress } from 'node:dns';
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';

/** The same limit as that of the API's own server; no spec value. */
const MAX_HEADER_BYTES = 16 * 1024;

export interface PinnedRequest {
  /** Sent by POST; without it the request is a GET. */
  readonly text?: string;
  readonly url: URL;
  readonly addresses: readonly LookupAddress[];
  readonly headers: Readonly<Record<string, string>>;
  /** Trusted instead of the system's, in PEM; none: the system's. */
  readonly certificateAuthorities: readonly string[];
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
  const { url, addresses, headers, text, certificateAuthorities } = request;
  const { request: begin } = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const sent = begin({
      method: text === undefined ? 'GET' : 'POST',
      // IPv6 stands in brackets in a URL and nowhere else.
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port,
      path: `${url.pathname}${url.search}`,
      headers,
      agent: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      lookup: pinnedLookup(addresses),
      rejectUnauthorized: true,
      signal,
      ...(certificateAuthorities.length > 0 ? { ca: [...certificateAuthorities] } : {}),
    });
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
    sent.end(text);
  });
}

function pinnedLookup(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, options, callback) => {
    const first = addresses[0];
    if (!first) callback(new Error('no address'), '', 0);
    else if (options.all) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}

function flat(headers: IncomingHttpHeaders): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]): [string, string] => {
    return [name, Array.isArray(value) ? value.join(', ') : (value ?? '')];
  });
  return Object.fromEntries(entries);
}
