// The socket that the package is given: a UDP socket whose every datagram is judged on its way in and out
// (docs/limits.md 2.4, 2.19). In: size, floods, shape, replies that answer something, addresses worth asking. Out:
// random transaction ids, small replies within a budget. The package sees canonical messages only, whatever was sent,
// and never learns of a querier's id: it would take strangers into its table unasked. `onQuerier` names them to who
// pings them first.
import { EventEmitter } from 'node:events';
import type { DhtSocket } from 'bittorrent-dht';
import type { Clock, Log, PeerAddress, Random } from '../environment.js';
import {
  DATAGRAM_BENCODE_LIMITS,
  DATAGRAM_MAX_BYTES,
  OWN_BENCODE_LIMITS,
  QUERY_MAX_PER_HOST,
  REPLY_BURST_BYTES,
  REPLY_MAX_AMPLIFICATION,
  REPLY_MAX_BYTES,
  REPLY_RATE_BYTES_PER_SEC,
} from './constants.js';
import { fitReply } from './fit-reply.js';
import { FloodGuard } from './flood-guard.js';
import {
  encodeKrpc,
  parseKrpc,
  type KrpcError,
  type KrpcMessage,
  type KrpcQuery,
  type KrpcReply,
} from './krpc-message.js';
import { addressAt, compactAddress, filterNodes, kindOf, mayBeNode } from './node-address.js';
import { StoredPeers } from './stored-peers.js';
import { TokenBucket } from '../util/token-bucket.js';
import { Transactions } from './transactions.js';
import type { TrafficCounters } from './types.js';

/** The part of a bound `dgram.Socket` that is used. */
export interface DatagramSocket {
  on(event: 'message', listener: (bytes: Buffer, from: { address: string; port: number }) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  send(bytes: Uint8Array, port: number, host: string, done: (error: Error | null) => void): void;
  address(): { readonly address: string; readonly port: number };
  close(done: () => void): unknown;
}

interface GuardedSocketDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly socket: DatagramSocket;
  readonly isAllowed: (address: PeerAddress) => boolean;
  /** Called when a node that answers queries has asked us something. */
  readonly onQuerier: (from: PeerAddress) => void;
  readonly onAnswered: (from: PeerAddress) => void;
  readonly onUnanswered: (to: PeerAddress) => void;
}

type Counters = { -readonly [name in keyof TrafficCounters]: number };

/** BEP 5: a generic server error. */
const ERROR_SERVER = 202;

export class GuardedSocket extends EventEmitter implements DhtSocket {
  readonly storedPeers: StoredPeers;
  readonly #floods: FloodGuard;
  readonly #budget: TokenBucket;
  readonly #transactions: Transactions;
  readonly #counters: Counters = {
    received: 0,
    malformed: 0,
    unknownQueries: 0,
    flooding: 0,
    disallowed: 0,
    unsolicited: 0,
    queriesSent: 0,
    repliesSent: 0,
    replyBytesSent: 0,
    overBudget: 0,
    notStored: 0,
    sendErrors: 0,
    packageErrors: 0,
  };
  /** Bytes of the query that the package answers at this very moment; it answers in the same turn or not at all. */
  #queryBytes = 0;
  #closed = false;
  /** The socket below has been closed by another: there is no way out any more. */
  #isGone = false;

  constructor(private readonly deps: GuardedSocketDeps) {
    super();
    const { clock, socket } = deps;
    this.storedPeers = new StoredPeers(clock);
    this.#floods = new FloodGuard(clock);
    this.#budget = new TokenBucket(clock, { perSecond: REPLY_RATE_BYTES_PER_SEC, burst: REPLY_BURST_BYTES });
    this.#transactions = new Transactions(deps);
    socket.on('message', (bytes, from) => this.#receive(bytes, { host: from.address, port: from.port }));
    // Errors of a bound UDP socket are about single datagrams, such as an unreachable host.
    socket.on('error', () => this.#counters.sendErrors++);
    socket.on('close', () => (this.#isGone = true));
  }

  get traffic(): TrafficCounters {
    return { ...this.#counters };
  }

  /** Notices queries that no node answered. */
  expire(): void {
    this.#transactions.expire();
  }

  // From here on what the package calls, as it would a dgram socket's.

  /** The socket below is bound already. */
  bind(): void {
    process.nextTick(() => {
      if (!this.#closed) this.emit('listening');
    });
  }

  address(): { readonly address: string; readonly port: number } {
    return this.deps.socket.address();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#isGone) process.nextTick(() => this.emit('close'));
    else this.deps.socket.close(() => this.emit('close'));
  }

  send(
    bytes: Uint8Array,
    offset: number,
    length: number,
    port: number,
    host: string,
    done: (error: Error | null) => void,
  ): void {
    const to = { host, port };
    const message = parseKrpc(bytes.subarray(offset, offset + length), OWN_BENCODE_LIMITS);
    if (message.kind === 'query') this.#sendQuery(message, to);
    else if (message.kind === 'reply' || message.kind === 'error') this.#answer(message, to);
    // The package takes silence for an answer, and has no use for the reason.
    done(null);
  }

  #sendQuery(query: KrpcQuery, to: PeerAddress): void {
    const kind = kindOf(to.host);
    if (kind === 'unusable' || !this.deps.isAllowed(to)) return;
    if (kind === 'public' && this.#transactions.openTo(to.host) >= QUERY_MAX_PER_HOST) return;
    this.#counters.queriesSent++;
    this.#send(encodeKrpc({ ...query, transaction: this.#transactions.begin(query.transaction, to) }), to);
  }

  #answer(answer: KrpcReply | KrpcError, to: PeerAddress): void {
    const seenAs = compactAddress(to);
    const maxBytes = this.#budget.isBelowHalf ? this.#queryBytes * REPLY_MAX_AMPLIFICATION : REPLY_MAX_BYTES;
    const bytes =
      answer.kind === 'reply'
        ? fitReply(answer, seenAs, Math.min(maxBytes, REPLY_MAX_BYTES))
        : encodeKrpc(answer, { seenAs });
    if (!bytes || bytes.length > maxBytes || !this.#budget.take(bytes.length)) {
      this.#counters.overBudget++;
      return;
    }
    this.#counters.repliesSent++;
    this.#counters.replyBytesSent += bytes.length;
    this.#send(bytes, to);
  }

  #send(bytes: Uint8Array, to: PeerAddress): void {
    if (this.#closed || this.#isGone) return;
    try {
      this.deps.socket.send(bytes, to.port, to.host, (error) => {
        if (error) this.#counters.sendErrors++;
      });
    } catch {
      this.#counters.sendErrors++;
    }
  }

  #receive(bytes: Buffer, from: PeerAddress): void {
    if (this.#closed) return;
    this.#counters.received++;
    if (this.#floods.isBlocked(from.host)) {
      this.#counters.flooding++;
      return;
    }
    if (!this.deps.isAllowed(from)) {
      this.#counters.disallowed++;
      return;
    }
    const fits = bytes.length <= DATAGRAM_MAX_BYTES && from.port > 0;
    const message = fits ? parseKrpc(bytes, DATAGRAM_BENCODE_LIMITS) : ({ kind: 'malformed' } as const);
    if (message.kind === 'reply' || message.kind === 'error') {
      const packageId = this.#transactions.end(message.transaction, from);
      if (packageId) return this.#onAnswer({ ...message, transaction: packageId }, from);
    }
    // Answers to our own queries are as many as those; all else counts towards a flood.
    if (!this.#floods.admit(from.host)) this.#counters.flooding++;
    else if (message.kind === 'malformed') this.#counters.malformed++;
    else if (message.kind === 'unknownQuery') this.#counters.unknownQueries++;
    else if (message.kind !== 'query') this.#counters.unsolicited++;
    else this.#onQuery(message, from, bytes.length);
  }

  #onAnswer(answer: KrpcReply | KrpcError, from: PeerAddress): void {
    this.deps.onAnswered(from);
    if (answer.kind === 'error') return this.#deliver(answer, from);
    const kind = kindOf(from.host);
    const nodes = filterNodes(answer.nodes, (node) => mayBeNode(node, kind) && this.deps.isAllowed(node));
    const values = answer.values.filter((value) => {
      const peer = addressAt(value);
      const peerKind = kindOf(peer.host);
      return peer.port > 0 && (peerKind === 'public' || (peerKind === 'local' && kind === 'local'));
    });
    this.#deliver({ ...answer, nodes, values }, from);
  }

  #onQuery(query: KrpcQuery, from: PeerAddress, queryBytes: number): void {
    if (!query.readOnly) this.deps.onQuerier(from);
    this.#queryBytes = queryBytes;
    const { arguments: given } = query;
    if (given.method === 'announce_peer') {
      const port = given.impliedPort ? from.port : given.port;
      const infoHash = Buffer.from(given.infoHash).toString('hex');
      if (!this.storedPeers.admits(infoHash, { host: from.host, port })) {
        this.#counters.notStored++;
        const { transaction } = query;
        return this.#answer({ kind: 'error', transaction, code: ERROR_SERVER, message: 'no room' }, from);
      }
    }
    this.#deliver(query, from);
  }

  #deliver(message: KrpcMessage, from: PeerAddress): void {
    try {
      this.emit('message', encodeKrpc(message, { senderId: null }), { address: from.host, port: from.port });
    } catch (error) {
      // The package is not ours: what it throws costs one message, not the engine.
      this.#counters.packageErrors++;
      this.deps.log.error('bug: the DHT package threw', { kind: message.kind, error: String(error) });
    }
  }
}
