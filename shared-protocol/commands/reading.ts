// Reading a file of a torrent, also while it is on its way.
import type { AccountId } from '../ids.js';
import type { ShareRef } from './shares.js';

export interface OpenFileParams extends ShareRef {
  /** The file's place in the info dictionary, by which priorities name it. */
  readonly index: number;
  /** The account that reads: where several wait for pieces, they take turns. */
  readonly accountId: AccountId;
}

export interface OpenedFile {
  /** By which it is read and closed; never given twice by an engine. */
  readonly reader: number;
  /** Below the save path, elements joined with `/`. */
  readonly path: string;
  readonly sizeBytes: number;
  /** All of its pieces are there as it is opened. */
  readonly isWhole: boolean;
}

export interface ReadFileParams {
  readonly reader: number;
  /** Offset in the file. */
  readonly from: number;
  /** Bytes wanted now; more than {@link MAX_READ_BYTES} are not given at once. */
  readonly count: number;
  /** Offset at which the reader will stop: nothing from there on is fetched for it. */
  readonly until: number;
}

/** Bytes of a file in one answer: a few milliseconds of a fast disk and of either thread. */
export const MAX_READ_BYTES = 256 * 1024;
