// Torrents that lie where their category says. Owns what a category that moves (`auto_move`) does to a torrent that comes
// into it, and which torrents follow when its path changes: those that the account that changed it may move.
import type { ShareRef } from '../../../shared-protocol/commands/shares.js';
import type { CategoryDto } from '../../../shared-protocol/dto/labels.js';
import { AppError } from '../../../shared-protocol/errors.js';
import type { TorrentId } from '../../../shared-protocol/ids.js';
import type { Account } from '../../auth/account.js';
import { notFound } from '../../errors.js';
import type { Labels } from './labels.js';
import type { Library } from './library.js';
import type { Moving } from './moving.js';
import { accessToShare, includesAccess, type ListedTorrent } from './shares.js';
import type { TorrentLabels } from './torrent-labels.js';

export interface CategoryMovesDeps {
  readonly labels: Pick<Labels, 'category'>;
  readonly library: Pick<Library, 'find' | 'visibleTo'>;
  readonly moving: Pick<Moving, 'move'>;
  readonly torrentLabels: Pick<TorrentLabels, 'setCategory'>;
}

export class CategoryMoves {
  constructor(private readonly deps: CategoryMovesDeps) {}

  /**
   * Puts the torrent into a category, and on its way to the path of one that moves. A torrent that other accounts hold
   * too stays where it lies, unless an administrator asks.
   * @throws RequestError `NOT_FOUND`; as {@link Moving.move}, and then it stays in its category
   */
  async assign(account: Account, share: ShareRef, torrent: ListedTorrent, categoryId: number | null): Promise<void> {
    const { labels, torrentLabels, moving } = this.deps;
    const category = categoryId === null ? null : labels.category(categoryId);
    if (category === undefined) throw notFound('category');
    if (category && this.#isToMove(torrent.id, category)) {
      await moving
        .move(account, share, torrent, { path: category.default_save_path })
        .catch((error: unknown) => ignoreHeldByOthers(error));
    }
    await torrentLabels.setCategory(share, categoryId);
  }

  /** Torrents of the category that lie elsewhere, and that the account may edit. */
  followers(account: Account, category: CategoryDto): TorrentId[] {
    const found: TorrentId[] = [];
    for (const torrent of this.deps.library.visibleTo(account)) {
      if (torrent.library.categoryId !== category.id || !this.#isToMove(torrent.id, category)) continue;
      const access = account.role === 'admin' ? 'owner' : accessToShare(account.id, torrent);
      if (access && includesAccess(access, 'editor')) found.push(torrent.id);
    }
    return found;
  }

  #isToMove(id: TorrentId, { auto_move: moves, default_save_path: path }: CategoryDto): boolean {
    return moves && path !== '' && this.deps.library.find(id)?.savePath !== path;
  }
}

function ignoreHeldByOthers(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'MOVE_NOT_ALLOWED')) throw error;
}
