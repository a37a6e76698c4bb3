// Opens connections for the torrents that look for peers, in turn, at a bounded rate and below the session's cap.
// One timer for all of them, and none while no torrent is looking.
import { SECOND_MS, type Clock, type Timer } from '../environment.js';
import type { SessionTorrent } from '../torrent/session-interface.js';
import { TokenBucket } from '../util/token-bucket.js';

const STEP_MS = 100;
/** docs/limits.md, "Starting values": 30 a second, with a boost so that a new torrent starts at once. */
const CONNECTS_PER_SEC = 30;
const BURST = 100;

export class Dialer {
  readonly #seeking = new Set<SessionTorrent>();
  #timer: Timer | null = null;
  readonly #rate: TokenBucket;

  constructor(
    private readonly clock: Clock,
    private readonly hasRoom: () => boolean,
  ) {
    this.#rate = new TokenBucket(clock, { perSecond: CONNECTS_PER_SEC, burst: BURST });
  }

  setSeeking(torrent: SessionTorrent, seeking: boolean): void {
    if (!seeking) {
      this.#seeking.delete(torrent);
      return;
    }
    this.#seeking.add(torrent);
    this.#schedule(0);
  }

  stop(): void {
    this.#seeking.clear();
    this.#timer?.cancel();
    this.#timer = null;
  }

  #schedule(delayMs: number): void {
    this.#timer ??= this.clock.after(delayMs, () => {
      this.#timer = null;
      this.#step();
    });
  }

  #step(): void {
    const now = this.clock.nowMs();
    let waitsForLater = false;
    for (const torrent of [...this.#seeking]) {
      if (this.#rate.level < 1 || !this.hasRoom()) break;
      if (torrent.connectNext(now)) {
        this.#rate.take(1);
        // Last in line now, so that all torrents get their turn.
        this.#seeking.delete(torrent);
        this.#seeking.add(torrent);
        continue;
      }
      const next = torrent.known.nextAttemptMs();
      if (next === null || next <= now) this.#seeking.delete(torrent);
      else waitsForLater = true;
    }
    if (this.#seeking.size > 0) this.#schedule(waitsForLater && this.#rate.level >= 1 ? SECOND_MS : STEP_MS);
  }
}
