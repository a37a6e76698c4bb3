// Bounds of torrents that are made here, each with its reason.
import {
  MAX_NAME_BYTES as LONGEST_NAME_BYTES,
  MAX_PATH_ELEMENTS,
  MAX_TORRENT_BYTES,
  MIN_PIECE_LENGTH_BYTES,
} from '../metainfo/index.js';

const MIB = 1024 * 1024;

/** Files and folders of one torrent: some 20 MiB of lists while it is made. No spec value. */
export const MAX_ENTRIES = 50_000;
/** Room for names: the torrent file has to hold them, and to be taken by `POST /api/torrents/file` again. */
export const MAX_NAME_BYTES = MAX_TORRENT_BYTES;
export const LIST_BOUNDS = {
  maxEntries: MAX_ENTRIES,
  maxNameBytes: MAX_NAME_BYTES,
  maxElementBytes: LONGEST_NAME_BYTES,
  /** The torrent's own folder stands before them. */
  maxDepth: MAX_PATH_ELEMENTS + 1,
} as const;

/** Pieces aimed at: the info dictionary has 40 KiB of hashes then, and a piece is soon there. As other programs choose. */
export const AIMED_PIECES = 2_048;
export const MIN_CHOSEN_PIECE_BYTES = MIN_PIECE_LENGTH_BYTES;
/** Peers have a piece only as a whole: longer ones are for those who ask for them. */
export const MAX_CHOSEN_PIECE_BYTES = 16 * MIB;

/** All that an engine makes at a time; the API has fewer for each account. A line of defence. */
export const MAX_CREATIONS = 64;
