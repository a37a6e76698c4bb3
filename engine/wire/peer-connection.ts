// One connection: socket, frame splitter and the control plane's wire (bittorrent-protocol), introduced to each
// other, behind a channel that may be encrypted. Bulk messages go to the handler directly; everything else through the
// wire, which speaks the handshake and the extension protocol. What the messages mean for a torrent is the handler's
// business.
//
// Each task has its owner: encryption the channel, cutting the stream the splitter, handshake and extensions the wire, how
// much a peer may say the control budget. What is left is to pass on, a line or two for each message: as all of them have
// this one object for a listener, a message costs no object and no call more than it needs.
//
// Everything is heard at once and in order, and leaves at once. The wire keeps views of the frames it is given, which are
// therefore always copies. There are thousands of connections: no closure of their own where a method will do.
import type { HandshakeExtensions } from 'bittorrent-protocol';
import type { InfoHash, PeerId } from '../../shared-protocol/ids.js';
import { parseInfoHash, parsePeerId } from '../../shared-protocol/ids.js';
import type { PeerAddress, PeerSocket, PeerSocketHandler } from '../environment.js';
import { MAX_UNSENT_BYTES, MESSAGE, TINY_BLOCK_BYTES } from './constants.js';
import { ControlBudget } from './control-budget.js';
import type { CloseReason } from './errors.js';
import { isAcceptableExtended } from './extended-guard.js';
import { FrameSplitter, type CopyBytes, type FrameSink } from './frame-splitter.js';
import { encodeCancels, encodeRejects, encodeRequests } from './request-frames.js';
import { PeerWire, type WireExtension, type WireListener } from './peer-wire.js';
import {
  SecureChannel,
  type ChannelEvents,
  type ChannelProtection,
  type ChannelSecurity,
  type ChannelStart,
} from './secure-channel.js';

interface BlockRange {
  readonly piece: number;
  readonly begin: number;
  readonly length: number;
}

/** Calls by which a torrent hears from a connection. Bulk calls come synchronously out of the socket's read. */
export interface ConnectionHandler {
  onConnect(): void;
  /** The remote's handshake. Incoming: answer with `sendHandshake` before returning, or close. */
  onHandshake(infoHash: InfoHash, peerId: PeerId, extensions: HandshakeExtensions): void;
  onChoke(): void;
  onUnchoke(): void;
  onInterested(): void;
  onNotInterested(): void;
  onHave(piece: number): void;
  onBitfield(bits: Uint8Array): void;
  onHaveAll(): void;
  onHaveNone(): void;
  onAllowedFast(piece: number): void;
  /** BEP 5: where the remote's DHT node listens. */
  onPort(port: number): void;
  onExtendedHandshake(handshake: Record<string, unknown>): void;
  onRequest(piece: number, begin: number, length: number): void;
  onCancel(piece: number, begin: number, length: number): void;
  onReject(piece: number, begin: number, length: number): void;
  onBlockStart(piece: number, begin: number, length: number): Uint8Array | null;
  onBlockEnd(piece: number, begin: number, length: number): void;
  /** All frames of one read have been delivered: the time to ask for more, many requests to a write. */
  onReadEnd(): void;
  onDrain(): void;
  /** Exactly once. */
  onClose(reason: CloseReason, detail: string): void;
}

/** Messages of the fast extension (BEP 6): illegal unless both sides enabled it. */
const FAST_IDS: ReadonlySet<number> = new Set([
  MESSAGE.suggest,
  MESSAGE.haveAll,
  MESSAGE.haveNone,
  MESSAGE.reject,
  MESSAGE.allowedFast,
]);
/** Reserved byte 7, bit 2 of the handshake (BEP 6). */
const FAST_BYTE = 27;
const FAST_BIT = 0x04;

export interface ConnectionDeps {
  /** Monotonic milliseconds. */
  readonly nowMs: () => number;
  readonly security: ChannelSecurity;
  /** Brings received blocks to their place. @default an ordinary copy */
  readonly copyPayload?: CopyBytes;
}

export class PeerConnection implements FrameSink, PeerSocketHandler, ChannelEvents, WireListener {
  readonly direction: 'incoming' | 'outgoing';
  readonly #wire: PeerWire;
  readonly #channel: SecureChannel;
  readonly #splitter: FrameSplitter;
  readonly #budget = new ControlBudget();
  #handler: ConnectionHandler;
  #connected = false;
  #closed = false;
  #fast = false;
  #lastReceivedMs: number;
  #lastSentMs: number;

  constructor(
    readonly socket: PeerSocket,
    start: ChannelStart,
    handler: ConnectionHandler,
    private readonly deps: ConnectionDeps,
  ) {
    this.direction = start.kind;
    this.#handler = handler;
    this.#lastReceivedMs = this.#lastSentMs = deps.nowMs();
    this.#splitter = new FrameSplitter(this, deps.copyPayload);
    this.#channel = new SecureChannel(socket, deps.security, start, this);
    this.#wire = new PeerWire(start.kind, this);
    socket.setHandler(this);
  }

  get remote(): PeerAddress {
    return this.socket.remote;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** An encrypted handshake has begun and is not through. */
  get isNegotiating(): boolean {
    return this.#channel.isNegotiating;
  }

  get protection(): ChannelProtection {
    return this.#channel.protection;
  }

  /** Both sides speak the fast extension. */
  get fast(): boolean {
    return this.#fast;
  }

  /** Monotonic times of the last bytes either way. */
  get lastReceivedMs(): number {
    return this.#lastReceivedMs;
  }

  get lastSentMs(): number {
    return this.#lastSentMs;
  }

  /** Bytes that wait for the remote. */
  get unsentBytes(): number {
    return this.socket.bufferedBytes;
  }

  /** Charges as much as so many messages more for what the remote has just said; closes when that is too much. */
  charge(cost: number): void {
    if (!this.#budget.spend(cost)) this.close('WIRE_FLOOD');
  }

  /** Once a second after the handshake. */
  tick(elapsedMs: number): void {
    this.#budget.tick(elapsedMs);
  }

  /** An incoming connection changes hands once its torrent is known. */
  setHandler(handler: ConnectionHandler): void {
    this.#handler = handler;
  }

  /** Before the handshake is sent: extensions are announced in the extended handshake (BEP 10). */
  useExtension(extension: WireExtension): void {
    this.#wire.adopt(extension);
  }

  setExtendedHandshake(fields: Readonly<Record<string, unknown>>): void {
    this.#wire.announce(fields);
  }

  /** `dht`: we are a node of the DHT and want to know the remote's (BEP 5). */
  sendHandshake(infoHash: InfoHash, peerId: PeerId, { dht = false } = {}): void {
    this.#wire.handshake(infoHash, peerId, { fast: true, dht });
  }

  /** BEP 5: where our DHT node listens. */
  sendPort(port: number): void {
    this.#wire.port(port);
  }

  /** BEP 6; only on a connection that is `fast`. */
  sendAllowedFast(piece: number): void {
    this.#wire.allowedFast(piece);
  }

  /** False when the remote does not speak this extension (BEP 10). */
  sendExtended(name: string, payload: Uint8Array): boolean {
    if (this.#wire.idOf(name) === null) return false;
    this.#wire.extended(name, payload);
    return true;
  }

  sendBitfield(bits: Uint8Array): void {
    this.#wire.bitfield(bits);
  }

  sendHaveAll(): void {
    this.#wire.haveAll();
  }

  sendHaveNone(): void {
    this.#wire.haveNone();
  }

  sendHave(piece: number): void {
    this.#wire.have(piece);
  }

  sendInterested(interested: boolean): void {
    if (interested) this.#wire.interested();
    else this.#wire.uninterested();
  }

  sendChoke(choke: boolean): void {
    if (choke) this.#wire.choke();
    else this.#wire.unchoke();
  }

  sendKeepAlive(): void {
    this.#wire.keepAlive();
  }

  sendRequests(blocks: readonly BlockRange[]): void {
    if (blocks.length > 0) this.send(encodeRequests(blocks));
  }

  sendCancels(blocks: readonly BlockRange[]): void {
    if (blocks.length > 0) this.send(encodeCancels(blocks));
  }

  sendRejects(blocks: readonly BlockRange[]): void {
    if (blocks.length > 0 && this.#fast) this.send(encodeRejects(blocks));
  }

  /** Bytes to the socket; `done` when they may be reused. They may be enciphered in place. */
  send(bytes: Uint8Array, done?: () => void): void {
    this.#write(bytes, true, done);
  }

  /** See {@link FrameSplitter.abandonBlock}. */
  abandonBlock(): void {
    this.#splitter.abandonBlock();
  }

  close(reason: CloseReason, detail = ''): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#splitter.close();
    this.#channel.close();
    this.socket.destroy();
    this.#wire.destroy();
    this.#handler.onClose(reason, detail);
  }

  /** The socket's. */
  onConnect(): void {
    if (this.#closed) return;
    this.#connected = true;
    this.#handler.onConnect();
    this.#channel.onConnect();
  }

  onData(bytes: Uint8Array): void {
    if (this.#closed) return;
    this.#lastReceivedMs = this.deps.nowMs();
    this.#channel.receive(bytes);
  }

  onDrain(): void {
    this.#handler.onDrain();
  }

  /** One that hangs up on an encrypted handshake may well take a plain one. */
  onClose(detail: string): void {
    const isRefusal = this.#channel.isNegotiating && this.direction === 'outgoing' && this.#connected;
    this.close(isRefusal ? 'ENCRYPTION_REFUSED' : 'SOCKET_CLOSED', detail);
  }

  /** The channel's: received, and deciphered. */
  onPlain(bytes: Uint8Array): void {
    this.#splitter.push(bytes);
    if (!this.#closed) this.#handler.onReadEnd();
  }

  onChannelFailed(reason: CloseReason): void {
    this.close(reason);
  }

  /** The wire's: often constants, which must not be enciphered in place. */
  onSaid(bytes: Uint8Array): void {
    this.#write(bytes, false);
  }

  /** The types are those of bittorrent-protocol's events. After close no handler hears what is left in the wire. */
  onWireEvent(event: string, ...values: unknown[]): void {
    if (this.#closed) return;
    const handler = this.#handler;
    switch (event) {
      case 'handshake': {
        const [infoHash, peerId, extensions] = values as [string, string, HandshakeExtensions];
        return handler.onHandshake(parseInfoHash(infoHash), parsePeerId(peerId), extensions);
      }
      case 'choke':
        return handler.onChoke();
      case 'unchoke':
        return handler.onUnchoke();
      case 'interested':
        return handler.onInterested();
      case 'uninterested':
        return handler.onNotInterested();
      case 'bitfield':
        return handler.onBitfield((values[0] as { readonly buffer: Uint8Array }).buffer);
      case 'have-all':
        return handler.onHaveAll();
      case 'have-none':
        return handler.onHaveNone();
      case 'allowed-fast':
        return handler.onAllowedFast((values[0] as number) >>> 0);
      case 'port':
        return handler.onPort(values[0] as number);
      case 'extended':
        if (values[0] === 'handshake') handler.onExtendedHandshake(values[1] as Record<string, unknown>);
        return;
      case 'error':
        return this.close('WIRE_NOT_BITTORRENT', (values[0] as Error).message);
      case 'finish':
        return this.close('SOCKET_CLOSED', 'wire ended');
    }
  }

  /** The splitter's, from here on. */
  onHandshake(bytes: Uint8Array): void {
    this.#fast = (bytes[FAST_BYTE]! & FAST_BIT) !== 0;
    this.#feed(bytes);
  }

  onControl(frame: Uint8Array, id: number): void {
    if (!this.#budget.spend()) return this.close('WIRE_FLOOD');
    // All there is to a keep-alive is that it came.
    if (id < 0) return;
    if (!this.#fast && FAST_IDS.has(id)) return this.close('WIRE_FAST_NOT_ENABLED', `id ${id}`);
    if (id === MESSAGE.extended && !isAcceptableExtended(frame)) return this.close('WIRE_EXTENSION_INVALID');
    // By far the most frequent one, of which the wire would make a dozen objects.
    if (id === MESSAGE.have) return this.#handler.onHave(uint32At(frame, 5));
    this.#feed(frame);
  }

  onRequest(piece: number, begin: number, length: number): void {
    this.#handler.onRequest(piece, begin, length);
  }

  onCancel(piece: number, begin: number, length: number): void {
    if (!this.#budget.spend()) return this.close('WIRE_FLOOD');
    this.#handler.onCancel(piece, begin, length);
  }

  onReject(piece: number, begin: number, length: number): void {
    if (!this.#budget.spend()) return this.close('WIRE_FLOOD');
    if (!this.#fast) return this.close('WIRE_FAST_NOT_ENABLED', 'reject');
    this.#handler.onReject(piece, begin, length);
  }

  onBlockStart(piece: number, begin: number, length: number): Uint8Array | null {
    if (length >= TINY_BLOCK_BYTES || this.#budget.spend()) return this.#handler.onBlockStart(piece, begin, length);
    this.close('WIRE_FLOOD');
    return null;
  }

  onBlockEnd(piece: number, begin: number, length: number): void {
    this.#handler.onBlockEnd(piece, begin, length);
  }

  onViolation(reason: CloseReason): void {
    this.close(reason);
  }

  /** Past the queue of its stream, which would hold all frames of a read and hear them after those parsed in place. */
  #feed(frame: Uint8Array): void {
    this.#wire._write(frame, () => undefined);
  }

  #write(bytes: Uint8Array, isOurs: boolean, done?: () => void): void {
    if (this.#closed) return done?.();
    this.#lastSentMs = this.deps.nowMs();
    this.#channel.write(bytes, isOurs, done);
    if (this.socket.bufferedBytes > MAX_UNSENT_BYTES) this.close('SEND_STALLED', 'unsent');
  }
}

function uint32At(bytes: Uint8Array, at: number): number {
  return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
}
