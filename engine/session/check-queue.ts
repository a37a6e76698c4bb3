// Torrents waiting for what is on disk to be hashed: one at a time on each device, where two would only make its head
// travel, and two in all. What torrents wait for comes before what is looked at in the background.
import type { Torrent } from '../torrent/torrent.js';

/** As many as there are hashing threads at most. */
const MAX_RUNNING = 2;

export class CheckQueue {
  readonly #checks = new WaitingLines();
  readonly #audits = new WaitingLines();
  readonly #running = new Map<Promise<void>, number>();

  /** `deviceOf`: a number that torrents on one device have in common. */
  constructor(private readonly deviceOf: (torrent: Torrent) => number) {}

  add(torrent: Torrent): void {
    this.#checks.add(torrent, this.deviceOf(torrent));
    this.#fill();
  }

  addAudit(torrent: Torrent): void {
    this.#audits.add(torrent, this.deviceOf(torrent));
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
  #takeFrom(waiting: WaitingLines, run: (torrent: Torrent) => Promise<void>): boolean {
    const next = waiting.take(new Set(this.#running.values()));
    if (!next) return false;
    // It reports its own failures; the queue goes on.
    const running = run(next.torrent).finally(() => {
      this.#running.delete(running);
      this.#fill();
    });
    this.#running.set(running, next.device);
    return true;
  }
}

/** A line of torrents for each device; a torrent stands in one of them at most. */
class WaitingLines {
  readonly #lines = new Map<number, Set<Torrent>>();
  readonly #places = new Map<Torrent, number>();

  add(torrent: Torrent, device: number): void {
    if (this.#places.has(torrent)) return;
    this.#places.set(torrent, device);
    const line = this.#lines.get(device);
    if (line) line.add(torrent);
    else this.#lines.set(device, new Set([torrent]));
  }

  delete(torrent: Torrent): void {
    const device = this.#places.get(torrent);
    if (device === undefined) return;
    this.#places.delete(torrent);
    const line = this.#lines.get(device);
    line?.delete(torrent);
    if (line?.size === 0) this.#lines.delete(device);
  }

  clear(): void {
    this.#lines.clear();
    this.#places.clear();
  }

  /** Whoever has waited longest for a device that is not busy. */
  take(busy: ReadonlySet<number>): { readonly torrent: Torrent; readonly device: number } | null {
    for (const [device, line] of this.#lines) {
      const [torrent] = busy.has(device) ? [] : line;
      if (!torrent) continue;
      this.delete(torrent);
      return { torrent, device };
    }
    return null;
  }
}
