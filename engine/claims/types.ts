// What torrents claim on disk, as the other folders see it. The rules are in `claims.ts`.
import type { AccountId, TorrentId } from '../../shared-protocol/ids.js';

/** A torrent with its place on disk. */
export interface ClaimingTorrent {
  readonly id: TorrentId;
  readonly ownerId: AccountId;
  /** Other accounts hold it as well. */
  readonly isShared: boolean;
  readonly savePath: string;
  /** The first elements of its paths on disk: its folder, or its one file, seldom more. null while the metadata is unknown. */
  readonly topNames: readonly string[] | null;
  /** The suffix of incomplete files, whose names with it are claimed as well. Absent: they have their own names. */
  readonly incompleteSuffix?: string | undefined;
}

/** Files that an account may have read where it names them itself. */
export interface ReadRight {
  /** `linkCount`: names that the file has, wherever they are. */
  admits(found: { readonly inode: number; readonly linkCount: number }): boolean;
}
