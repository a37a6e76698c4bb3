// Watches one socket for silence (silence.ts).
import { ANSWER_WITHIN_MS, ASK_AFTER_MS, verdictOn } from './silence.js';

const LOOK_EVERY_MS = 500;
/** Between two looks: the machine slept, or the browser had put the page to sleep. */
const SLEPT_MS = 3_000;

export interface WatchdogDeps {
  /** Milliseconds that go on while the machine sleeps. */
  readonly nowMs: () => number;
  /** Whether the server answers by another way within the time. */
  readonly isAnswering: (withinMs: number) => Promise<boolean>;
  /** Nothing has come since then. Called again while that lasts. */
  readonly onSilent: (sinceMs: number) => void;
  readonly onDead: () => void;
}

export class Watchdog {
  readonly #timer: ReturnType<typeof setInterval>;
  #heardAtMs: number;
  #lookedAtMs: number;
  /** When the machine woke, if it slept since something has come. */
  #wokeAtMs: number | null = null;
  #isAsking = false;
  #isAnswering: boolean | null = null;
  #isStopped = false;

  constructor(private readonly deps: WatchdogDeps) {
    this.#heardAtMs = this.#lookedAtMs = deps.nowMs();
    this.#timer = setInterval(() => this.look(), LOOK_EVERY_MS);
  }

  /** Something has come. */
  heard(): void {
    this.#heardAtMs = this.deps.nowMs();
    this.#isAnswering = null;
    this.#wokeAtMs = null;
  }

  /** Looks now, and not only at the next tick of a timer that may be slowed down. */
  look(): void {
    const nowMs = this.deps.nowMs();
    if (nowMs - this.#lookedAtMs > SLEPT_MS) this.#wokeAtMs = nowMs;
    this.#lookedAtMs = nowMs;
    const silentMs = nowMs - this.#heardAtMs;
    const awakeMs = this.#wokeAtMs === null ? null : nowMs - this.#wokeAtMs;
    const verdict = verdictOn({ silentMs, isAnswering: this.#isAnswering, awakeMs });
    if (verdict === 'giveUp') return this.deps.onDead();
    if (verdict === 'say') this.deps.onSilent(this.#heardAtMs);
    if (silentMs >= ASK_AFTER_MS && !this.#isAsking) void this.#ask();
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    const heardAtMs = this.#heardAtMs;
    const isAnswering = await this.deps.isAnswering(ANSWER_WITHIN_MS);
    this.#isAsking = false;
    if (this.#isStopped || heardAtMs !== this.#heardAtMs) return;
    this.#isAnswering = isAnswering;
    if (!isAnswering) this.look();
  }
}
