// One request over a connection of its own to addresses that were judged before: no pool, so nothing that was opened under
// one name or policy ever serves another. TLS is verified against the name in the URL. No time limits here: the caller
// gives up by the signal. Not undici: its parser of HTTP/1 brings the process down when a server ends the connection
// while the body waits to be read (nodejs/undici#5360), and what mends it needs Node 22.
import type { LookupAddress } from 'node:dns';
import http, { type IncomingHttpHeaders, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import { isIP, Socket, type LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { openStream } from '../../shared-protocol/network/open-stream.js';
import type { Outlet } from '../../shared-protocol/network/outlet.js';

/** The same limit as that of the API's own server; no spec value. */
const MAX_HEADER_BYTES = 16 * 1024;

/** For a connection; the caller has a deadline for the whole. */
const CONNECT_MS = 30_000;

export interface PinnedRequest {
  /** Sent by POST; without it the request is a GET. */
  readonly text?: string;
  readonly url: URL;
  readonly addresses: readonly LookupAddress[];
  readonly headers: Readonly<Record<string, string>>;
  /** Trusted instead of the system's, in PEM; none: the system's. */
  readonly certificateAuthorities: readonly string[];
  readonly outlet: Outlet;
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
  const { url, headers, text, certificateAuthorities, outlet } = request;
  const { request: begin } = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const sent = begin({
      method: text === undefined ? 'GET' : 'POST',
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
    sent.end(text);
  });
}

/** By Node itself, or by a socket of the way out where that is bound. */
function connecting({ url, addresses, certificateAuthorities, outlet }: PinnedRequest): RequestOptions {
  if (outlet.binding.kind === 'open') return { agent: false, lookup: pinnedLookup(addresses) };
  const isSecure = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const target = { host, port: Number(url.port) || (isSecure ? 443 : 80), addresses };
  const secured = (socket: Socket): Socket =>
    connectTls({
      ...{ socket, host, rejectUnauthorized: true },
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(certificateAuthorities.length > 0 ? { ca: [...certificateAuthorities] } : {}),
    });
  return {
    createConnection: (_options, onCreated) => {
      openStream(outlet, null, target, AbortSignal.timeout(CONNECT_MS)).then(
        (socket) => onCreated(null, isSecure ? secured(socket) : socket),
        // Node ends the request by the error, and has no socket then.
        (error: unknown) => onCreated(error instanceof Error ? error : new Error(String(error)), new Socket()),
      );
      return undefined;
    },
  };
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
