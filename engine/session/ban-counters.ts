// What others' bad data has cost so far, in numbers and in the log: every ban with its reason, but not so many lines
// that the log is the next thing to be flooded.
import { MINUTE_MS, type Clock, type Log } from '../environment.js';

const MAX_LINES_PER_MINUTE = 10;

export interface BadDataCounts {
  /** Peers and web seeds banned since the engine started. */
  readonly bans: number;
  readonly failedPieces: number;
  /** In pieces that failed. */
  readonly wastedBytes: number;
}

export class BadDataCounters {
  #bans = 0;
  #failedPieces = 0;
  #wastedBytes = 0;
  #minuteSinceMs = -Infinity;
  #lines = 0;
  #unsaid = 0;

  constructor(private readonly deps: { readonly clock: Clock; readonly log: Log }) {}

  get counters(): BadDataCounts {
    return { bans: this.#bans, failedPieces: this.#failedPieces, wastedBytes: this.#wastedBytes };
  }

  onPieceFailed(bytes: number): void {
    this.#failedPieces++;
    this.#wastedBytes += bytes;
  }

  /** `fields` say who and why. */
  onBan(message: string, fields: Readonly<Record<string, string | null>>): void {
    this.#bans++;
    const nowMs = this.deps.clock.nowMs();
    if (nowMs - this.#minuteSinceMs >= MINUTE_MS) {
      this.#minuteSinceMs = nowMs;
      this.#lines = 0;
    }
    if (++this.#lines > MAX_LINES_PER_MINUTE) {
      this.#unsaid++;
      return;
    }
    this.deps.log.info(message, { ...fields, ...this.counters, unsaid: this.#unsaid });
    this.#unsaid = 0;
  }
}
