// The limits of speed over all engines: told to each as its share, and shared out anew while they hold.
import type { RateLimits } from '../../shared-protocol/commands/limits.js';
import type { Clock, Timer } from '../../shared-protocol/clock.js';
import { shareOut } from './limit-shares.js';

const SHARE_OUT_MS = 2_000;
/** Shares that differ less are not told. */
const NOTEWORTHY_PART = 0.03;
const UNLIMITED: RateLimits = { downBytesPerSec: 0, upBytesPerSec: 0 };
const FIELDS = ['downBytesPerSec', 'upBytesPerSec'] as const;

export interface SharingEngine {
  /** Bytes per second, as it told last. */
  readonly rates: RateLimits;
  readonly isAway: boolean;
  /** @throws AppError `ENGINE_AWAY` */
  tell(share: RateLimits): Promise<void>;
}

export class SharedLimits {
  #limits: RateLimits = UNLIMITED;
  #shares: (RateLimits | null)[];
  #timer: Timer | null = null;

  constructor(
    private readonly engines: readonly SharingEngine[],
    private readonly clock: Pick<Clock, 'after'>,
    /** Whether this front shares out: of several one does. */
    private readonly leads: () => boolean,
  ) {
    this.#shares = engines.map(() => null);
  }

  /** The share that an engine begins with. */
  shareOf(engine: number): RateLimits {
    return this.#shares[engine] ?? UNLIMITED;
  }

  /** The limits of which each engine is told its share as it starts. */
  begin(limits: RateLimits): void {
    this.#limits = limits;
    this.#shares = this.#next();
    this.#watch();
  }

  /** Rejects as the telling of an engine does that is there. */
  async set(limits: RateLimits): Promise<void> {
    if (FIELDS.some((field) => this.#limits[field] !== limits[field])) {
      this.#limits = limits;
      // Of another limit no share says whether more would be used.
      this.#shares = this.#shares.map((share, at) => (this.engines[at]!.isAway ? share : null));
      this.#shares = this.#next();
      this.#watch();
    }
    await this.#tell(() => true);
  }

  close(): void {
    this.#timer?.cancel();
    this.#timer = null;
  }

  #next(): RateLimits[] {
    const [down, up] = FIELDS.map((field) =>
      shareOut(
        this.#limits[field],
        this.engines.map(({ rates, isAway }, at) => ({
          ...{ rate: rates[field], isAway },
          // One without a limit so far has no share.
          share: this.#shares[at]?.[field] || null,
        })),
      ),
    );
    return this.engines.map((_engine, at) => ({ downBytesPerSec: down![at]!, upBytesPerSec: up![at]! }));
  }

  #watch(): void {
    this.close();
    if (this.engines.length < 2 || FIELDS.every((field) => this.#limits[field] === 0)) return;
    this.#timer = this.clock.after(SHARE_OUT_MS, () => {
      if (!this.leads()) return this.#watch();
      const before = this.#shares;
      this.#shares = this.#next().map((share, at) => (isNoteworthy(before[at]!, share) ? share : before[at]!));
      this.#watch();
      // One that goes meanwhile is told its share when it is back.
      this.#tell((at) => this.#shares[at] !== before[at]).catch(() => undefined);
    });
  }

  async #tell(isNews: (at: number) => boolean): Promise<void> {
    const news = [...this.engines.entries()].filter(([at, { isAway }]) => !isAway && isNews(at));
    await Promise.all(news.map(([at, engine]) => engine.tell(this.#shares[at]!)));
  }
}

function isNoteworthy(before: RateLimits | null, share: RateLimits): boolean {
  if (!before) return true;
  return FIELDS.some((field) => Math.abs(share[field] - before[field]) > NOTEWORTHY_PART * before[field]);
}
