// Where fronts come in: a Unix socket or a port, one front at a time or as many as were asked for. Who may: whoever may open the socket, and has a token
// where there are tokens, and a certificate of the authority that was named. What is refused is told why, and logged.
import { createHash, randomBytes } from 'node:crypto';
import { unlink } from 'node:fs/promises';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { AppError, messageOf } from '../shared-protocol/errors.js';
import type { LogFields } from '../shared-protocol/events.js';
import { MAX_FRAME_BYTES } from '../shared-protocol/stream/frames.js';
import { FRONT_ID_HEADER, isStreamId, STREAM_PATH, STREAM_PROTOCOL } from '../shared-protocol/stream/messages.js';
import { isErrno } from '../storage/atomic-file.js';
import type { TokenFile } from '../storage/stream-tokens.js';
import { askingForCertificates, certificateFault, handshakeFault } from './client-certificate.js';
import { Handshakes } from './handshakes.js';

/** Permissions that the socket has not: its owner and its group may connect. */
const SOCKET_UMASK = 0o117;
/** A token that was taken out of its file holds no longer than this. */
const TOKEN_LOOK_MS = 10_000;
const HANDSHAKE_MS = 10_000;
/** How exact that is. */
const HANDSHAKE_LOOK_MS = 2_000;
const MAX_SAID_CHARS = 100;

export type ListenAt =
  | { readonly kind: 'unix'; readonly path: string }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number };

export interface StreamTls {
  readonly cert: Buffer;
  readonly key: Buffer;
  /** Fronts have to have a certificate of it; null: none is asked for. */
  readonly clientAuthority: Buffer | null;
}

export interface FrontListenerDeps {
  readonly at: ListenAt;
  readonly tls: StreamTls | null;
  /** Fronts that may be connected at a time. */
  readonly maxFronts: number;
  /** null: whoever may open the socket. */
  readonly tokens: Pick<TokenFile, 'judge'> | null;
  readonly log: { info(message: string, fields?: LogFields): void; warn(message: string, fields?: LogFields): void };
  /** A front that was admitted. What is returned ends its stream; called when it may not be there any more. */
  readonly onFront: (socket: WebSocket) => { readonly end: (reason: string) => void };
}

interface Connected {
  readonly socket: WebSocket;
  readonly end: (reason: string) => void;
}

class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export class FrontListener {
  readonly #server: http.Server | https.Server;
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
    handleProtocols: () => STREAM_PROTOCOL,
  });
  readonly #fronts = new Map<string, Connected>();
  readonly #handshakes = new Handshakes();

  constructor(private readonly deps: FrontListenerDeps) {
    const { tls } = deps;
    this.#server = tls
      ? https.createServer({
          ...{ cert: tls.cert, key: tls.key, handshakeTimeout: HANDSHAKE_MS },
          connectionsCheckingInterval: HANDSHAKE_LOOK_MS,
          ...(tls.clientAuthority && askingForCertificates(tls.clientAuthority)),
        })
      : http.createServer({ connectionsCheckingInterval: HANDSHAKE_LOOK_MS });
    this.#server.on('connection', (socket: Socket) => this.#handshakes.began(socket));
    this.#server.headersTimeout = HANDSHAKE_MS;
    this.#server.on('request', (_request, response) => response.writeHead(404).end());
    this.#server.on('upgrade', (request, socket, head) => void this.#upgrade(request, socket, head));
    this.#server.on('tlsClientError', (error, { remoteAddress = '' }: Socket) =>
      deps.log.warn('front refused', { reason: handshakeFault(error), address: remoteAddress }),
    );
  }

  /** @throws AppError `LISTEN_FAILED` */
  async listen(): Promise<void> {
    const { at } = this.deps;
    if (at.kind === 'unix') await removeDeadSocket(at.path);
    const before = at.kind === 'unix' ? process.umask(SOCKET_UMASK) : null;
    try {
      await new Promise<void>((resolve, reject) => {
        this.#server.once('error', reject).once('listening', resolve);
        if (at.kind === 'unix') this.#server.listen(at.path);
        else this.#server.listen(at.port, at.host);
      });
    } catch (error) {
      throw new AppError('LISTEN_FAILED', `cannot listen at ${nameOf(at)}: ${(error as Error).message}`);
    } finally {
      if (before !== null) process.umask(before);
    }
  }

  /** The port that was taken; 0 for a Unix socket. */
  get port(): number {
    const address = this.#server.address();
    return address !== null && typeof address === 'object' ? address.port : 0;
  }

  /** Fronts are told to go; none comes in any more. */
  async close(): Promise<void> {
    for (const { end } of this.#fronts.values()) end('the engine stops');
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    for (const { socket } of this.#fronts.values()) socket.terminate();
    await closed;
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    try {
      const frontId = await this.#admit(request);
      // Last, and at once followed by the switch: of two that come together one is the first.
      if (!this.#fronts.has(frontId) && this.#fronts.size >= this.deps.maxFronts)
        throw new Refusal(409, this.#fullness());
      this.#handshakes.ended(request.socket);
      this.#sockets.handleUpgrade(request, socket, head, (client) =>
        this.#connected(client, frontId, tokenOf(request)),
      );
    } catch (error) {
      const { status, message } = error instanceof Refusal ? error : new Refusal(500, 'the engine failed');
      const reason = messageOf(error);
      this.deps.log.warn('front refused', { reason, status, address: request.socket.remoteAddress ?? '' });
      refuse(socket, status, message);
    }
  }

  #fullness(): string {
    const { maxFronts } = this.deps;
    return maxFronts === 1 ? 'another front is connected' : `${maxFronts} other fronts are connected (--fronts)`;
  }

  /** The id of the front. @throws Refusal */
  async #admit(request: IncomingMessage): Promise<string> {
    const fault = this.deps.tls?.clientAuthority ? certificateFault(request.socket) : null;
    if (fault !== null) throw new Refusal(403, fault);
    if (new URL(request.url ?? '/', 'http://engine').pathname !== STREAM_PATH) throw new Refusal(404, 'no such path');
    await this.#checkToken(tokenOf(request));
    const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
    if (!offered.includes(STREAM_PROTOCOL)) {
      throw new Refusal(426, `this engine speaks ${STREAM_PROTOCOL}, the front ${saidOf(offered)}`);
    }
    const frontId = request.headers[FRONT_ID_HEADER];
    if (!isStreamId(frontId)) throw new Refusal(400, `${FRONT_ID_HEADER}: expected 32 hexadecimal digits`);
    return frontId;
  }

  async #checkToken(given: string): Promise<void> {
    const state = (await this.deps.tokens?.judge(given)) ?? 'valid';
    if (state === 'expired') throw new Refusal(401, 'the token has expired');
    if (state === 'unknown') throw new Refusal(401, given === '' ? 'a token is needed' : 'the token is not known here');
  }

  #connected(socket: WebSocket, frontId: string, token: string): void {
    const { log, onFront } = this.deps;
    // The same front, whose stream hangs, or which has started anew.
    this.#fronts.get(frontId)?.end('the front has come again');
    const front = { socket, ...onFront(socket) };
    this.#fronts.set(frontId, front);
    // Not the id itself, by which the stream could be taken over.
    log.info('front connected', { front: createHash('sha256').update(frontId).digest('hex').slice(0, 8) });
    const looking = setInterval(() => {
      this.#checkToken(token).catch((error: unknown) => {
        log.warn('front disconnected', { reason: String(error) });
        front.end('its token holds no longer');
      });
    }, TOKEN_LOOK_MS).unref();
    socket.on('close', () => {
      clearInterval(looking);
      if (this.#fronts.get(frontId) === front) this.#fronts.delete(frontId);
    });
  }
}

/** The protocols that a front offered, and which side is the older one. */
function saidOf(offered: readonly string[]): string {
  const said = offered.join(', ').slice(0, MAX_SAID_CHARS) || 'nothing';
  const [theirs = NaN, ours = NaN] = [offered[0] ?? '', STREAM_PROTOCOL].map((protocol) =>
    Number(/^swarmd-engine\.(\d{1,6})$/.exec(protocol)?.[1]),
  );
  if (Number.isNaN(theirs)) return said;
  return `${said}: upgrade the ${theirs < ours ? 'front' : 'engine'}`;
}

export function nameOf(at: ListenAt): string {
  if (at.kind === 'unix') return `unix:${at.path}`;
  return `tcp://${at.host.includes(':') ? `[${at.host}]` : at.host}:${at.port}`;
}

/** A new name for a run of an engine, or for a front. */
export function newStreamId(): string {
  return randomBytes(16).toString('hex');
}

function tokenOf({ headers }: IncomingMessage): string {
  return /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
}

function refuse(socket: Duplex, status: number, message: string): void {
  const body = `${message}\n`;
  const lines = [
    `HTTP/1.1 ${status} ${http.STATUS_CODES[status] ?? ''}`,
    ...['Connection: close', 'Content-Type: text/plain', `Content-Length: ${Buffer.byteLength(body)}`],
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** A socket that nobody listens at is left from before. @throws AppError `LISTEN_FAILED` */
async function removeDeadSocket(path: string): Promise<void> {
  const state = await new Promise<string>((resolve) => {
    const probe = connect(path, () => {
      probe.destroy();
      resolve('alive');
    });
    probe.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
  });
  if (state === 'alive')
    throw new AppError('LISTEN_FAILED', `cannot listen at unix:${path}: another engine does already`);
  if (state !== 'ECONNREFUSED') return;
  await unlink(path).catch((error: unknown) => {
    if (!isErrno(error, 'ENOENT')) throw error;
  });
}
