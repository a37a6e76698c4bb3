// Torrents waiting to be verified, one at a time: two would only make the disk's head travel.
import type { Torrent } from '../torrent/torrent.js';

export class CheckQueue {
  readonly #waiting = new Set<Torrent>();
  #running = false;

  add(torrent: Torrent): void {
    this.#waiting.add(torrent);
    void this.#run();
  }

  remove(torrent: Torrent): void {
    this.#waiting.delete(torrent);
  }

  clear(): void {
    this.#waiting.clear();
  }

  async #run(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    for (const torrent of this.#waiting) {
      this.#waiting.delete(torrent);
      // It reports its own failures; the queue goes on.
      await torrent.runCheck();
    }
    this.#running = false;
  }
}
