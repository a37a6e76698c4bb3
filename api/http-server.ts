// The listener: HTTP or HTTPS, limits of the protocol itself, JSON even for what is not HTTP, and a close that ends.
import { readFile } from 'node:fs/promises';
import http, { type RequestListener } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { isIPv6 } from 'node:net';
import { AppError } from '../shared-protocol/errors.js';
import type { UpgradeHandler } from './ws/upgrade.js';
import { UpgradeAwareRequest } from './ws/upgrade-request.js';

const SECOND_MS = 1_000;
/** safety 2.25. */
const LIMITS = { maxHeaderSize: 16 * 1024, headersTimeout: 10 * SECOND_MS, IncomingMessage: UpgradeAwareRequest };
/** How long requests under way may take once the listener closes. */
const CLOSE_GRACE_MS = 1 * SECOND_MS;

export interface HttpServerOptions {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  readonly tls: { readonly certFile: string; readonly keyFile: string } | null;
}

export interface HttpServer {
  /** Where it can be reached, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** Requests under way are finished, for a second at most. */
  close(): Promise<void>;
}

/** @throws AppError `LISTEN_FAILED`, with one clear line. */
export async function listenHttp(
  handlers: { readonly onRequest: RequestListener; readonly onUpgrade: UpgradeHandler },
  options: HttpServerOptions,
): Promise<HttpServer> {
  const server = options.tls
    ? https.createServer({ ...LIMITS, ...(await readTls(options.tls)) }, handlers.onRequest)
    : http.createServer(LIMITS, handlers.onRequest);
  server.on('upgrade', handlers.onUpgrade);
  server.on('clientError', answerBrokenRequest);
  await listen(server, options);
  const { port } = server.address() as AddressInfo; // a TCP listener's address is never a path
  return {
    url: `${options.tls ? 'https' : 'http'}://${reachableHost(options.host)}:${port}`,
    port,
    close: () => close(server),
  };
}

async function readTls({ certFile, keyFile }: { certFile: string; keyFile: string }) {
  try {
    const [cert, key] = await Promise.all([readFile(certFile), readFile(keyFile)]);
    return { cert, key };
  } catch (cause) {
    throw new AppError('LISTEN_FAILED', `TLS: ${cause instanceof Error ? cause.message : cause}`, undefined, { cause });
  }
}

function listen(server: http.Server | https.Server, { host, port }: HttpServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) =>
      reject(
        new AppError('LISTEN_FAILED', `http: cannot listen on ${host}:${port}: ${cause.message}`, undefined, { cause }),
      ),
    );
    server.listen(port, host, () => resolve());
  });
}

/** An address that stands for all of them is no address to connect to. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return isIPv6(host) ? `[${host}]` : host;
}

async function close(server: http.Server | https.Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
  await closed;
  clearTimeout(timer);
}

function answerBrokenRequest(error: Error & { code?: string }, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const [status, message] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'request headers too large']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'request timed out']
        : ['400 Bad Request', 'not a valid HTTP request'];
  const body = JSON.stringify({ error: message });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
