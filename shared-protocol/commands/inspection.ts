// Asking for details of a torrent, or of many.
import type { ShareRef } from './shares.js';
import type {
  DetailPart,
  FileDetail,
  FilePiecesDetail,
  PeerDetail,
  PiecesDetail,
  TorrentMetainfo,
  TorrentWaste,
  TrackerDetail,
  WebSeedDetail,
} from './details.js';

/** Details of many torrents: of as many as {@link INSPECTED_AT_ONCE}, so that the answer holds up neither thread. */
export interface InspectManyParams {
  readonly shares: readonly ShareRef[];
  readonly parts: readonly DetailPart[];
}

/** Torrents in one message of their details; no spec value: a message of so many is made in some milliseconds. */
export const INSPECTED_AT_ONCE = 500;

export interface InspectParams {
  readonly parts: readonly DetailPart[];
  /** @default all of them */
  readonly files?: FilesWanted;
}

/** Some of a torrent's files, by their place in the list: of hundreds of thousands no client waits for all at once. */
export interface FilesWanted {
  readonly from: number;
  readonly count: number;
  /** The stamp that the same files were given with before. */
  readonly stamp?: string;
}

/** Files that were asked for; none where they are as they were by their stamp. */
export interface FilesGiven {
  /** In the whole list. */
  readonly total: number;
  readonly stamp: string;
  readonly isSame: boolean;
}

/** Exactly the parts that were asked for. */
export interface TorrentDetails {
  /** Empty while the metadata is unknown. */
  readonly files?: readonly FileDetail[];
  /** Where some of the files were asked for. */
  readonly filesGiven?: FilesGiven;
  /** The pieces of the files that were asked for. */
  readonly filePieces?: FilePiecesDetail;
  /** The peers it is connected to; empty while it rests. */
  readonly peers?: readonly PeerDetail[];
  readonly trackers?: readonly TrackerDetail[];
  readonly pieces?: PiecesDetail;
  /** SHA-1, 20 bytes for each piece; empty while the metadata is unknown. */
  readonly pieceHashes?: Uint8Array;
  readonly metainfo?: TorrentMetainfo;
  readonly waste?: TorrentWaste;
  readonly webSeeds?: readonly WebSeedDetail[];
}
