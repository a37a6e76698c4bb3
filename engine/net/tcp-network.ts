// Peers over TCP. All connections read into one buffer that they share: each read is consumed before the next begins,
// so nothing is allocated per read.
import type { OnReadOpts, Socket } from 'node:net';
import { systemClock } from '../../shared-protocol/clock.js';
import { AppError } from '../../shared-protocol/errors.js';
import { Outlet } from '../../shared-protocol/network/outlet.js';
import { tunnelHandshake } from '../../shared-protocol/network/tunnel-handshake.js';
import { normalizeAddress } from './address.js';
import { adoptSocket } from './adopt-socket.js';
import { TunnelledSocket } from './tunnelled-socket.js';
import type { PeerAddress, PeerNetwork, PeerSocket, PeerSocketHandler } from '../environment.js';

/** Large enough that a fast peer costs few reads, small enough to stay in the cache. */
export const READ_BUFFER_BYTES = 256 * 1024;
/** docs/limits.md, "Starting values". */
const LISTEN_BACKLOG = 512;

/** `readBuffer` is the sockets' while they live. */
export function createTcpNetwork(
  readBuffer: Uint8Array,
  outlet = new Outlet({ clock: systemClock, nameServers: null }),
): PeerNetwork {
  return {
    async listen(host, port, onSocket) {
      const accept = (accepted: Socket): void => {
        const { remoteAddress, remotePort } = accepted;
        // Gone before it was accepted.
        if (!remoteAddress || !remotePort) return void accepted.destroy();
        const remote = normalizeAddress({ host: remoteAddress, port: remotePort });
        const { onread, attach } = readInto(readBuffer);
        const { socket, readsIntoBuffer } = adoptSocket(accepted, onread);
        outlet.keep(socket).setNoDelay(true);
        const peer = attach(new TcpSocket(socket, remote));
        onSocket(peer);
        if (!readsIntoBuffer) socket.on('data', (bytes) => peer.onData(bytes)).resume();
      };
      try {
        const server = await outlet.listen({ host, port }, LISTEN_BACKLOG, accept);
        // Running out of descriptors closes the one connection, not the listener.
        server.on('error', () => undefined);
        const address = server.address();
        const bound = typeof address === 'object' && address ? address.port : port;
        return { port: bound, close: () => new Promise((done) => server.close(() => done())) };
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new AppError('LISTEN_FAILED', `peer port ${host}:${port}: ${reason}`);
      }
    },
    connect(address) {
      const { onread, attach } = readInto(readBuffer);
      const proxy = outlet.proxyOf('peers');
      if (!proxy) return attach(new TcpSocket(outlet.connect(address, onread), address));
      const via = { host: proxy.address, port: proxy.port };
      const socket = attach(new TcpSocket(outlet.connect(via, onread), address));
      return new TunnelledSocket(socket, address, tunnelHandshake(proxy, address));
    },
  };
}

/** Reads go to the shared buffer, and from there to the peer once it is attached; sockets read later than that. */
function readInto(buffer: Uint8Array): { onread: OnReadOpts; attach: (peer: TcpSocket) => TcpSocket } {
  let peer: TcpSocket | undefined;
  const onread: OnReadOpts = {
    buffer,
    callback: (length, bytes) => {
      peer?.onData(bytes.subarray(0, length));
      return true;
    },
  };
  return { onread, attach: (attached) => (peer = attached) };
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
