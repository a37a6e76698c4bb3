// What a torrent describes (BEP 3, 12, 19, 27, 47), after every check of docs/limits.md 2.1 to 2.7.
import type { NameRules } from '../../shared-protocol/name-rules.js';
import type { InfoHash } from '../../shared-protocol/ids.js';
import type { PeerAddress } from '../environment.js';

/** One file of a torrent, in the order of the info dictionary. */
export interface TorrentFile {
  readonly index: number;
  /** Elements below the save path, the torrent's own folder first for multi-file torrents; each is safe to use. */
  readonly path: readonly string[];
  /**
   * For web seeds, which know the file by the name its author gave it: the same elements below the torrent's folder as
   * the info dictionary has them. Absent where `path` has the same. Not safe on disk, but never `.`, `..` or empty.
   */
  readonly rawPath?: readonly string[];
  readonly sizeBytes: number;
  /** Offset of its first byte in the torrent. */
  readonly offset: number;
  /** BEP 47, or by BitComet's name: never on disk, all zeroes. */
  readonly isPad: boolean;
}

/** The info dictionary, understood. */
export interface TorrentInfo {
  readonly infoHash: InfoHash;
  /** The rules by which its names are made safe. @default 'windows' */
  readonly names?: NameRules;
  /** Name of its file or folder, safe on disk: the first element of each path, where these are the metainfo's own. */
  readonly name: string;
  /** For web seeds: as its author wrote it. Absent where `name` is the same. Never `.`, `..` or empty. */
  readonly rawName?: string;
  readonly pieceLength: number;
  readonly pieceCount: number;
  /** Sum of all files, pad files included: what the pieces cover. */
  readonly totalBytes: number;
  /** Without pad files: what people get, and are told of. */
  readonly contentBytes: number;
  /** 20 bytes for each piece. */
  readonly pieceHashes: Uint8Array;
  readonly files: readonly TorrentFile[];
  /** BEP 27. */
  readonly isPrivate: boolean;
}

/** Texts for people that say who made a torrent file and what for, cut to what is kept. */
export interface TorrentOrigin {
  /** Empty: none. */
  readonly comment: string;
  readonly createdBy: string;
  /** Unix seconds; 0: none. */
  readonly createdAt: number;
}

/** A `.torrent` file. */
export interface Metainfo {
  readonly info: TorrentInfo;
  /** The exact bytes whose SHA-1 is the info hash. */
  readonly infoBytes: Uint8Array;
  /** BEP 12; http, https and udp only, without duplicates. */
  readonly trackers: readonly (readonly string[])[];
  /** BEP 19. */
  readonly webSeeds: readonly string[];
  /** BEP 17. */
  readonly httpSeeds: readonly string[];
  readonly origin: TorrentOrigin;
  /** BEP 5: DHT nodes; only those that are given by address. */
  readonly nodes: readonly PeerAddress[];
}

export interface Magnet {
  readonly infoHash: InfoHash;
  /** `dn`, as a torrent of that name would be called on disk. */
  readonly name: string | null;
  readonly trackers: readonly (readonly string[])[];
  /** `x.pe` (BEP 9). */
  readonly peers: readonly PeerAddress[];
  readonly webSeeds: readonly string[];
  /** `so` (BEP 53): inclusive file index ranges to download; null means all. */
  readonly selectOnly: readonly { readonly first: number; readonly last: number }[] | null;
}
