// Peers over TCP. Outgoing connections read into one buffer that all of them share: each read is consumed before the
// next begins, so nothing is allocated per read.
import { createServer, connect, type Socket } from 'node:net';
import { AppError } from '../../shared-protocol/errors.js';
import { normalizeAddress } from '../peers/address.js';
import type { PeerAddress, PeerNetwork, PeerSocket, PeerSocketHandler } from '../ports.js';

/** Large enough that a fast peer costs few reads, small enough to stay in the cache. */
export const READ_BUFFER_BYTES = 256 * 1024;
/** safety.md, starting values. */
const LISTEN_BACKLOG = 512;

/** `readBuffer` is the sockets' while they live. */
export function createTcpNetwork(readBuffer: Uint8Array): PeerNetwork {
  return {
    listen: (host, port, onSocket) =>
      new Promise((resolve, reject) => {
        const server = createServer({ noDelay: true }, (socket) => {
          const { remoteAddress, remotePort } = socket;
          // Gone before it was accepted.
          if (!remoteAddress || !remotePort) return socket.destroy();
          const peer = new TcpSocket(socket, normalizeAddress({ host: remoteAddress, port: remotePort }));
          socket.on('data', (bytes) => peer.onData(bytes));
          return onSocket(peer);
        });
        server.once('error', (error) =>
          reject(new AppError('LISTEN_FAILED', `peer port ${host}:${port}: ${error.message}`)),
        );
        server.listen({ host, port, backlog: LISTEN_BACKLOG }, () => {
          server.removeAllListeners('error');
          // Running out of descriptors closes the one connection, not the listener.
          server.on('error', () => undefined);
          const address = server.address();
          const bound = typeof address === 'object' && address ? address.port : port;
          resolve({ port: bound, close: () => new Promise((done) => server.close(() => done())) });
        });
      }),
    connect(address) {
      // The socket calls back only after the peer that holds it exists.
      const holder: { peer?: TcpSocket } = {};
      const socket = connect({
        host: address.host,
        port: address.port,
        noDelay: true,
        onread: {
          buffer: readBuffer,
          callback: (length, buffer) => {
            holder.peer?.onData(buffer.subarray(0, length));
            return true;
          },
        },
      });
      holder.peer = new TcpSocket(socket, address);
      return holder.peer;
    },
  };
}

class TcpSocket implements PeerSocket {
  #handler: PeerSocketHandler | null = null;
  #error = '';

  constructor(
    private readonly socket: Socket,
    readonly remote: PeerAddress,
  ) {
    socket.on('connect', () => this.#handler?.onConnect());
    socket.on('drain', () => this.#handler?.onDrain());
    socket.on('error', (error) => (this.#error = error.message));
    socket.on('close', () => this.#handler?.onClose(this.#error));
  }

  get local(): PeerAddress {
    return { host: this.socket.localAddress ?? '', port: this.socket.localPort ?? 0 };
  }

  get bufferedBytes(): number {
    return this.socket.writableLength;
  }

  setHandler(handler: PeerSocketHandler): void {
    this.#handler = handler;
  }

  onData(bytes: Uint8Array): void {
    this.#handler?.onData(bytes);
  }

  write(bytes: Uint8Array, done?: () => void): void {
    if (done) this.socket.write(bytes, () => done());
    else this.socket.write(bytes);
  }

  pauseReading(): void {
    this.socket.pause();
  }

  resumeReading(): void {
    this.socket.resume();
  }

  destroy(): void {
    this.socket.destroy();
  }
}
