// bittorrent-protocol's wire, made cheap to have by the thousand: what it says and hears goes straight to one listener
// instead of through a stream's queue and an emitter's lists, extensions are objects of classes that exist once, and what
// it would keep of the remote in vain (a bitfield, handshakes, speed meters) is let go. What it says is heard at once.
import Wire, { type HandshakeExtensions } from 'bittorrent-protocol';

/** Calls by which a connection hears its wire. The values are those of bittorrent-protocol's event of that name. */
export interface WireListener {
  /** Bytes for the remote: often constants of the wire's own, which must not be changed. */
  onSaid(bytes: Uint8Array): void;
  onWireEvent(event: string, ...values: unknown[]): void;
}

/** One extension (BEP 10) on one connection. */
export class ConnectionExtension {
  onHandshake(_infoHash: string, _peerId: string, _extensions: HandshakeExtensions): void {
    // Most need nothing of it.
  }

  /** Only when the remote has the extension. */
  onExtendedHandshake(_handshake: Record<string, unknown>): void {
    // Most need nothing of it.
  }

  onMessage(_payload: Uint8Array): void {
    // Most answer.
  }
}

/** An extension before it has a connection. */
export interface WireExtension {
  readonly name: string;
  attach(wire: PeerWire): ConnectionExtension;
}

const NO_PIECES = { get: () => false, set: () => undefined };
const NO_METER = (): number => 0;
const NOTHING: Record<string, unknown> = Object.freeze({});

export class PeerWire extends Wire {
  // The base class's own state, which it lets no subclass leave out.
  declare extendedHandshake: Record<string, unknown>;
  declare peerExtendedHandshake: Record<string, unknown>;
  declare readonly peerExtendedMapping: Readonly<Record<string, number>>;
  declare readonly extendedMapping: Record<number, string>;
  declare peerIdBuffer: Uint8Array | null;
  declare peerPieces: typeof NO_PIECES;
  declare uploadSpeed: typeof NO_METER;
  declare downloadSpeed: typeof NO_METER;
  declare _infoHash: Uint8Array | null;
  declare _ext: Record<string, ConnectionExtension>;
  declare _nextExt: number;
  declare _extendedHandshakeSent: boolean | undefined;
  /** Undefined while the base class is being made, which emits already. */
  declare listener: WireListener | undefined;

  constructor(direction: 'incoming' | 'outgoing', listener: WireListener) {
    super(direction === 'incoming' ? 'tcpIncoming' : 'tcpOutgoing');
    this.listener = listener;
    this.peerPieces = NO_PIECES;
    this.uploadSpeed = NO_METER;
    this.downloadSpeed = NO_METER;
  }

  /** Before the handshake is sent. */
  adopt(extension: WireExtension): void {
    this.extendedMapping[this._nextExt++] = extension.name;
    this._ext[extension.name] = extension.attach(this);
  }

  /** More to say in the extended handshake; too late once that was sent. */
  announce(fields: Readonly<Record<string, unknown>>): void {
    if (!this._extendedHandshakeSent) Object.assign(this.extendedHandshake, fields);
  }

  /** The id under which the remote takes messages of this extension; null: it does not (any more). */
  idOf(name: string): number | null {
    const id = this.peerExtendedMapping[name];
    // The wire would cut it to one byte, and 0 is the handshake.
    return id !== undefined && id >= 1 && id <= 255 ? id : null;
  }

  override handshake(infoHash: string, peerId: string, extensions?: HandshakeExtensions): void {
    super.handshake(infoHash, peerId, extensions);
    // Of use for encryption only, which is not the wire's here.
    this._infoHash = null;
  }

  /** Called by the base class when it is time to. */
  _sendExtendedHandshake(): void {
    // The types of the base class do not tell of it.
    const send: unknown = Reflect.get(Wire.prototype, '_sendExtendedHandshake');
    if (typeof send === 'function') send.call(this);
    this.extendedHandshake = NOTHING;
  }

  override push(bytes: Uint8Array | null): boolean {
    if (bytes === null) return super.push(null);
    this.listener?.onSaid(bytes);
    return true;
  }

  override emit(event: string, ...values: unknown[]): boolean {
    if (!this.listener) return super.emit(event, ...values);
    this.listener.onWireEvent(event, ...values);
    this.#letGo(event);
    // The event has no listener here; the stream would throw it.
    return event === 'error' || super.emit(event, ...values);
  }

  /** Lets go of what has been heard, which is the listener's to keep. */
  #letGo(event: string): void {
    if (event === 'bitfield' || event === 'have-all') this.peerPieces = NO_PIECES;
    else if (event === 'handshake') this.peerIdBuffer = null;
    else if (event === 'extended') this.peerExtendedHandshake = NOTHING;
  }
}
