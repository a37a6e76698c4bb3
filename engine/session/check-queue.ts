// Torrents waiting for what is on disk to be hashed: one at a time on each device, where two would only make its head
// travel, and two in all. What torrents wait for comes before what is looked at in the background.
import type { Torrent } from '../torrent/torrent.js';

/** As many as there are hashing threads at most. */
const MAX_RUNNING = 2;

export class CheckQueue {
  readonly #checks = new Set<Torrent>();
  readonly #audits = new Set<Torrent>();
  readonly #running = new Map<Promise<void>, number>();

  /** `deviceOf`: a number that torrents on one device have in common. */
  constructor(private readonly deviceOf: (torrent: Torrent) => number) {}

  add(torrent: Torrent): void {
    this.#checks.add(torrent);
    this.#fill();
  }

  addAudit(torrent: Torrent): void {
    this.#audits.add(torrent);
    this.#fill();
  }

  remove(torrent: Torrent): void {
    this.#checks.delete(torrent);
    this.#audits.delete(torrent);
  }

  /** Nothing begins any more; resolves when what runs, and should have been stopped, has ended. */
  async close(): Promise<void> {
    this.#checks.clear();
    this.#audits.clear();
    await Promise.all(this.#running.keys());
  }

  #fill(): void {
    while (this.#running.size < MAX_RUNNING) {
      const job = this.#takeFrom(this.#checks, (torrent) => torrent.runCheck());
      if (!job && !this.#takeFrom(this.#audits, (torrent) => torrent.runAudit())) return;
    }
  }

  /** Runs the first one whose device is free; false: there is none. */
  #takeFrom(waiting: Set<Torrent>, run: (torrent: Torrent) => Promise<void>): boolean {
    const busy = new Set(this.#running.values());
    for (const torrent of waiting) {
      const device = this.deviceOf(torrent);
      if (busy.has(device)) continue;
      waiting.delete(torrent);
      // It reports its own failures; the queue goes on.
      const running = run(torrent).finally(() => {
        this.#running.delete(running);
        this.#fill();
      });
      this.#running.set(running, device);
      return true;
    }
    return false;
  }
}
