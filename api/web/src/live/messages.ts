// What passes between the page and the worker that holds the WebSocket. The worker parses the frames and finds out what
// has changed, so that a tick of ten thousand torrents costs the page only what it shows anew.
import type { DetailDto, FileDto } from '../../../../shared-protocol/dto/inspector.js';
import type { NoticesChanged } from '../../../../shared-protocol/dto/notices.js';
import type { RemoteState } from '../../../../shared-protocol/dto/remotes.js';
import type { UpdateInfoDto } from '../../../../shared-protocol/dto/settings.js';
import type { GlobalStats, TorrentDto } from '../../../../shared-protocol/dto/torrents.js';

export type ConnectionState =
  /** `isAgain`: what is shown is of a connection that was lost. */
  | { readonly kind: 'connecting'; readonly isAgain: boolean }
  | { readonly kind: 'open' }
  /** Open, and without a word since then, by the clock of `Date.now`. */
  | { readonly kind: 'silent'; readonly sinceMs: number }
  /** Tried again then, by the clock of `Date.now`. */
  | { readonly kind: 'lost'; readonly retryAtMs: number }
  /** Close code 1008: the session has ended. */
  | { readonly kind: 'revoked' };

/** How it goes with another server. */
export interface ServerStanding {
  readonly server_id: number;
  readonly state: RemoteState;
}

/** A torrent with what is worked out of it once: the hosts of the trackers in its magnet. Its id is that of its row (state/row-id.ts). */
export interface Torrent extends TorrentDto {
  /** The server that it is on, unless that is this one. */
  readonly server_id?: number | undefined;
  readonly trackerHosts: readonly string[];
}

export interface TorrentChanges {
  /** Torrents that were not there before. */
  readonly added: readonly Torrent[];
  /** For each of the others only what is different. */
  readonly patches: readonly TorrentPatch[];
  readonly removed: readonly string[];
}

export type TorrentPatch = Partial<Torrent> & Pick<Torrent, 'id'>;

export interface DetailChange {
  readonly detail: Omit<DetailDto, 'files'>;
  /** null: not asked for now. `some`: those that are different, each at the place of its index, in a list of the same paths. */
  readonly files: { readonly kind: 'all' | 'some'; readonly files: readonly FileDto[] } | null;
}

/** Messages come in lists, packed (packed.ts): those of one list are one change of what is shown. */
export type FromWorker =
  | { readonly kind: 'state'; readonly state: ConnectionState }
  | { readonly kind: 'torrents'; readonly changes: TorrentChanges }
  | { readonly kind: 'servers'; readonly standings: readonly ServerStanding[] }
  | { readonly kind: 'stats'; readonly stats: GlobalStats }
  | { readonly kind: 'inspector'; readonly change: DetailChange }
  | { readonly kind: 'notices'; readonly changed: NoticesChanged }
  | { readonly kind: 'update'; readonly info: UpdateInfoDto };

/** `open` while it is open starts over; the page is told what is different from what it has. */
/** `look`: the page is looked at again, after it may have slept. */
export type ToWorker =
  { readonly kind: 'open'; readonly url: string } | { readonly kind: 'look' } | { readonly kind: 'close' };
