// For how long a torrent has been at work, and for how long of that it was complete. What counts is noted when it begins and
// ends, in the engine's own time (engine/session/service-time.ts), and so stored only then: while a torrent goes on with what it
// does nothing is written, not even at an end of the engine, and the next run counts on from where this one ended.
import type { ResumeRow } from '../../../storage/types.js';
import type { ServiceSeconds } from '../session-interface.js';
import { isOnline, type Activity } from '../state.js';

type StoredTimes = Pick<ResumeRow, 'activeSeconds' | 'seedingSeconds' | 'counting'>;
type Counted = 'nothing' | 'active' | 'seeding';

export class ActiveTimes {
  #activeSeconds: number;
  #seedingSeconds: number;
  #counted: Counted;
  /** Service seconds of when it began to count what it counts. */
  #since: number;
  /** Unix seconds of the same moment, for people. */
  #countedSince = 0;

  constructor(
    private readonly service: ServiceSeconds,
    stored: StoredTimes = {},
  ) {
    this.#activeSeconds = secondsOf(stored.activeSeconds);
    this.#seedingSeconds = secondsOf(stored.seedingSeconds);
    this.#since = service.seconds();
    this.#counted = stored.counting?.what ?? 'nothing';
    if (stored.counting) this.#add(Math.max(0, this.#since - secondsOf(stored.counting.since)));
  }

  /** Counted up to `countedSince`. */
  get activeSeconds(): number {
    return this.#activeSeconds;
  }

  get seedingSeconds(): number {
    return this.#seedingSeconds;
  }

  /** Unix seconds; 0 while nothing is counted, or it has not begun in this run. */
  get countedSince(): number {
    return this.#countedSince;
  }

  /** Counts by what the torrent does from now on; whether that is other than what was stored. */
  note(activity: Activity, unixMs: number): boolean {
    const counted = countedOf(activity);
    const isOther = counted !== this.#counted;
    // In the first look of a run it may go on with what it did in the last.
    if (!isOther && (counted === 'nothing' || this.#countedSince > 0)) return false;
    const now = this.service.seconds();
    this.#add(now - this.#since);
    this.#since = now;
    this.#counted = counted;
    this.#countedSince = counted === 'nothing' ? 0 : Math.floor(unixMs / 1000);
    return isOther;
  }

  stored(): StoredTimes {
    const what = this.#counted;
    return {
      ...(this.#activeSeconds > 0 && { activeSeconds: this.#activeSeconds }),
      ...(this.#seedingSeconds > 0 && { seedingSeconds: this.#seedingSeconds }),
      ...(what !== 'nothing' && { counting: { what, since: this.#since } }),
    };
  }

  #add(seconds: number): void {
    if (this.#counted === 'nothing') return;
    this.#activeSeconds += seconds;
    if (this.#counted === 'seeding') this.#seedingSeconds += seconds;
  }
}

function countedOf(activity: Activity): Counted {
  if (!isOnline(activity)) return 'nothing';
  return activity === 'seeding' ? 'seeding' : 'active';
}

/** The stored number, or 0 where it is none that can be counted on from. */
function secondsOf(stored = 0): number {
  return Number.isFinite(stored) && stored > 0 ? stored : 0;
}
