// What every other BitTorrent program looks like to the tests: one process with one torrent, on loopback only, with
// DHT, LSD, uTP and port forwarding off, and PEX too unless a test asks for it.

/**
 * How a program takes message stream encryption (MSE), both ways. `required`: RC4 and nothing else. `plain`: as little
 * of it as the program can be told: libtorrent none at all, Transmission and aria2 still accept it.
 */
export type PeerEncryption = 'plain' | 'required';

export interface PeerStartOptions {
  /** Where it listens. @default 127.0.0.1 */
  readonly host?: string;
  /** A program and its arguments that runs it in its own place, as `ip netns exec` does. */
  readonly launcher?: readonly string[];
  /** @default what the program does by itself, except Transmission: plain */
  readonly encryption?: PeerEncryption;
  /** Peer exchange (BEP 11). @default false */
  readonly pex?: boolean;
  /** libtorrent only. @default no limit */
  readonly uploadBytesPerSec?: number;
}

export interface PeerProgress {
  readonly bytesDone: number;
  readonly totalBytes: number;
  /** Has everything and serves it. */
  readonly isSeeding: boolean;
  readonly peers: number;
  /** Those of `peers` that it speaks MSE with (Transmission: RC4); null where it does not tell. */
  readonly encryptedPeers: number | null;
}

/** A running program. `seed` or `leech` is called once. */
export interface PeerClient {
  /** Where it listens for peers, on 127.0.0.1. */
  readonly port: number;
  /** `host:port`, as POST /api/torrents/{id}/peers takes it. */
  readonly address: string;
  /** The files are below `directory` already; resolves when the program has verified them. */
  seed(torrentBytes: Uint8Array, directory: string): Promise<void>;
  /** A torrent file or a magnet link. */
  leech(source: Uint8Array | string, directory: string): Promise<void>;
  /** Connects to a peer on 127.0.0.1; null where the program cannot be told to: then it has to be found. */
  readonly addPeer: ((port: number) => Promise<void>) | null;
  progress(): Promise<PeerProgress>;
  /** Ends the process, in order: trackers are told. Also after a failure, and twice. */
  close(): Promise<void>;
}

export interface PeerProgram {
  readonly name: string;
  /** The Debian package that brings it. */
  readonly debianPackage: string;
  isAvailable(): boolean;
  start(options?: PeerStartOptions): Promise<PeerClient>;
}
