// Declarations for dependencies that ship without types; only what Swarmd uses.

declare module 'bencode' {
  export type BencodeInput =
    | string
    | number
    | boolean
    | Uint8Array
    | readonly BencodeInput[]
    | { readonly [key: string]: BencodeInput | undefined };
  const bencode: {
    /** Strings come back as `Uint8Array`, dictionary keys as UTF-8 text. Throws on malformed input. */
    decode(data: Uint8Array): unknown;
    encode(value: BencodeInput): Uint8Array;
  };
  export default bencode;
}

declare module 'torrent-piece' {
  /** A piece in progress: reservations, missing bytes and the sources of its blocks (16 KiB each). */
  export default class Piece<Source = unknown> {
    static readonly BLOCK_LENGTH: 16384;
    constructor(length: number);
    readonly length: number;
    /** Bytes not yet received. */
    readonly missing: number;
    readonly sources: Source[] | null;
    chunkLength(block: number): number;
    chunkOffset(block: number): number;
    /** The next free block, now reserved; -1 when none is free. */
    reserve(): number;
    /** Gives a reserved block back. */
    cancel(block: number): void;
    get(block: number): Uint8Array | null | undefined;
    /** Stores a block; true once the piece is complete. */
    set(block: number, data: Uint8Array, source: Source): boolean;
    init(): boolean;
  }
}

declare module 'ut_metadata' {
  import type { EventEmitter } from 'node:events';
  import type { WireExtension } from 'bittorrent-protocol';
  import type Wire from 'bittorrent-protocol';
  export interface UtMetadata extends EventEmitter, WireExtension {
    readonly name: string;
    /** The raw info dictionary, once complete. */
    readonly metadata: Uint8Array | null;
    fetch(): void;
    cancel(): void;
    setMetadata(info: Uint8Array): Promise<boolean>;
    onMessage(payload: Uint8Array): void;
  }
  export default function utMetadata(info?: Uint8Array): new (wire: Wire) => UtMetadata;
}

declare module 'bittorrent-protocol' {
  import type { Duplex } from 'node:stream';
  export interface HandshakeExtensions {
    dht?: boolean;
    fast?: boolean;
    extended?: boolean;
  }
  export interface WireExtension {
    onHandshake?(infoHash: string, peerId: string, extensions: HandshakeExtensions): void;
    onExtendedHandshake?(handshake: Record<string, unknown>): void;
    onMessage?(payload: Uint8Array): void;
  }
  export default class Wire extends Duplex {
    constructor(type?: 'tcpIncoming' | 'tcpOutgoing', peEnabled?: 0 | 1 | 2);
    readonly peerId: string | null;
    readonly amChoking: boolean;
    readonly amInterested: boolean;
    readonly peerChoking: boolean;
    readonly peerInterested: boolean;
    readonly hasFast: boolean;
    /** The stream's: takes bytes at once. */
    _write(bytes: Uint8Array, done: (error: Error | null) => void): void;
    handshake(infoHash: string, peerId: string, extensions?: HandshakeExtensions): void;
    choke(): void;
    unchoke(): void;
    interested(): void;
    uninterested(): void;
    have(piece: number): void;
    bitfield(bits: Uint8Array): void;
    haveAll(): void;
    haveNone(): void;
    allowedFast(piece: number): void;
    keepAlive(): void;
    port(port: number): void;
    extended(extension: number | string, payload: unknown): void;
  }
}

declare module 'comlink/dist/esm/node-adapter.mjs' {
  import type { Endpoint } from 'comlink';
  /** A worker or port of node:worker_threads as an endpoint for comlink. */
  export default function nodeEndpoint(port: {
    postMessage(message: unknown): void;
    on(type: 'message', listener: (message: unknown) => void): unknown;
    off(type: 'message', listener: (message: unknown) => void): unknown;
  }): Endpoint;
}
