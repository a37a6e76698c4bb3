// Announcing at once, and addresses of trackers in many torrents.
import type { ErrorRecord } from '../errors.js';
import type { AccountId, TorrentId } from '../ids.js';
import type { ShareRef } from './shares.js';

/** The trackers that a wish to announce at once has reached, and those that it has not. */
export interface AnnounceNowResult {
  /** Trackers that are announced to at once. */
  readonly announced: number;
  /** Trackers whose minimum interval, or the pause after a failure, has not passed. */
  readonly waiting: number;
  /** Unix seconds at which the first of those that wait is announced to; 0 where none waits. */
  readonly nextAnnounce: number;
}

/** A search for announce addresses, in the shares that it names. */
export interface ReplaceTrackersParams {
  readonly shares: readonly ShareRef[];
  /** A whole address, or the beginning of addresses up to a `/`, `?`, `&` or `=` (engine/metainfo/tracker-prefix.ts). */
  readonly find: string;
  /** In place of what was found. */
  readonly replace: string;
  /** The account that brings the new addresses, by whose rights they are reached. */
  readonly accountId: AccountId;
  /** Nothing is changed, only looked for. */
  readonly isDryRun: boolean;
}

export interface ReplaceTrackersResult {
  /** Torrents in which addresses were, or would be, replaced, and how many. */
  readonly matches: readonly { readonly id: TorrentId; readonly addresses: number }[];
  /** Torrents that keep theirs, and why. */
  readonly failures: readonly { readonly id: TorrentId; readonly error: ErrorRecord }[];
}
