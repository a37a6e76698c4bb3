// Moving a torrent's files, and giving them other names.
import type { AccountId } from '../ids.js';
import type { ErrorRecord } from '../errors.js';
import type { MoveState } from '../move-state.js';

export interface MoveParams {
  /** Absolute. */
  readonly path: string;
  /** Nothing is moved: the torrent is pointed at what lies there, which is checked. @default false */
  readonly existing?: boolean;
  /** Takes files over as `recheckTorrent` does; only where `existing`. @default false */
  readonly takeOver?: boolean;
  /** The account that asks: what lies there is taken over by its rights and by the owner's. */
  readonly accountId: AccountId;
}

/** Paths below the save path, elements joined with `/`, as details have them. */
export interface RenameParams {
  /** A file, or a folder. */
  readonly from: string;
  readonly to: string;
  /** The account that asks: it puts nothing where it may not by its own rights. */
  readonly accountId: AccountId;
}

/** The move that is under way, or the last one if it failed. */
export interface MoveStatus {
  readonly state: MoveState;
  /** Where to; null: there is no move. */
  readonly path: string | null;
  readonly bytesDone: number;
  /** 0 until the files have been looked at. */
  readonly bytesTotal: number;
  readonly error: ErrorRecord | null;
}
