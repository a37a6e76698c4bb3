// Whether the engine stopped in order the last time, and what is worth a second look if it did not (docs/limits.md
// 2.27). The mark is made before anything else is, and taken away when everything is recorded.
import type { TorrentStore } from '../../storage/types.js';
import { SECOND_MS } from '../environment.js';
import { RECENT_MS } from '../torrent/resume/recent-pieces.js';

const KEY = 'run';
const RUNNING = Uint8Array.of(1);
const STOPPED = Uint8Array.of(0);

export class ShutdownMarker {
  #wasClean = true;
  /** Unix seconds of the newest record of progress: all that is known of when the end came. */
  #lastRecordAt = 0;

  constructor(private readonly store: TorrentStore) {}

  get wasClean(): boolean {
    return this.#wasClean;
  }

  /** Whether a record, in Unix seconds, was made shortly before an end that was not in order. */
  isRecent(savedAt: number): boolean {
    return !this.#wasClean && savedAt >= this.#lastRecordAt - RECENT_MS / SECOND_MS;
  }

  /** A store without the mark is new, or of a program that made none. */
  async begin(): Promise<void> {
    this.#wasClean = this.store.meta(KEY)?.[0] === STOPPED[0];
    if (!this.#wasClean) {
      for (const { id } of this.store.rows()) {
        this.#lastRecordAt = Math.max(this.#lastRecordAt, this.store.resume(id)?.savedAt ?? 0);
      }
    }
    await this.store.putMeta(KEY, RUNNING);
  }

  /** Everything is recorded. */
  end(): Promise<void> {
    return this.store.putMeta(KEY, STOPPED);
  }
}
