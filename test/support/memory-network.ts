// Peers' sockets without an operating system: hosts, listeners and byte streams in memory, as engine/environment.ts wants
// them. Deterministic: everything happens in microtasks or, with a clock, after the latency, in the order it was
// asked for. Buffers are bounded, so a peer that does not read holds its sender up as a real one does.
//
// Stricter than a kernel where that finds faults: bytes are copied when they are taken, not when they are written,
// so a sender that reuses a buffer before `done` corrupts its stream; and what a handler was given is overwritten
// when it returns, so one that keeps a view of it reads rubbish.
import { AppError } from '../../shared-protocol/errors.js';
import type { Clock, PeerAddress, PeerListener, PeerNetwork, PeerSocket } from '../../engine/environment.js';
import { MemorySocket, type MemoryMedium } from './memory-socket.js';
import { MemoryUplink } from './memory-uplink.js';

export interface MemoryNetworkOptions {
  /** Without one, everything happens in microtasks and there is no latency. */
  readonly clock?: Clock;
  /** One way, in milliseconds. @default 0 */
  readonly latencyMs?: number;
  /** Bytes on their way and unread, each direction of a connection. @default 256 KiB */
  readonly windowBytes?: number;
  /** The most that one `onData` brings. @default 64 KiB */
  readonly readBytes?: number;
}

const FIRST_EPHEMERAL_PORT = 49_152;
const DEFAULT_WINDOW_BYTES = 256 * 1024;
const DEFAULT_READ_BYTES = 64 * 1024;
/** What overwrites bytes that a handler has been given. */
const RUBBISH = 0xdd;

export class MemoryNetwork {
  readonly #listeners = new Map<string, (socket: PeerSocket) => void>();
  readonly #open = new Set<MemorySocket>();
  readonly #medium: MemoryMedium;
  readonly #uplinks = new Map<string, MemoryUplink>();
  readonly #clock: Clock | undefined;
  #nextPort = FIRST_EPHEMERAL_PORT;

  constructor(options: MemoryNetworkOptions = {}) {
    const { clock, latencyMs = 0 } = options;
    if (latencyMs > 0 && !clock) throw new AppError('BUG', 'bug: latency needs a clock');
    this.#clock = clock;
    this.#medium = {
      latencyMs,
      windowBytes: options.windowBytes ?? DEFAULT_WINDOW_BYTES,
      readBytes: options.readBytes ?? DEFAULT_READ_BYTES,
      rubbish: RUBBISH,
      nowMs: () => clock?.nowMs() ?? 0,
      after: (delayMs, callback) => {
        if (clock && delayMs > 0) clock.after(delayMs, callback);
        else queueMicrotask(callback);
      },
      onOpened: (socket) => void this.#open.add(socket),
      onClosed: (socket) => void this.#open.delete(socket),
      uplink: (host) => this.#uplinks.get(host),
    };
  }

  /** Sockets that have not been closed, both ends counted; for leak checks. */
  get openSockets(): number {
    return this.#open.size;
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  /** What all connections of the host together send from now on; needs a clock. */
  limitUpload(host: string, bytesPerSec: number): void {
    if (!this.#clock) throw new AppError('BUG', 'bug: a rate needs a clock');
    this.#uplinks.set(host, new MemoryUplink(this.#clock, bytesPerSec));
  }

  /** The network as one machine sees it, which listens on and connects from this address whatever it asks for. */
  host(host: string): PeerNetwork {
    return {
      listen: (_host, port, onSocket) => this.#listen({ host, port }, onSocket),
      connect: (address) => this.connectFrom(host, address),
    };
  }

  /** Like `PeerNetwork.connect`; the socket can also be reset. */
  connectFrom(host: string, address: PeerAddress): MemorySocket {
    const local = { host, port: this.#nextPort++ };
    const medium = this.#medium;
    const socket = new MemorySocket(medium, local, address);
    medium.after(medium.latencyMs, () => {
      if (socket.destroyed) return;
      const onSocket = this.#listeners.get(keyOf(address));
      if (!onSocket) {
        medium.after(medium.latencyMs, () => socket.fail(`connect ECONNREFUSED ${keyOf(address)}`));
        return;
      }
      const accepted = new MemorySocket(medium, address, local);
      accepted.join(socket);
      medium.after(medium.latencyMs, () => socket.join(accepted));
      onSocket(accepted);
    });
    return socket;
  }

  /** Two connected ends, the first of which opened the connection. */
  pair(): readonly [MemorySocket, MemorySocket] {
    const left = { host: '10.0.0.1', port: this.#nextPort++ };
    const right = { host: '10.0.0.2', port: 6881 };
    const opener = new MemorySocket(this.#medium, left, right);
    const accepted = new MemorySocket(this.#medium, right, left);
    accepted.join(opener);
    this.#medium.after(this.#medium.latencyMs, () => opener.join(accepted));
    return [opener, accepted];
  }

  #listen(wanted: PeerAddress, onSocket: (socket: PeerSocket) => void): Promise<PeerListener> {
    const port = wanted.port === 0 ? this.#nextPort++ : wanted.port;
    const key = keyOf({ host: wanted.host, port });
    if (this.#listeners.has(key)) {
      return Promise.reject(new AppError('LISTEN_FAILED', `peer port ${key}: listen EADDRINUSE`));
    }
    this.#listeners.set(key, onSocket);
    return Promise.resolve({
      port,
      close: () => {
        this.#listeners.delete(key);
        return Promise.resolve();
      },
    });
  }
}

function keyOf({ host, port }: PeerAddress): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
