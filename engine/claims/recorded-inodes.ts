// The inodes of the files that torrents have recorded as their own, to find out whose a file is. Of most torrents nobody
// asks; those that were asked for are kept up.
import type { TorrentId } from '../../shared-protocol/ids.js';
import { inodesOf, type RecordStore } from './file-record.js';
import type { ClaimingTorrent } from './types.js';

export class RecordedInodes {
  readonly #inodes = new Map<TorrentId, Set<number>>();

  constructor(private readonly store: RecordStore) {}

  /** The file is being recorded. */
  note(id: TorrentId, inode: number): void {
    this.#inodes.get(id)?.add(inode);
  }

  /** The torrent claims nothing any more. */
  forget(id: TorrentId): void {
    this.#inodes.delete(id);
  }

  /** Whether one of the torrents has recorded the file. */
  isAnyOf(torrents: readonly ClaimingTorrent[], inode: number): boolean {
    return torrents.some(({ id }) => {
      let inodes = this.#inodes.get(id);
      if (!inodes) this.#inodes.set(id, (inodes = inodesOf(this.store, id)));
      return inodes.has(inode);
    });
  }
}
