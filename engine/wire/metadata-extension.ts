// Info dictionaries over the wire (BEP 9) by `ut_metadata`, which trusts its peer: here each message is checked
// before it gets there, and whatever it still throws ends the exchange with that peer, not the engine. One is only there
// while something is fetched or served, for most connections never do either.
import { createHash } from 'node:crypto';
import bencode from 'bencode';
import utMetadata from 'ut_metadata';
import type { HandshakeExtensions } from 'bittorrent-protocol';
import { asDictionary, asInteger, decodeBencodePrefix, EXTENSION_LIMITS } from '../metainfo/index.js';
import { ConnectionExtension, type PeerWire, type WireExtension } from './peer-wire.js';

/** BEP 9: metadata travels in pieces of 16 KiB. */
const METADATA_PIECE_BYTES = 16 * 1024;
/** `ut_metadata` itself refuses more than 10 MB; larger info dictionaries come as torrent files. */
export const MAX_METADATA_BYTES = 10_000_000;
/** Pieces of metadata we send one peer before it is cut off: the whole dictionary several times over. */
const MAX_SERVED_FACTOR = 8;
/** BEP 9 `msg_type`. */
const REQUEST = 0;
const DATA = 1;
const REJECT = 2;
const EMPTY = new Uint8Array(0);

export interface MetadataExchange {
  /** Ask this peer for the metadata, as soon as it says how large it is. */
  fetch(): void;
  cancel(): void;
  /** From now on serve this to the peer. */
  provide(infoBytes: Uint8Array): void;
  /** The peer has taken what it was sent: the next of what it asked for may follow. */
  serve(): void;
}

export interface MetadataListener {
  onExchange(exchange: MetadataExchange): void;
  /** Asked before each piece; when not, `serve` is called once it may go on. */
  mayServe(): boolean;
  /** Fetched: the exact bytes; their SHA-1 is the torrent's info hash. They need not be a dictionary at all. */
  onInfo(infoBytes: Uint8Array): void;
  /** This peer does not or cannot give it. */
  onUnavailable(reason: string): void;
  /** The peer broke the protocol. */
  onInvalid(reason: string): void;
}

/** `infoBytes`: what to serve; null while we have none ourselves. */
export function createMetadataExtension(infoBytes: Uint8Array | null, listener: MetadataListener): WireExtension {
  return { name: 'ut_metadata', attach: (wire) => new MetadataExtension(wire, infoBytes, listener) };
}

class MetadataExtension extends ConnectionExtension implements MetadataExchange {
  /** Null once there is nothing to fetch. */
  #fetching: Transfer | null = null;
  #infoBytes: Uint8Array | null = null;
  #served = 0;
  /** Pieces that the peer waits for; in order, each once. */
  #wanted: Set<number> | null = null;

  constructor(
    private readonly wire: PeerWire,
    infoBytes: Uint8Array | null,
    private readonly listener: MetadataListener,
  ) {
    super();
    if (infoBytes) this.provide(infoBytes);
    else this.#fetching = new Transfer(wire, listener, (info) => this.#onFetched(info));
    listener.onExchange(this);
  }

  fetch(): void {
    this.#fetching?.fetch();
  }

  cancel(): void {
    this.#fetching?.cancel();
  }

  provide(infoBytes: Uint8Array): void {
    this.cancel();
    this.#fetching = null;
    this.#infoBytes = infoBytes;
    this.wire.announce({ metadata_size: infoBytes.length });
  }

  serve(): void {
    if (!this.#wanted || !this.#infoBytes) return;
    const transfer = new Transfer(this.wire, this.listener, () => undefined);
    transfer.adopt(this.#infoBytes);
    for (const piece of this.#wanted) {
      if (!this.listener.mayServe()) return;
      this.#wanted.delete(piece);
      transfer._onRequest(piece);
    }
    this.#wanted = null;
  }

  override onHandshake(infoHash: string, peerId: string, extensions: HandshakeExtensions): void {
    this.#fetching?.onHandshake?.(infoHash, peerId, extensions);
  }

  override onExtendedHandshake(handshake: Record<string, unknown>): void {
    this.#fetching?.onExtendedHandshake(handshake);
  }

  override onMessage(payload: Uint8Array): void {
    const message = readMessage(payload);
    if (typeof message === 'string') return this.listener.onInvalid(message);
    if (!this.#infoBytes) this.#fetching?.receive(message);
    else if (message.type === REQUEST) this.#onRequested(message.piece, this.#infoBytes);
  }

  #onRequested(piece: number, infoBytes: Uint8Array): void {
    const pieces = Math.ceil(infoBytes.length / METADATA_PIECE_BYTES);
    if (++this.#served > MAX_SERVED_FACTOR * pieces) return this.listener.onInvalid('too many metadata requests');
    if (piece >= pieces) {
      new Transfer(this.wire, this.listener, () => undefined)._send({ msg_type: REJECT, piece });
      return;
    }
    this.#wanted ??= new Set();
    this.#wanted.add(piece);
    this.serve();
  }

  #onFetched(info: Uint8Array): void {
    this.provide(info);
    this.listener.onInfo(new Uint8Array(info));
  }
}

class Transfer extends utMetadata() {
  // The base class's own state; it has no other way to be told of metadata without decoding it.
  declare metadata: Uint8Array | null;
  declare _infoHash: string | undefined;
  declare _metadataComplete: boolean;
  declare _metadataSize: number | null;
  declare _onRequest: (piece: number) => void;

  constructor(
    private readonly wire: PeerWire,
    private readonly listener: Pick<MetadataListener, 'onUnavailable' | 'onInvalid'>,
    private readonly onFetched: (info: Uint8Array) => void,
  ) {
    super(wire);
    this.on('warning', (error: Error) => listener.onUnavailable(error.message));
  }

  /** Takes the info dictionary: there is nothing left to fetch. */
  adopt(info: Uint8Array): void {
    this.cancel();
    this.metadata = info;
    this._metadataComplete = true;
    this._metadataSize = info.length;
  }

  receive({ type, piece, data }: MetadataMessage): void {
    try {
      // Written anew, because the base class looks for the dictionary's end in decoded text and would read
      // something else, even for ever, where strings are not UTF-8.
      this.onMessage(Buffer.concat([bencode.encode({ msg_type: type, piece }), data]));
    } catch (error) {
      this.listener.onInvalid(reasonOf(error));
    }
  }

  /** The first size counts: each handshake that told one again would cost a request for every piece. */
  override onExtendedHandshake(handshake: Record<string, unknown>): void {
    if (this._metadataSize === null) super.onExtendedHandshake?.(handshake);
  }

  /** Called by the base class when all pieces are there. Its own version throws where no caller can catch it. */
  override setMetadata(info: Uint8Array): Promise<boolean> {
    if (this._metadataComplete) return Promise.resolve(true);
    if (createHash('sha1').update(info).digest('hex') !== this._infoHash) {
      // All of it came from this peer.
      this.cancel();
      this.listener.onInvalid('metadata of another hash');
      return Promise.resolve(false);
    }
    this.adopt(info);
    this.onFetched(info);
    return Promise.resolve(true);
  }

  /** Called by the base class, also out of promises. A peer may have withdrawn the extension meanwhile. */
  _send(message: Readonly<Record<string, number>>, data: Uint8Array = EMPTY): void {
    try {
      this.wire.extended(this.name, Buffer.concat([bencode.encode(message), data]));
    } catch (error) {
      this.cancel();
      this.listener.onUnavailable(reasonOf(error));
    }
  }
}

interface MetadataMessage {
  readonly type: number;
  readonly piece: number;
  readonly data: Uint8Array;
}

/** The message, or what is wrong with it. */
function readMessage(payload: Uint8Array): MetadataMessage | string {
  try {
    const { value, end } = decodeBencodePrefix(payload, EXTENSION_LIMITS);
    const message = asDictionary(value);
    const type = asInteger(message?.get('msg_type'));
    const piece = asInteger(message?.get('piece'));
    if (type === null || piece === null) return 'msg_type or piece missing';
    if (piece < 0 || piece >= MAX_METADATA_BYTES / METADATA_PIECE_BYTES) return `piece ${piece} out of range`;
    const data = payload.subarray(end);
    if (type === DATA && data.length > METADATA_PIECE_BYTES) return 'metadata piece longer than 16 KiB';
    return { type, piece, data };
  } catch (error) {
    return reasonOf(error);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
