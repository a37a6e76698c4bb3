// Parts of a torrent that a person looks at.
import type { PeerFlagFacts } from '../peer-facts.js';

/** A connected peer, for people to look at. */
export interface PeerDetail {
  readonly host: string;
  readonly port: number;
  readonly client: string;
  /** Letters as Transmission and qBittorrent show them (docs/semantics.md section 11). */
  readonly flags: string;
  /** The same and more, for clients with letters of their own. It is always reached by TCP. */
  readonly facts: PeerFlagFacts;
  /** 0 to 1. */
  readonly progress: number;
  /** The share that it has of the pieces that are missing here, from 0 to 1; 0 where none is missing or known. */
  readonly relevance: number;
  /** Payload in bytes per second. */
  readonly downloadRate: number;
  readonly uploadRate: number;
  /** Payload of this connection, in bytes. */
  readonly bytesDown: number;
  readonly bytesUp: number;
}

/** How much a file is wanted. */
export type FilePriority = 'skip' | 'normal' | 'high' | 'max';

/** A file of a torrent, for people to look at; pad files (BEP 47) are not shown. */
export interface FileDetail {
  /** The file's place in the info dictionary, by which priorities name it. */
  readonly index: number;
  /** Below the save path, elements joined with `/`. */
  readonly path: string;
  readonly sizeBytes: number;
  /** Bytes of it that lie in verified pieces. */
  readonly bytesDone: number;
  readonly priority: FilePriority;
}

/** A tracker of a torrent, for people to look at. */
export interface TrackerDetail {
  readonly url: string;
  /** The number of its tier (BEP 12), from 0: the tiers are announced to independently. */
  readonly tier: number;
  readonly status: 'working' | 'updating' | 'not contacted' | 'disabled' | `error: ${string}`;
  /** The number that the tracker told last; 0 while it has told none. */
  readonly seeds: number;
  readonly peers: number;
  readonly downloaded: number;
  /** `seeds` and `peers` are what it told; else they are 0 because it has told nothing yet. */
  readonly hasTold: boolean;
  /** Unix seconds; 0 when never. */
  readonly lastAnnounce: number;
  readonly nextAnnounce: number;
  /** Whether the last announce was answered. */
  readonly answered: boolean;
  /** Failures since the last answer. */
  readonly fails: number;
  /** Why the last announce failed, else the warning that came with its answer (BEP 3); empty: neither. */
  readonly message: string;
  /** Addresses of peers in the last answer. */
  readonly peersGiven: number;
  /** Seconds between announces as it asked for them last, and the least of them; 0 where it asked for none. */
  readonly interval: number;
  readonly minInterval: number;
}

/** Which pieces there are, for people to look at. */
export interface PiecesDetail {
  /** 0 while the metadata is unknown. */
  readonly pieceCount: number;
  /** Bytes; the last piece may be shorter. */
  readonly pieceLength: number;
  /** Verified pieces, one bit each, the most significant first (BEP 3). */
  readonly have: Uint8Array;
  /** Connected peers that have each piece, 255 for more; null while it downloads nothing: they are not counted then. */
  readonly availability: Uint8Array | null;
}

/** The pieces of each file of the list, in its order. */
export interface FilePiecesDetail {
  /** Index of the first and the last piece that has bytes of it; of a file without bytes, where it would begin. */
  readonly first: Uint32Array;
  readonly last: Uint32Array;
  /** The share of its pieces, from 0 to 1, that are here or with a connected peer; null while it downloads nothing. */
  readonly availability: Float64Array | null;
}

/** A torrent file besides its files and trackers. */
export interface TorrentMetainfo {
  /**
   * From around the info dictionary, cut to what is kept of them; empty, or 0 (Unix seconds), where there is none: in magnets
   * and in torrents of before they were kept, and for all but the account that brought the torrent file.
   */
  readonly comment: string;
  readonly createdBy: string;
  readonly createdAt: number;
  /** From within it; empty: none. */
  readonly source: string;
  /** That names of its incomplete files have on disk. Absent: none. */
  readonly incompleteSuffix?: string;
  /** Hash of version 2 (BEP 52) of a hybrid torrent, 64 hexadecimal digits; null: there is none. */
  readonly infoHashV2: string | null;
  /** False while the metadata is unknown, as are the next two 0. */
  readonly isPrivate: boolean;
  /** Bytes. */
  readonly pieceLength: number;
  readonly pieceCount: number;
}

/** Downloads of a torrent that came for nothing since the engine started. */
export interface TorrentWaste {
  /** Pieces with a wrong hash, as often as they had one, and the bytes in them. */
  readonly failedPieces: number;
  readonly failedBytes: number;
  /** Bytes of blocks that were here already, or not expected any more. */
  readonly redundantBytes: number;
}

/** A web seed, for people to look at; of an account that did not bring them there are none. */
export interface WebSeedDetail {
  readonly url: string;
  /** `files`: BEP 19; `pieces`: BEP 17. */
  readonly form: 'files' | 'pieces';
  /** `waiting`: it failed, or asked for patience, and has not been tried again since. */
  readonly state: 'idle' | 'connected' | 'waiting' | 'banned';
  /** Bytes per second, and bytes of this connection. */
  readonly downloadRate: number;
  readonly bytesDown: number;
}

export type DetailPart =
  'files' | 'filePieces' | 'peers' | 'trackers' | 'pieces' | 'pieceHashes' | 'metainfo' | 'waste' | 'webSeeds';
