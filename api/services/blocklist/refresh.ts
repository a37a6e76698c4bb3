// When the list is fetched again without an account asking: once a day while it is enabled, so that what is let in and
// kept out follows its source; sooner after a failure, and at once where no copy of it was found at start.
import type { Clock, Timer } from '../../clocks.js';
import type { BackgroundService } from '../background-service.js';
import type { Blocklist, BlocklistEvent, RefreshState } from './blocklist.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** No spec value: lists change once a day at most. */
export const REFRESH_INTERVAL_MS = 24 * HOUR_MS;
/** Everybody's timers must not meet at the same server. */
const JITTER = 0.1;
const FIRST_RETRY_MS = 5 * MINUTE_MS;
const MAX_RETRY_MS = 6 * HOUR_MS;
/** After a start, when the machine may still be coming up. */
const START_DELAY_MS = SECOND_MS;

/**
 * Milliseconds until the next fetch; null while there is to be none. `failures`: of fetches in a row. `nowS` in unix
 * seconds, `chance` in [0, 1).
 */
export function nextFetchInMs(
  { enabled, isHeld, lastLoadedAt }: RefreshState,
  failures: number,
  nowS: number,
  chance: number,
): number | null {
  if (!enabled) return null;
  const spread = 1 + JITTER * (2 * chance - 1);
  if (failures > 0) return Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1)) * spread;
  if (!isHeld) return START_DELAY_MS;
  // A clock that was set back does not put it off for longer than that.
  const ageMs = Math.max(0, nowS - lastLoadedAt) * SECOND_MS;
  return Math.max(START_DELAY_MS, REFRESH_INTERVAL_MS * spread - ageMs);
}

export interface RefreshDeps {
  readonly blocklist: Pick<Blocklist, 'refreshState' | 'refreshByItself' | 'onEvent' | 'close'>;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
}

export class BlocklistRefresh implements BackgroundService {
  #timer: Timer | null = null;
  #failures = 0;
  #isStopped = false;

  constructor(private readonly deps: RefreshDeps) {}

  start(): void {
    this.deps.blocklist.onEvent((event) => this.#onEvent(event));
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    await this.deps.blocklist.close();
  }

  #onEvent(event: BlocklistEvent): void {
    this.#failures = event === 'failed' ? this.#failures + 1 : 0;
    this.#schedule();
  }

  #schedule(): void {
    this.#timer?.cancel();
    this.#timer = null;
    const { blocklist, clock, random } = this.deps;
    const delayMs = nextFetchInMs(blocklist.refreshState, this.#failures, clock.unixMs() / SECOND_MS, random());
    if (delayMs === null || this.#isStopped) return;
    this.#timer = clock.after(delayMs, () => {
      this.#timer = null;
      // Its end is an event, which sets the next time.
      void blocklist.refreshByItself();
    });
  }
}
