// Making a torrent of what lies there.
import type { CreationState } from '../creation-state.js';
import type { AccountId, TorrentId } from '../ids.js';
import type { ErrorRecord } from '../errors.js';

/** A torrent that is to be made of a file or a folder of this machine (BEP 3, 12, 19, 27, 47). */
export interface CreateParams {
  /** By whose rights it is read. */
  readonly accountId: AccountId;
  /** Absolute; without links but for the last element, which is refused where it is one. */
  readonly path: string;
  /** A power of two; null: by the size of the whole. */
  readonly pieceLength: number | null;
  readonly isPrivate: boolean;
  /** Each file begins with a piece. */
  readonly padFiles: boolean;
  /** Empty: none. */
  readonly source: string;
  readonly trackers: readonly (readonly string[])[];
  readonly webSeeds: readonly string[];
  /** Empty: none. */
  readonly comment: string;
  readonly createdBy: string;
  /** The torrent is to be seeded from where it lies: names that would be others on disk are refused. */
  readonly isToSeed: boolean;
  /** The name of the engine that was chosen for it, of several that are taken as one. @default that of its account */
  readonly on?: string;
}

export interface CreationRef {
  /** By which it is asked for; never given twice by an engine. */
  readonly creation: number;
}

export interface CreationStatus {
  readonly state: CreationState;
  readonly bytesDone: number;
  /** 0 until the files have been listed, as are the next two. */
  readonly bytesTotal: number;
  readonly files: number;
  readonly pieceLength: number;
  /** null until it is done. */
  readonly id: TorrentId | null;
  readonly error: ErrorRecord | null;
}
