// When which torrent is announced on the local network: one queue for each wait, so that every queue is in order of due
// time by itself and no torrent has a timer. Pure: time is an argument. A torrent is in exactly one queue.
import type { InfoHash } from '../../shared-protocol/ids.js';

export class AnnounceSchedule {
  /** Due times by torrent; the n-th queue holds those announced n times, the last one all others. */
  readonly #queues: readonly Map<InfoHash, number>[];

  constructor(private readonly waitsMs: readonly number[]) {
    this.#queues = waitsMs.map(() => new Map());
  }

  get size(): number {
    return this.#queues.reduce((sum, queue) => sum + queue.size, 0);
  }

  has(infoHash: InfoHash): boolean {
    return this.#queues.some((queue) => queue.has(infoHash));
  }

  /** Nothing happens to a torrent that is here already. */
  add(infoHash: InfoHash, nowMs: number): void {
    if (!this.has(infoHash)) this.#enqueue(0, infoHash, nowMs);
  }

  remove(infoHash: InfoHash): void {
    for (const queue of this.#queues) queue.delete(infoHash);
  }

  /** Up to `max` torrents to announce now, those announced least often first; they are queued for the next time. */
  takeDue(nowMs: number, max: number): InfoHash[] {
    const due: InfoHash[] = [];
    for (const [stage, queue] of this.#queues.entries()) {
      for (const [infoHash, dueMs] of queue) {
        if (dueMs > nowMs || due.length >= max) break;
        due.push(infoHash);
        queue.delete(infoHash);
        this.#enqueue(Math.min(stage + 1, this.#queues.length - 1), infoHash, nowMs);
      }
    }
    return due;
  }

  /** When something is due next; null when there is nothing to announce. */
  nextDueMs(): number | null {
    let next: number | null = null;
    for (const queue of this.#queues) {
      const [first] = queue.values();
      if (first !== undefined && (next === null || first < next)) next = first;
    }
    return next;
  }

  #enqueue(stage: number, infoHash: InfoHash, nowMs: number): void {
    this.#queues[stage]?.set(infoHash, nowMs + (this.waitsMs[stage] ?? 0));
  }
}
