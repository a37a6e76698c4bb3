// Info dictionaries over the wire (BEP 9) by `ut_metadata`, which trusts its peer: here each message is checked
// before it gets there, and whatever it still throws ends the exchange with that peer, not the engine.
import { createHash } from 'node:crypto';
import bencode from 'bencode';
import utMetadata from 'ut_metadata';
import type Wire from 'bittorrent-protocol';
import type { WireExtensionConstructor } from 'bittorrent-protocol';
import { asDictionary, asInteger, decodeBencodePrefix, EXTENSION_LIMITS } from '../metainfo/index.js';

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
export function createMetadataExtension(
  infoBytes: Uint8Array | null,
  listener: MetadataListener,
): WireExtensionConstructor {
  class MetadataExtension extends utMetadata() {
    // The base class's own state; it has no other way to be told of metadata without decoding it.
    declare metadata: Uint8Array | null;
    declare _wire: Wire;
    declare _infoHash: string | undefined;
    declare _metadataComplete: boolean;
    declare _metadataSize: number | null;
    declare _onRequest: (piece: number) => void;
    #served = 0;
    /** Pieces that the peer waits for; in order, each once. */
    readonly #wanted = new Set<number>();

    constructor(wire: Wire) {
      super(wire);
      if (infoBytes) this.#adopt(infoBytes);
      this.on('warning', (error: Error) => listener.onUnavailable(error.message));
      listener.onExchange({
        fetch: () => this.fetch(),
        cancel: () => this.cancel(),
        provide: (bytes) => this.#adopt(bytes),
        serve: () => this.#serve(),
      });
    }

    /** The first size counts: each handshake that told one again would cost a request for every piece. */
    override onExtendedHandshake(handshake: Record<string, unknown>): void {
      if (this._metadataSize === null) super.onExtendedHandshake?.(handshake);
    }

    override onMessage(payload: Uint8Array): void {
      const message = readMessage(payload);
      if (typeof message === 'string') return listener.onInvalid(message);
      const { type, piece, data } = message;
      if (type === REQUEST && this._metadataComplete) return this.#onRequested(piece);
      try {
        // Written anew, because the base class looks for the dictionary's end in decoded text and would read
        // something else, even for ever, where strings are not UTF-8.
        super.onMessage(Buffer.concat([bencode.encode({ msg_type: type, piece }), data]));
      } catch (error) {
        listener.onInvalid(reasonOf(error));
      }
    }

    #onRequested(piece: number): void {
      const pieces = piecesOf(this.metadata ?? EMPTY);
      if (++this.#served > MAX_SERVED_FACTOR * pieces) return listener.onInvalid('too many metadata requests');
      if (piece >= pieces) return this._send({ msg_type: REJECT, piece });
      this.#wanted.add(piece);
      this.#serve();
    }

    #serve(): void {
      for (const piece of this.#wanted) {
        if (!listener.mayServe()) return;
        this.#wanted.delete(piece);
        this._onRequest(piece);
      }
    }

    /** Called by the base class when all pieces are there. Its own version throws where nobody can catch it. */
    override setMetadata(info: Uint8Array): Promise<boolean> {
      if (this._metadataComplete) return Promise.resolve(true);
      if (createHash('sha1').update(info).digest('hex') !== this._infoHash) {
        // All of it came from this peer.
        this.cancel();
        listener.onInvalid('metadata of another hash');
        return Promise.resolve(false);
      }
      this.#adopt(info);
      listener.onInfo(new Uint8Array(info));
      return Promise.resolve(true);
    }

    /** Called by the base class, also out of promises. A peer may have withdrawn the extension meanwhile. */
    _send(message: Readonly<Record<string, number>>, data: Uint8Array = EMPTY): void {
      try {
        this._wire.extended(this.name, Buffer.concat([bencode.encode(message), data]));
      } catch (error) {
        this.cancel();
        listener.onUnavailable(reasonOf(error));
      }
    }

    #adopt(info: Uint8Array): void {
      this.cancel();
      this.metadata = info;
      this._metadataComplete = true;
      this._metadataSize = info.length;
      this._wire.extendedHandshake['metadata_size'] = info.length;
    }
  }
  return MetadataExtension;
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

function piecesOf(info: Uint8Array): number {
  return Math.ceil(info.length / METADATA_PIECE_BYTES);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
