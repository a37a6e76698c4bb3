// Group commit of progress: what torrents have verified is synced to disk and then recorded, many torrents in one
// transaction, after a time or a number of bytes. The order is the rule: data first, then the record of it.
import type { ResumeRow, TorrentStore } from '../../storage/types.js';
import { SerialQueue } from '../util/serial-queue.js';
import { SECOND_MS, type Clock, type Log, type Timer } from '../environment.js';
import type { RecordedTorrent } from '../torrent/session-interface.js';

/** docs/limits.md 2.28: every 30 s or 256 MiB. */
const COMMIT_AFTER_MS = 30 * SECOND_MS;
const COMMIT_AFTER_BYTES = 256 * 1024 * 1024;

export class ResumeSaver {
  #dirty = new Set<RecordedTorrent>();
  readonly #gone = new WeakSet<RecordedTorrent>();
  #writtenBytes = 0;
  #timer: Timer | null = null;
  /** A row that was made later must not be overwritten by one of before. */
  readonly #turns = new SerialQueue();

  constructor(
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly store: TorrentStore,
  ) {}

  /** Nothing is left to be recorded. */
  get isIdle(): boolean {
    return this.#dirty.size === 0;
  }

  /** `writtenBytes`: data that is on its way to disk and not recorded yet. */
  markDirty(torrent: RecordedTorrent, writtenBytes: number): void {
    this.#dirty.add(torrent);
    this.#writtenBytes += writtenBytes;
    if (this.#writtenBytes >= COMMIT_AFTER_BYTES) void this.commit();
    this.#timer ??= this.clock.after(COMMIT_AFTER_MS, () => {
      this.#timer = null;
      void this.commit();
    });
  }

  /** Forgets a torrent that was removed: another torrent of this id is not to be given its row. */
  forget(torrent: RecordedTorrent): void {
    this.#dirty.delete(torrent);
    this.#gone.add(torrent);
  }

  /** Records everything that is dirty now; one commit at a time. Never rejects: what failed stays dirty. */
  commit(): Promise<void> {
    this.#writtenBytes = 0;
    return this.#turns.run(async () => {
      if (this.#dirty.size === 0) return;
      const dirty = this.#dirty;
      this.#dirty = new Set();
      await this.#record(dirty);
    });
  }

  stop(): void {
    this.#timer?.cancel();
  }

  async #record(dirty: ReadonlySet<RecordedTorrent>): Promise<void> {
    const rows = new Map<RecordedTorrent, ResumeRow>();
    const whole: RecordedTorrent[] = [];
    for (const torrent of dirty) {
      try {
        const row = await torrent.syncedResume();
        if (!row) continue;
        rows.set(torrent, row);
        whole.push(torrent);
      } catch (error) {
        this.log.warn('progress not recorded', { torrent: torrent.id, reason: reasonOf(error) });
        this.#keep(torrent);
        const counters = torrent.countersAlone();
        if (counters) rows.set(torrent, counters);
      }
    }
    try {
      const present = [...rows].filter(([torrent]) => !this.#gone.has(torrent));
      if (present.length > 0) await this.store.putResume(new Map(present.map(([{ id }, row]) => [id, row])));
      for (const torrent of whole) if (!this.#gone.has(torrent)) await torrent.onRecorded();
    } catch (error) {
      this.log.error('progress not recorded', { torrents: rows.size, reason: reasonOf(error) });
      for (const torrent of dirty) this.#keep(torrent);
    }
  }

  #keep(torrent: RecordedTorrent): void {
    if (!this.#gone.has(torrent)) this.markDirty(torrent, 0);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
