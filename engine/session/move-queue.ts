// Torrents that wait for their files to be brought to another place: one at a time onto each device, where two would only
// make its head travel. Accounts go in turns, so that nobody waits behind all that another one moves. Renames have a line of
// their own: as a rule nothing is copied for them.
import type { AccountId } from '../../shared-protocol/ids.js';
import type { MovedTorrent } from '../torrent/session-interface.js';

export class MoveQueue {
  /** In the order of their turns; no line is empty. */
  readonly #lines = new Map<AccountId, Set<MovedTorrent>>();
  /** By device, renames apart. */
  readonly #running = new Map<string, Promise<void>>();
  #isClosed = false;

  /** `deviceOf`: a number that save paths on one device have in common. */
  constructor(private readonly deviceOf: (savePath: string) => number) {}

  add(torrent: MovedTorrent): void {
    const line = this.#lines.get(torrent.ownerId) ?? new Set();
    this.#lines.set(torrent.ownerId, line.add(torrent));
    this.#fill();
  }

  /** Takes it out of its line; a move that was begun goes on. */
  remove(torrent: MovedTorrent): void {
    for (const [account, line] of this.#lines) if (line.delete(torrent) && line.size === 0) this.#lines.delete(account);
  }

  /** Nothing begins any more; resolves when what was begun, and should have been ended, has. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#running.values());
  }

  #fill(): void {
    for (let turn = this.#take(); turn; turn = this.#take()) {
      const { torrent, line } = turn;
      const ending = torrent.runMove().finally(() => {
        this.#running.delete(line);
        this.#fill();
      });
      this.#running.set(line, ending);
    }
  }

  /** The next one whose device is not busy; its account is the last one then. */
  #take(): { readonly torrent: MovedTorrent; readonly line: string } | null {
    for (const [account, waiting] of this.#isClosed ? [] : this.#lines) {
      for (const torrent of waiting) {
        const line = `${torrent.isRenaming ? 'rename' : 'move'} ${this.deviceOf(torrent.moveTarget)}`;
        if (this.#running.has(line)) continue;
        waiting.delete(torrent);
        this.#lines.delete(account);
        if (waiting.size > 0) this.#lines.set(account, waiting);
        return { torrent, line };
      }
    }
    return null;
  }
}
