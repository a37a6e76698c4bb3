// What the engine needs from the world. The shell (session wiring, worker.ts) brings the real ones; simulation
// brings a virtual clock, a seeded generator and a network and disks in memory.

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;

/** BEP 3: peers request blocks of 16 KiB. */
export const BLOCK_SIZE_BYTES = 16 * 1024;

export type { Clock, Timer } from '../shared-protocol/clock.js';

export interface Random {
  /** An integer in [0, bound). */
  below(bound: number): number;
  bytes(length: number): Uint8Array;
}

/** Structured log: a message and plain fields; remote strings only as fields. */
export interface Log {
  debug(message: string, fields?: Readonly<Record<string, string | number | boolean | null>>): void;
  info(message: string, fields?: Readonly<Record<string, string | number | boolean | null>>): void;
  warn(message: string, fields?: Readonly<Record<string, string | number | boolean | null>>): void;
  error(message: string, fields?: Readonly<Record<string, string | number | boolean | null>>): void;
}

export interface PeerAddress {
  /** IPv4 or IPv6 literal, without brackets. */
  readonly host: string;
  readonly port: number;
}

/** A byte stream to a peer. */
export interface PeerSocket {
  readonly remote: PeerAddress;
  readonly local: PeerAddress;
  /** Bytes accepted by `write` and not yet taken by the operating system. */
  readonly bufferedBytes: number;
  /** Sends in order; `done` runs once the bytes may be reused, also when the socket has gone. */
  write(bytes: Uint8Array, done?: () => void): void;
  /** Stops and restarts the delivery of received bytes. */
  pauseReading(): void;
  resumeReading(): void;
  destroy(): void;
  /** Installed once, right after the socket exists. */
  setHandler(handler: PeerSocketHandler): void;
}

export interface PeerSocketHandler {
  /** Outgoing sockets only: connected. */
  onConnect(): void;
  /** The bytes are only valid during the call. */
  onData(bytes: Uint8Array): void;
  /** Buffered bytes have fallen to zero. */
  onDrain(): void;
  /** Exactly once, also after `destroy`. `reason` is empty for an orderly end. */
  onClose(reason: string): void;
}

export interface PeerListener {
  readonly port: number;
  close(): Promise<void>;
}

export interface PeerNetwork {
  /** @throws AppError `LISTEN_FAILED` */
  listen(host: string, port: number, onSocket: (socket: PeerSocket) => void): Promise<PeerListener>;
  connect(address: PeerAddress): PeerSocket;
}
