// Datagrams through a SOCKS5 proxy (UDP ASSOCIATE, RFC 1928 section 7): a connection to the proxy that says where datagrams
// go, and lasts as long as they may; a socket to there; and a header of each that names the other end, which may be a
// name. What is sent before the proxy has answered waits.
import { EventEmitter } from 'node:events';
import type { Socket as DatagramSocket } from 'node:dgram';
import type { Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { closeDatagrams } from './close-datagrams.js';
import { readAddress, Socks5Connect, writeAddress } from './socks5-connect.js';
import type { KnownProxy } from './proxy-address.js';

/** Datagrams that wait for the proxy's answer; more are lost, as datagrams are. */
const MAX_WAITING = 64;
/** Two reserved bytes, and that it is no fragment. */
const HEAD = Buffer.from([0, 0, 0]);
const ANY = { host: '0.0.0.0', port: 0 };

interface Waiting {
  readonly datagram: Uint8Array;
  readonly done: (error: Error | null) => void;
}

export interface DatagramEvents {
  message: [bytes: Uint8Array, from: { readonly address: string; readonly port: number }];
  error: [error: Error];
  close: [];
}

export class Socks5Datagrams extends EventEmitter<DatagramEvents> {
  #waiting: Waiting[] = [];
  #relay: { readonly host: string; readonly port: number } | null = null;
  #isClosed = false;

  /** `control` connects to the proxy, `socket` is bound; both are ours from now on. */
  constructor(
    private readonly control: Socket,
    private readonly socket: DatagramSocket,
    private readonly proxy: KnownProxy,
  ) {
    super();
    const handshake = new Socks5Connect(ANY, proxy.credentials, 'associate');
    control.once('connect', () => control.write(handshake.begin()));
    control.on('data', (bytes) => {
      // Nothing is said after the answer.
      if (this.#relay) return;
      const step = handshake.push(bytes);
      if (step.kind === 'failed') return this.#fail(new Error(step.reason));
      if (step.kind === 'open') return this.#open(step.bound);
      if (step.send) control.write(step.send);
    });
    control.on('error', (error) => this.#fail(error));
    control.once('close', () => this.close());
    socket.on('error', (error) => this.#fail(error));
    socket.once('close', () => this.close());
    socket.on('message', (datagram, { address, port }) => {
      const isRelay = address === this.#relay?.host && port === this.#relay.port;
      const isWhole = datagram.length > HEAD.length && datagram[2] === 0;
      const named = isRelay && isWhole ? readAddress(datagram.subarray(HEAD.length)) : null;
      if (!named) return;
      const { host, port: fromPort } = named.from;
      this.emit('message', datagram.subarray(HEAD.length + named.length), { address: host, port: fromPort });
    });
  }

  /** `host`: an address, or a name that the proxy resolves. */
  send(bytes: Uint8Array, port: number, host: string, done: (error: Error | null) => void): void {
    const datagram = Buffer.concat([HEAD, writeAddress({ host, port }), bytes]);
    if (this.#relay) this.socket.send(datagram, this.#relay.port, this.#relay.host, done);
    else if (this.#waiting.length < MAX_WAITING) this.#waiting.push({ datagram, done });
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.control.destroy();
    closeDatagrams(this.socket);
    process.nextTick(() => this.emit('close'));
  }

  /** A proxy that names no address of its own is where it is. */
  #open(bound: { readonly host: string; readonly port: number } | undefined): void {
    const { address } = this.proxy;
    if (!bound || address === null) return this.#fail(new Error('the proxy relays no datagrams'));
    const isNone = ipaddr.parse(bound.host).range() === 'unspecified';
    this.#relay = isNone ? { host: address, port: bound.port } : bound;
    for (const { datagram, done } of this.#waiting.splice(0)) {
      this.socket.send(datagram, this.#relay.port, this.#relay.host, done);
    }
  }

  #fail(error: Error): void {
    if (this.#isClosed) return;
    this.#waiting = [];
    this.emit('error', error);
    this.close();
  }
}
