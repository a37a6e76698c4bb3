// Puts the limits in force that hold from each minute on (docs/semantics.md section 8). It looks at the clock on the
// wall at every edge of a minute, so a clock that is set, or a change to summer time, is followed within one.
import type { Clock, Timer } from '../../clocks.js';
import type { BackgroundService } from '../background-service.js';
import type { Log } from '../../logging.js';
import type { SpeedLimits } from './speed-limits.js';

const MINUTE_MS = 60_000;

export interface ScheduleClockDeps {
  readonly speedLimits: Pick<SpeedLimits, 'inForce' | 'apply'>;
  readonly clock: Pick<Clock, 'unixMs' | 'after'>;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

export class ScheduleClock implements BackgroundService {
  #timer: Timer | null = null;
  #isStopped = false;
  /** The outcome of the last look, to tell an edge from any other minute. */
  #last = '';
  #applying: Promise<void> = Promise.resolve();

  constructor(private readonly deps: ScheduleClockDeps) {}

  start(): void {
    // Minutes may have passed since the engine was started with what held then.
    this.#look();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    await this.#applying;
  }

  #look(): void {
    const { speedLimits, clock } = this.deps;
    const { source, rule_id } = speedLimits.inForce;
    const now = `${source} ${rule_id ?? ''}`;
    if (now !== this.#last) this.#applying = this.#apply(now);
    this.#timer = clock.after(MINUTE_MS - (clock.unixMs() % MINUTE_MS), () => this.#look());
  }

  async #apply(now: string): Promise<void> {
    const { speedLimits, log } = this.deps;
    try {
      await speedLimits.apply();
      const { source, rule_id, down_kbps, up_kbps } = speedLimits.inForce;
      log.info('speed limits in force', { source, rule: rule_id, down_kbps, up_kbps });
      this.#last = now;
    } catch (error) {
      // Tried again with the next minute.
      if (!this.#isStopped) log.warn('speed limits not applied', { reason: String(error) });
    }
  }
}
