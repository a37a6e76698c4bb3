// A WebSocket over a connection of its own (pinned-connection.ts). What the other side sends may be compressed, and is
// bounded as it is when it is not.
import { WebSocket, type ClientOptions } from 'ws';
import { creator, type PinnedTarget } from './pinned-connection.js';

export interface PinnedWebSocket extends PinnedTarget {
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes of a message. */
  readonly maxBytes: number;
}

/** The other side answered, but not by opening the connection. */
export class HandshakeRefused extends Error {
  constructor(readonly status: number) {
    super(`answered with HTTP ${status}`);
    this.name = 'HandshakeRefused';
  }
}

/** Resolves when it is open; paused, so that nothing is missed. @throws HandshakeRefused; what TLS and the system throw */
export function openPinned(request: PinnedWebSocket, signal: AbortSignal): Promise<WebSocket> {
  const url = new URL(request.url);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  const options: ClientOptions = {
    headers: request.headers,
    maxPayload: request.maxBytes,
    perMessageDeflate: { serverNoContextTakeover: true, clientNoContextTakeover: true },
    // Whoever reads a message takes what is no UTF-8 for U+FFFD.
    skipUTF8Validation: true,
    followRedirects: false,
    // It is handed on to Node's request, whose it is; the types of ws have that of net.
    createConnection: creator(request) as unknown as NonNullable<ClientOptions['createConnection']>,
  };
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, options);
    const end = (error: Error): void => {
      signal.removeEventListener('abort', onAbort);
      // Ended before it was open, it tells of that as well.
      socket
        .off('error', end)
        .on('error', () => undefined)
        .terminate();
      reject(error);
    };
    const onAbort = (): void => end(new Error('given up'));
    signal.addEventListener('abort', onAbort);
    socket.once('error', end);
    socket.once('unexpected-response', (_sent, response) => end(new HandshakeRefused(response.statusCode ?? 0)));
    socket.once('open', () => {
      signal.removeEventListener('abort', onAbort);
      socket.off('error', end).pause();
      resolve(socket);
    });
  });
}
