// Group commit of progress: what torrents have verified is synced to disk and then recorded, many torrents in one
// transaction, after a time or a number of bytes. The order is the rule: data first, then the record of it.
import type { TorrentId } from '../../shared-protocol/ids.js';
import type { ResumeRow, TorrentStore } from '../../storage/types.js';
import { SECOND_MS, type Clock, type Log, type Timer } from '../ports.js';
import type { Torrent } from '../torrent/torrent.js';

/** safety.md 2.28: every 30 s or 256 MiB. */
const COMMIT_AFTER_MS = 30 * SECOND_MS;
const COMMIT_AFTER_BYTES = 256 * 1024 * 1024;

export class ResumeKeeper {
  #dirty = new Set<Torrent>();
  #writtenBytes = 0;
  #timer: Timer | null = null;
  #running: Promise<void> | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly store: TorrentStore,
  ) {}

  /** `writtenBytes`: data that is on its way to disk and not recorded yet. */
  markDirty(torrent: Torrent, writtenBytes: number): void {
    this.#dirty.add(torrent);
    this.#writtenBytes += writtenBytes;
    if (this.#writtenBytes >= COMMIT_AFTER_BYTES) void this.commit();
    this.#timer ??= this.clock.after(COMMIT_AFTER_MS, () => {
      this.#timer = null;
      void this.commit();
    });
  }

  forget(torrent: Torrent): void {
    this.#dirty.delete(torrent);
  }

  /** Records everything that is dirty now; one commit at a time. Never rejects: what failed stays dirty. */
  async commit(): Promise<void> {
    await this.#running;
    if (this.#dirty.size === 0) return;
    const dirty = this.#dirty;
    this.#dirty = new Set();
    this.#writtenBytes = 0;
    this.#running = this.#record(dirty);
    await this.#running;
    this.#running = null;
  }

  stop(): void {
    this.#timer?.cancel();
  }

  async #record(dirty: ReadonlySet<Torrent>): Promise<void> {
    const rows = new Map<TorrentId, ResumeRow>();
    for (const torrent of dirty) {
      try {
        const row = await torrent.syncedResume();
        if (row) rows.set(torrent.id, row);
      } catch (error) {
        this.log.warn('progress not recorded', { torrent: torrent.id, reason: reasonOf(error) });
        this.markDirty(torrent, 0);
      }
    }
    try {
      if (rows.size > 0) await this.store.putResume(rows);
    } catch (error) {
      this.log.error('progress not recorded', { torrents: rows.size, reason: reasonOf(error) });
      for (const torrent of dirty) this.markDirty(torrent, 0);
    }
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
