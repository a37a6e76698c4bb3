// Packets to UDP trackers and the replies to them (BEP 15): one socket per address family for all trackers, opened
// at first use and closed when idle. A reply counts only with a transaction id that is under way and from the very
// address and port that was asked; anything else is dropped unseen, so blind forgers must guess 32 random bits.
import { isIP } from 'node:net';
import { closeDatagrams } from '../../shared-protocol/network/close-datagrams.js';
import type { Outlet } from '../../shared-protocol/network/outlet.js';
import { Socks5Datagrams } from '../../shared-protocol/network/socks5-datagrams.js';
import type { Clock, Random, Timer } from '../environment.js';
import { trackerFailure, type TrackerFailure } from './client.js';
import { printable } from './printable.js';
import { decodeReply, transactionIdOf, type UdpExpectation, type UdpReply } from './udp-codec.js';

export interface UdpAddress {
  /** An address; behind a proxy also a name, whose family is not known. */
  readonly host: string;
  readonly port: number;
  readonly family: 4 | 6;
}

export interface UdpRequest {
  readonly to: UdpAddress;
  readonly packet: (transactionId: number) => Uint8Array;
  readonly expected: UdpExpectation;
  /** The packet is sent as often as there are waits, the next one after each. */
  readonly waitsMs: readonly number[];
}

export type UdpOutcome = UdpReply | TrackerFailure;

interface Transaction {
  readonly id: number;
  readonly request: UdpRequest;
  readonly bytes: Uint8Array;
  readonly resolve: (outcome: UdpOutcome) => void;
  sent: number;
  timer: Timer | null;
}

type Datagrams = ReturnType<Outlet['datagramsFor']>;

interface UdpExchangeDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly outlet: Outlet;
}

export class UdpExchange {
  readonly #sockets = new Map<4 | 6, Datagrams>();
  readonly #transactions = new Map<number, Transaction>();
  #idleTimer: Timer | null = null;
  #closed = false;

  constructor(
    private readonly deps: UdpExchangeDeps,
    private readonly idleMs: number,
  ) {}

  get openSockets(): number {
    return this.#sockets.size;
  }

  /** Resolves with the reply, with the failure to get one, or as aborted; never rejects. */
  request(request: UdpRequest, signal: AbortSignal): Promise<UdpOutcome> {
    if (this.#closed || signal.aborted) return Promise.resolve(trackerFailure('TRACKER_ABORTED', 'given up'));
    this.#idleTimer?.cancel();
    this.#idleTimer = null;
    return new Promise((resolve) => {
      const id = this.#newTransactionId();
      const onAbort = (): void => this.#end(transaction, trackerFailure('TRACKER_ABORTED', 'given up'));
      const transaction: Transaction = {
        id,
        request,
        bytes: request.packet(id),
        resolve: (outcome) => {
          signal.removeEventListener('abort', onAbort);
          resolve(outcome);
        },
        sent: 0,
        timer: null,
      };
      signal.addEventListener('abort', onAbort);
      this.#transactions.set(id, transaction);
      this.#send(transaction);
    });
  }

  close(): void {
    this.#closed = true;
    for (const transaction of this.#transactions.values()) {
      this.#end(transaction, trackerFailure('TRACKER_ABORTED', 'given up'));
    }
    this.#idleTimer?.cancel();
    this.#closeSockets();
  }

  #send(transaction: Transaction): void {
    const { to, waitsMs } = transaction.request;
    const waitMs = waitsMs[transaction.sent];
    if (waitMs === undefined) return this.#end(transaction, trackerFailure('TRACKER_TIMEOUT', 'no answer'));
    transaction.sent++;
    transaction.timer = this.deps.clock.after(waitMs, () => this.#send(transaction));
    const fail = (error: unknown): void =>
      this.#end(transaction, trackerFailure('TRACKER_UNREACHABLE', sendReason(error)));
    try {
      const socket = this.#socket(to.family);
      // A name is the proxy's to resolve; a socket of this machine would ask the system.
      if (isIP(to.host) === 0 && !(socket instanceof Socks5Datagrams)) throw new Error('no proxy any more');
      socket.send(transaction.bytes, to.port, to.host, (error) => {
        if (error) fail(error);
      });
    } catch (error) {
      fail(error);
    }
  }

  #onMessage(message: Uint8Array, from: { readonly address: string; readonly port: number }): void {
    const id = transactionIdOf(message);
    const transaction = id === null ? undefined : this.#transactions.get(id);
    if (!transaction) return;
    const { to, expected } = transaction.request;
    const isNamed = isIP(to.host) === 0;
    if (from.port !== to.port || (!isNamed && from.address !== to.host)) return;
    const family = isNamed && isIP(from.address) === 6 ? 6 : to.family;
    this.#end(transaction, decodeReply(message, expected.kind === 'announce' ? { ...expected, family } : expected));
  }

  #end(transaction: Transaction, outcome: UdpOutcome): void {
    if (!this.#transactions.delete(transaction.id)) return;
    transaction.timer?.cancel();
    transaction.resolve(outcome);
    if (this.#transactions.size > 0 || this.#closed) return;
    this.#idleTimer?.cancel();
    this.#idleTimer = this.deps.clock.after(this.idleMs, () => this.#closeSockets());
  }

  #socket(family: 4 | 6): Datagrams {
    let socket = this.#sockets.get(family);
    if (!socket) {
      const opened = this.deps.outlet.datagramsFor('trackers', family);
      opened.on('message', (message, from) => this.#onMessage(message, from));
      opened.on('error', (error) => this.#drop(family, opened, error));
      // Also when there is another way out: then the outlet has closed it.
      opened.on('close', () => this.#drop(family, opened, new Error('socket closed')));
      this.#sockets.set(family, opened);
      socket = opened;
    }
    return socket;
  }

  /** A socket that failed takes its transactions with it; the next request opens another. */
  #drop(family: 4 | 6, socket: Datagrams, error: Error): void {
    if (this.#sockets.get(family) !== socket) return;
    this.#sockets.delete(family);
    closeDatagrams(socket);
    for (const transaction of this.#transactions.values()) {
      if (transaction.request.to.family !== family) continue;
      this.#end(transaction, trackerFailure('TRACKER_UNREACHABLE', sendReason(error)));
    }
  }

  #closeSockets(): void {
    const sockets = [...this.#sockets.values()];
    this.#sockets.clear();
    for (const socket of sockets) closeDatagrams(socket);
  }

  #newTransactionId(): number {
    for (;;) {
      const bytes = this.deps.random.bytes(4);
      const id = Buffer.from(bytes).readUInt32BE(0);
      if (!this.#transactions.has(id)) return id;
    }
  }
}

function sendReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' ? printable(code) : 'cannot send';
}
