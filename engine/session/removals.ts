// Torrents on their way out: gone for everybody, but with files that are still being deleted. Whatever is added to the
// same save path meanwhile waits, so that its new files are not taken for the old ones.
import type { TorrentId } from '../../shared-protocol/ids.js';

export interface Removing {
  /** null: of one that stays, where it does not lie any more. */
  readonly id: TorrentId | null;
  readonly savePath: string;
}

export class Removals {
  readonly #leaving = new Map<Removing, Promise<void>>();

  isLeaving(id: TorrentId): boolean {
    return [...this.#leaving.keys()].some((torrent) => torrent.id === id);
  }

  /** Resolves as `forgotten` does, with what is left to do behind it; until that has ended too, others wait. */
  async run<Rest extends { readonly deletion: Promise<void> }>(
    torrent: Removing,
    forgotten: Promise<Rest>,
  ): Promise<Rest> {
    const gone = forgotten
      .then(({ deletion }) => deletion)
      .catch(() => undefined)
      .finally(() => this.#leaving.delete(torrent));
    this.#leaving.set(torrent, gone);
    return forgotten;
  }

  /** The same for files that go where their torrent does not lie. */
  while(savePath: string, work: Promise<void>): Promise<void> {
    const removing = { id: null, savePath };
    const gone = work.catch(() => undefined).finally(() => this.#leaving.delete(removing));
    this.#leaving.set(removing, gone);
    return work;
  }

  /** Resolves when nothing is deleted any more that a torrent of this id or save path could have. */
  async clear({ id, savePath }: Removing): Promise<void> {
    for (const [torrent, gone] of [...this.#leaving]) {
      if (torrent.id === id || torrent.savePath === savePath) await gone;
    }
  }

  async all(): Promise<void> {
    await Promise.all(this.#leaving.values());
  }
}
