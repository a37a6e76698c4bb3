// Looks for updates unasked (docs/api.md: `update:available`): minutes after the start, then once a day, more rarely
// when the server does not answer. A find is announced once, also across restarts; one that no client was there to hear
// of is announced again by the next check. Skipped while it is switched off, and where apt does it.
import type { UpdateInfoDto } from '../../../shared-protocol/dto/settings.js';
import { messageOf } from '../../../shared-protocol/errors.js';
import type { Clock, Timer } from '../../clocks.js';
import type { Log } from '../../logging.js';
import type { BackgroundService } from '../background-service.js';
import type { Updates } from './updates.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const FIRST_MIN_MS = MINUTE_MS;
const FIRST_MAX_MS = 5 * MINUTE_MS;
const RETRY_MS = 15 * MINUTE_MS;
/** So that services which were started together do not ask together. */
const JITTER = 0.1;

export interface UpdateChecksDeps {
  readonly updates: Pick<Updates, 'isAutomatic' | 'onChange' | 'check' | 'isNews' | 'noteAnnounced' | 'stop'>;
  /** False: no client was there to hear of it. */
  readonly announce: (info: UpdateInfoDto) => boolean;
  readonly clock: Pick<Clock, 'after'>;
  /** In [0, 1). */
  readonly random: () => number;
  readonly log: Pick<Log, 'debug' | 'info' | 'warn'>;
}

/** Milliseconds to the first check after a start or a change. */
export function firstDelayMs(random: number): number {
  return FIRST_MIN_MS + random * (FIRST_MAX_MS - FIRST_MIN_MS);
}

/** Milliseconds to the next one; `failures` in a row until now. */
export function nextDelayMs(failures: number, random: number): number {
  const delayMs = failures === 0 ? DAY_MS : Math.min(DAY_MS, RETRY_MS * 2 ** (failures - 1));
  return delayMs * (1 - JITTER + 2 * JITTER * random);
}

export class UpdateChecks implements BackgroundService {
  #timer: Timer | null = null;
  #failures = 0;
  #checking: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(private readonly deps: UpdateChecksDeps) {}

  start(): void {
    this.deps.updates.onChange(() => this.#restart());
    this.#restart();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    this.deps.updates.stop();
    await this.#checking;
  }

  #restart(): void {
    this.#failures = 0;
    this.#schedule(firstDelayMs(this.deps.random()));
  }

  #schedule(delayMs: number): void {
    this.#timer?.cancel();
    this.#timer = null;
    if (this.#isStopped || !this.deps.updates.isAutomatic) return;
    this.#timer = this.deps.clock.after(delayMs, () => (this.#checking = this.#check()));
  }

  /** Never rejects. */
  async #check(): Promise<void> {
    const { log, random, updates } = this.deps;
    const timer = this.#timer;
    try {
      const info = await updates.check();
      this.#failures = 0;
      await this.#tell(info);
    } catch (error) {
      this.#failures++;
      const reason = messageOf(error);
      log[this.#failures === 1 ? 'warn' : 'debug']('cannot look for updates', { reason });
    }
    // Unless a change has set another meanwhile.
    if (this.#timer === timer) this.#schedule(nextDelayMs(this.#failures, random()));
  }

  async #tell(info: UpdateInfoDto): Promise<void> {
    const { announce, log, updates } = this.deps;
    if (this.#isStopped || !updates.isNews(info)) return;
    log.info('update available', { version: info.latest_version });
    if (announce(info)) await updates.noteAnnounced(info);
  }
}
