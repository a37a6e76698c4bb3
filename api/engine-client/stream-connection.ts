// One connection to an engine of its own process: opened with what shows who we are, then messages both ways until it is
// closed, whoever does it.
import { performance } from 'node:perf_hooks';
import { WebSocket, type ClientOptions, type RawData } from 'ws';
import { decodeMessage } from '../../shared-protocol/stream/codec.js';
import { FrameJoiner, MAX_FRAME_BYTES } from '../../shared-protocol/stream/frames.js';
import {
  engineMessageOf,
  FRONT_ID_HEADER,
  STREAM_PATH,
  STREAM_PROTOCOL,
  type EngineMessage,
} from '../../shared-protocol/stream/messages.js';
import { Outbox } from '../../shared-protocol/stream/outbox.js';
import type { StreamAddress } from './stream-address.js';
import { closed, failed, mistaken, refused, SILENT, type WhyAway } from './why-away.js';

const HANDSHAKE_MS = 10_000;
/** The engine pings each 5 s. */
const SILENCE_MS = 15_000;
const WATCH_EVERY_MS = 1_000;
const PROTOCOL_ERROR = 1002;
const GOING_AWAY = 1001;
/** An engine that has not taken so much is no engine: what accounts ask of it would fill our memory. */
const MAX_UNSENT_BYTES = 128 * 1024 * 1024;
/** Characters that are kept of what the engine says when it refuses. */
const MAX_REASON_CHARS = 1_000;

const NO_MESSAGE = mistaken('what it says is no message of this protocol');

export interface Credentials {
  readonly frontId: string;
  /** null: none is needed. */
  readonly token: string | null;
  readonly authority: Buffer | null;
  readonly certificate: { readonly cert: Buffer; readonly key: Buffer } | null;
}

export interface ConnectionHandlers {
  onOpen(): void;
  /** False: it is nonsense, and the connection ends. */
  onMessage(message: EngineMessage): boolean;
  /** Once. `isRefused`: the engine does not want us, and will not in a moment. */
  onClosed(why: WhyAway, isRefused: boolean): void;
}

export interface StreamConnection {
  /** A message that may be large. */
  send(message: Uint8Array): void;
  /** Not what we talk to: with why, which `onClosed` hears. */
  refuse(why: WhyAway): void;
  close(): void;
}

export function connectStream(
  address: StreamAddress,
  credentials: Credentials,
  handlers: ConnectionHandlers,
): StreamConnection {
  const socket = new WebSocket(urlOf(address), STREAM_PROTOCOL, optionsOf(credentials));
  const joiner = new FrameJoiner();
  const outbox = new Outbox({ send: (frame, onTaken) => socket.send(frame, () => onTaken?.()) });
  let heardAtMs = performance.now();
  let fault: WhyAway | null = null;
  let isRefused = false;
  const heard = (): void => void (heardAtMs = performance.now());
  const refuse = (why: WhyAway): void => {
    fault ??= why;
    isRefused = true;
    socket.close(PROTOCOL_ERROR);
    // It may not answer, and is not listened to any more.
    socket.removeAllListeners('message');
  };
  const take = (frame: Uint8Array): void => {
    const joined = joiner.take(frame);
    if (joined === null) return;
    const message = joined === 'invalid' ? null : engineMessageOf(decodeMessage(joined));
    if (!message || !handlers.onMessage(message)) refuse(NO_MESSAGE);
  };
  socket.on('open', () => {
    heard();
    handlers.onOpen();
  });
  socket.on('message', (data: RawData, isBinary) => {
    heard();
    if (isBinary && Buffer.isBuffer(data)) take(data);
    else refuse(NO_MESSAGE);
  });
  socket.on('ping', heard).on('pong', heard);
  socket.on('unexpected-response', (request, response) => {
    isRefused = true;
    let body = '';
    response.on('data', (bytes: Buffer) => {
      body = (body + bytes.toString()).slice(0, MAX_REASON_CHARS);
      // It may never end.
      if (body.length === MAX_REASON_CHARS) response.destroy();
    });
    response.on('close', () => {
      fault ??= refused(response.statusCode ?? 0, body.trim());
      request.destroy();
      socket.emit('close', 0, Buffer.alloc(0));
    });
  });
  socket.on('error', (error) => (fault ??= failed(error)));
  const watching = setInterval(() => {
    if (performance.now() - heardAtMs < SILENCE_MS) return;
    fault ??= SILENT;
    socket.terminate();
  }, WATCH_EVERY_MS).unref();
  socket.once('close', (code) => {
    clearInterval(watching);
    handlers.onClosed(fault ?? closed(code), isRefused);
  });
  const send = (message: Uint8Array): void => {
    outbox.send(message);
    if (socket.bufferedAmount + outbox.waitingBytes <= MAX_UNSENT_BYTES) return;
    fault ??= failed(new Error('it takes too little of what it is told'));
    socket.terminate();
  };
  return { send, refuse, close: () => socket.close(GOING_AWAY) };
}

function urlOf(address: StreamAddress): string {
  if (address.kind === 'unix') return `ws+unix:${address.path}:${STREAM_PATH}`;
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  return `${address.kind === 'tls' ? 'wss' : 'ws'}://${host}:${address.port}${STREAM_PATH}`;
}

function optionsOf({ frontId, token, authority, certificate }: Credentials): ClientOptions {
  return {
    headers: { [FRONT_ID_HEADER]: frontId, ...(token !== null && { authorization: `Bearer ${token}` }) },
    handshakeTimeout: HANDSHAKE_MS,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
    followRedirects: false,
    ...(authority && { ca: authority }),
    ...(certificate && { cert: certificate.cert, key: certificate.key }),
  };
}
