// The two rounds of a session: once a second over the torrents that are awake, and now and then over those in trouble.
import { SECOND_MS, type Clock, type Timer } from '../environment.js';
import type { SessionTorrent } from '../torrent/session-interface.js';

/** Torrents in trouble are looked at this often (docs/semantics.md section 5). */
const TROUBLE_MS = 30 * SECOND_MS;

export interface TickerDeps {
  readonly clock: Clock;
  readonly awake: ReadonlySet<SessionTorrent>;
  readonly troubled: ReadonlySet<SessionTorrent>;
  /** With each second, after the torrents. */
  onSecond(nowMs: number): void;
  /** Before the torrents in trouble are looked at, also when there are none. */
  onTroubleRound(): void;
}

export class Ticker {
  #timer: Timer | null = null;
  #lastTickMs: number;
  #lastTroubleMs: number;

  constructor(private readonly deps: TickerDeps) {
    this.#lastTickMs = this.#lastTroubleMs = deps.clock.nowMs();
  }

  start(): void {
    this.#timer = this.deps.clock.after(SECOND_MS, () => {
      this.#tick();
      this.start();
    });
  }

  stop(): void {
    this.#timer?.cancel();
  }

  #tick(): void {
    const { clock, awake, troubled, onSecond, onTroubleRound } = this.deps;
    const nowMs = clock.nowMs();
    const elapsedMs = nowMs - this.#lastTickMs;
    this.#lastTickMs = nowMs;
    for (const torrent of [...awake]) torrent.tick(nowMs, elapsedMs);
    onSecond(nowMs);
    if (nowMs - this.#lastTroubleMs < TROUBLE_MS) return;
    this.#lastTroubleMs = nowMs;
    onTroubleRound();
    for (const torrent of [...troubled]) void torrent.lookAgain();
  }
}
