// The connections to the HTTP listener: how many there are, whose, and which yields when there are too many. Strangers,
// who have shown no credentials, have little: few at a time from one address, and of all the longest silent one goes
// first. So no stranger keeps others from the service, or the disk and peers from descriptors.
import type { Socket } from 'node:net';
import { sourceOf } from '../auth/login-limit.js';

/** Connections from one address that have shown no credentials; a browser opens six. */
const MAX_OF_A_STRANGER = 32;
/** Where there are few of all, no stranger has more of them than this share. */
const STRANGERS_SHARE = 1 / 4;

export interface ConnectionsOptions {
  readonly max: number;
  /** Addresses behind which there are many: this machine, proxies. Only the number of all holds for them. */
  readonly isShared: (address: string) => boolean;
}

interface Connection {
  socket: Socket;
  readonly key: string;
  readonly source: string;
  readonly isShared: boolean;
  /** Requests under way; a WebSocket is one. */
  requests: number;
  /** Whether valid credentials were sent over it. */
  isVouchedFor: boolean;
}

export class Connections {
  /** In the order of what was done with them last. */
  readonly #open = new Map<string, Connection>();

  constructor(private readonly options: ConnectionsOptions) {}

  get size(): number {
    return this.#open.size;
  }

  /** A new one, before anything was read; another may have to go for it. */
  add(socket: Socket): void {
    const key = keyOf(socket);
    // Gone before it was accepted.
    if (key === null || socket.destroyed) return void socket.destroy();
    const { remoteAddress = '' } = socket;
    const source = sourceOf(remoteAddress);
    const isShared = this.options.isShared(remoteAddress);
    const connection: Connection = { socket, key, source, isShared, requests: 0, isVouchedFor: false };
    this.#open.set(key, connection);
    socket.once('close', () => {
      if (this.#open.get(key) === connection) this.#open.delete(key);
    });
    this.#makeRoom(connection);
  }

  /** TLS speaks over it from here on, so that is what is ended when it must go. */
  secured(socket: Socket): void {
    const connection = this.#of(socket);
    if (connection) connection.socket = socket;
  }

  /** A request has begun; what is returned is called at its end. */
  began(socket: Socket): () => void {
    const connection = this.#of(socket);
    if (!connection) return () => undefined;
    this.#touch(connection);
    connection.requests++;
    return () => {
      connection.requests--;
      if (this.#open.has(connection.key)) this.#touch(connection);
    };
  }

  /** Notes that the client has shown valid credentials. */
  vouch(socket: Socket): void {
    const connection = this.#of(socket);
    if (connection) connection.isVouchedFor = true;
  }

  #of(socket: Socket): Connection | undefined {
    const key = keyOf(socket);
    return key === null ? undefined : this.#open.get(key);
  }

  /** To the end of the line. */
  #touch(connection: Connection): void {
    this.#open.delete(connection.key);
    this.#open.set(connection.key, connection);
  }

  #makeRoom(newest: Connection): void {
    const { max } = this.options;
    if (!newest.isShared) {
      const own = this.#strangers().filter(({ source, isShared }) => source === newest.source && !isShared);
      const most = Math.max(1, Math.min(MAX_OF_A_STRANGER, Math.floor(max * STRANGERS_SHARE)));
      if (own.length > most) this.#end(firstToGo(own));
    }
    if (this.#open.size <= max) return;
    const idle = [...this.#open.values()].filter(({ requests, isVouchedFor }) => isVouchedFor && requests === 0);
    this.#end(firstToGo(this.#strangers().filter((one) => one !== newest)) ?? idle[0] ?? newest);
  }

  #strangers(): Connection[] {
    return [...this.#open.values()].filter(({ isVouchedFor }) => !isVouchedFor);
  }

  #end(connection: Connection | undefined): void {
    if (!connection) return;
    this.#open.delete(connection.key);
    connection.socket.destroy();
  }
}

/** Returns, of several in the order of what was done last, the first that asks for nothing, else the first. */
function firstToGo(connections: readonly Connection[]): Connection | undefined {
  return connections.find(({ requests }) => requests === 0) ?? connections[0];
}

/** The same for a connection and for the TLS over it; null when it has ended. */
function keyOf({ remoteAddress, remotePort, localPort }: Socket): string | null {
  return remoteAddress === undefined ? null : `${remoteAddress} ${remotePort} ${localPort}`;
}
