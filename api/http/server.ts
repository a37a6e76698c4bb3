// An HTTP or HTTPS server at one address: limits of the protocol itself, JSON even for what is not HTTP, and a close that
// ends. Which address, and when it moves, is decided in listener.ts.
import { readFile } from 'node:fs/promises';
import http, { type RequestListener } from 'node:http';
import https from 'node:https';
import { isIPv6, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { AppError, messageOf } from '../../shared-protocol/errors.js';
import type { Connections } from './connections.js';
import type { UpgradeHandler } from '../ws/upgrade.js';
import { UpgradeAwareRequest } from '../ws/upgrade-request.js';

const SECOND_MS = 1_000;
/** docs/limits.md 2.25. */
const LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10 * SECOND_MS,
  /**
   * Longer than proxies keep a connection to a server that they may use again (nginx: 60 s), so that it is they who end
   * it. A request that crosses with the end of its connection fails, and one that changes something is not sent again.
   */
  keepAliveTimeout: 75 * SECOND_MS,
  /** How exact the timeouts are; Node would look every 30 s. */
  connectionsCheckingInterval: 1 * SECOND_MS,
  /** Answered by the application, in JSON. */
  requireHostHeader: false,
  IncomingMessage: UpgradeAwareRequest,
};
/** How long requests under way may take once the server closes, and others to close after an answer that ends it. */
const CLOSE_GRACE_MS = 1 * SECOND_MS;
/** WebSockets are told to close by the hub, which cuts them after 2 s; whatever is left then is cut here. */
const UPGRADED_GRACE_MS = 2.5 * SECOND_MS;
const IDLE_SWEEP_MS = 50;
/** IPv4 comes in through it as well. */
const ANY_IPV6 = '::';
const ANY_IPV4 = '0.0.0.0';

export interface ListenAddress {
  /** An address or name; null for all interfaces. */
  readonly host: string | null;
  /** 0 picks a free one. */
  readonly port: number;
}

export interface TlsMaterial {
  readonly cert: Buffer;
  readonly key: Buffer;
}

export interface HttpHandlers {
  readonly onRequest: RequestListener;
  readonly onUpgrade: UpgradeHandler;
  /** The connections of all listeners together. */
  readonly connections: Connections;
}

export interface HttpServer {
  /** Where it can be reached from this machine, without a slash at the end. */
  readonly url: string;
  /** With the real port. */
  readonly address: ListenAddress;
  /** The port is free at once. Requests under way are finished, for a second at most. */
  close(): Promise<void>;
}

/** @throws AppError `LISTEN_FAILED`, with one clear line. */
export async function readTls(
  files: { readonly certFile: string; readonly keyFile: string } | null,
): Promise<TlsMaterial | null> {
  if (!files) return null;
  try {
    const [cert, key] = await Promise.all([readFile(files.certFile), readFile(files.keyFile)]);
    return { cert, key };
  } catch (cause) {
    throw new AppError('LISTEN_FAILED', `TLS: ${cause instanceof Error ? cause.message : cause}`, undefined, { cause });
  }
}

/** @throws AppError `LISTEN_FAILED`, with one clear line; its cause is the system's error. */
export async function listenHttp(
  handlers: HttpHandlers,
  { host, port }: ListenAddress,
  tls: TlsMaterial | null,
): Promise<HttpServer> {
  const server = createServer(handlers, tls);
  const sockets = new Set<Socket>();
  // A handler that takes a socket out of HTTP (CONNECT, an upgrade) gets it without a listener: this one stays.
  for (const arrival of ['connection', 'secureConnection']) {
    server.on(arrival, (socket: Socket) => socket.on('error', () => socket.destroy()));
  }
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    handlers.connections.add(socket);
  });
  server.on('secureConnection', (socket: TLSSocket) => handlers.connections.secured(socket));
  try {
    await (host === null ? listenEverywhere(server, port) : listen(server, host, port));
  } catch (cause) {
    const reason = messageOf(cause);
    throw new AppError('LISTEN_FAILED', `http: cannot listen on ${host ?? '*'}:${port}: ${reason}`, undefined, {
      cause,
    });
  }
  const bound = (server.address() as AddressInfo).port; // a TCP listener's address is never a path
  return {
    url: `${tls ? 'https' : 'http'}://${reachableHost(host)}:${bound}`,
    address: { host, port: bound },
    close: () => close(server, sockets),
  };
}

function createServer(handlers: HttpHandlers, tls: TlsMaterial | null): http.Server | https.Server {
  const { onUpgrade, connections } = handlers;
  const onRequest: RequestListener = (request, response) => {
    response.once('close', connections.began(request.socket));
    handlers.onRequest(request, response);
  };
  const server = tls ? https.createServer({ ...LIMITS, ...tls }, onRequest) : http.createServer(LIMITS, onRequest);
  server.on('upgrade', onUpgrade);
  server.on('clientError', answerBrokenRequest);
  // The service is no client's proxy.
  server.on('connect', (_request, socket: Duplex) => answerPlainly(socket, 405, 'method not allowed'));
  // A connection that could not be accepted is the client's to try again.
  server.on('error', () => undefined);
  // RFC 9110 lets a server pass over an expectation that it does not know.
  server.on('checkExpectation', onRequest);
  return server;
}

async function listenEverywhere(server: http.Server | https.Server, port: number): Promise<void> {
  try {
    await listen(server, ANY_IPV6, port);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'EAFNOSUPPORT' && code !== 'EADDRNOTAVAIL') throw error;
    await listen(server, ANY_IPV4, port);
  }
}

function listen(server: http.Server | https.Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** An address that stands for all of them is no address to connect to. */
function reachableHost(host: string | null): string {
  if (host === null || host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return isIPv6(host) ? `[${host}]` : host;
}

async function close(server: http.Server | https.Server, sockets: ReadonlySet<Socket>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  // Those that become idle now, instead of waiting for the next request.
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
  const cut = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
  const cutUpgraded = setTimeout(() => sockets.forEach((socket) => socket.destroy()), UPGRADED_GRACE_MS);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
  clearTimeout(cutUpgraded);
}

function answerBrokenRequest(error: Error & { code?: string }, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  if (error.code === 'HPE_HEADER_OVERFLOW') return answerPlainly(socket, 431, 'request headers too large');
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return answerPlainly(socket, 408, 'request timed out');
  answerPlainly(socket, 400, 'not a valid HTTP request');
}

/** Where there is no response to write to. */
function answerPlainly(socket: Duplex, status: number, message: string): void {
  const body = JSON.stringify({ error: message });
  socket.end(
    `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  // A client that does not close its side does not keep the connection.
  setTimeout(() => socket.destroy(), CLOSE_GRACE_MS).unref();
}
