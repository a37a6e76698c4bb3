// The lease under which an engine on shared roots works: as long as it holds, no other engine takes over what is this one's. It is
// asked for at fronts, which have it of the records that they share. Owns: the span counts from the moment of asking, however long
// the answer took, and all is over before its end (docs/operate/fleet.md "Shared roots").
import type { Clock, Timer } from '../shared-protocol/clock.js';
import type { CommandParams } from '../shared-protocol/commands.js';
import { LeaseEnd } from '../shared-protocol/lease-end.js';
import { AppError } from '../shared-protocol/errors.js';

const ASK_EVERY_MS = 5_000;
/** Without a lease nothing is done: a front that comes is asked at once, one that is there soon. */
const ASK_AGAIN_MS = 1_000;
/** Before the end of the lease, for what is under way to end. */
export const LEASE_MARGIN_MS = 5_000;
/** Before the end of the lease, for writes that have begun. */
const WRITE_MARGIN_MS = 1_000;
/** A start that has no lease by then fails, and says why. */
const PATIENCE_MS = 30_000;
/** Askings that may still be answered. */
const REMEMBERED = 8;
/** No engine is lost before (`take_over_after_s`): a longer lease would hold on when another has its torrents. */
const MAX_LEASE_MS = 20_000;
const MAX_SHOWN_CHARS = 40;

export interface NodeLeaseDeps {
  readonly clock: Pick<Clock, 'nowMs' | 'after'>;
  /** Tells fronts that it is asked for. */
  readonly ask: (asked: number) => void;
  /** The lease is about to run out: what it stands for ends now, within the margin. */
  readonly onLost: () => void;
}

interface Held {
  readonly epoch: number;
  /** Monotonic milliseconds. */
  readonly untilMs: number;
}

export class NodeLease {
  /** Known to the engine's thread. */
  readonly end = new LeaseEnd();
  readonly #askedAtMs = new Map<number, number>();
  readonly #waiting = new Set<(epoch: number) => void>();
  #lastAsked = 0;
  #held: Held | null = null;
  /** The epoch of the last lease: no lower one counts. */
  #lastEpoch = 0;
  #asking: Timer | null = null;
  #ending: Timer | null = null;
  #isClosed = false;

  constructor(private readonly deps: NodeLeaseDeps) {}

  /** Asks now, and again until it is closed. */
  ask(): void {
    if (this.#isClosed) return;
    const { clock, ask } = this.deps;
    this.#asking?.cancel();
    this.#asking = clock.after(this.#held ? ASK_EVERY_MS : ASK_AGAIN_MS, () => this.ask());
    this.#askedAtMs.set(++this.#lastAsked, clock.nowMs());
    this.#askedAtMs.delete(this.#lastAsked - REMEMBERED);
    ask(this.#lastAsked);
  }

  /**
   * A front has it for us. One that was asked for too long ago, or is older than what was known, is none.
   * @throws AppError `ENGINE_FENCED`: it is no lease
   */
  grant(granted: CommandParams<'grantLease'>): void {
    assertLease(granted);
    const { asked, epoch, ttlMs } = granted;
    const askedAtMs = this.#askedAtMs.get(asked);
    if (askedAtMs === undefined || epoch < this.#lastEpoch || this.#isClosed) return;
    const untilMs = askedAtMs + ttlMs;
    if (untilMs - LEASE_MARGIN_MS <= this.deps.clock.nowMs()) return;
    // Somebody else had it in between: whatever was begun under the one before is over.
    if (this.#held && this.#held.epoch !== epoch) return this.#lose();
    this.#lastEpoch = epoch;
    if (!this.#held || untilMs > this.#held.untilMs) this.#hold({ epoch, untilMs });
  }

  /** Resolves to its epoch once it is held. @throws AppError `ENGINE_FENCED` where no front has it for us in time */
  async held(): Promise<number> {
    if (this.#held) return this.#held.epoch;
    const { clock } = this.deps;
    let timer: Timer | undefined;
    let grant: (epoch: number) => void = () => undefined;
    try {
      return await new Promise((resolve, reject) => {
        grant = resolve;
        this.#waiting.add(grant);
        timer = clock.after(PATIENCE_MS, () => reject(noLease()));
      });
    } finally {
      timer?.cancel();
      this.#waiting.delete(grant);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#asking?.cancel();
    this.#ending?.cancel();
  }

  #hold(held: Held): void {
    const { clock } = this.deps;
    this.#held = held;
    this.end.setIn(held.untilMs - WRITE_MARGIN_MS - clock.nowMs());
    this.#ending?.cancel();
    this.#ending = clock.after(held.untilMs - LEASE_MARGIN_MS - clock.nowMs(), () => this.#lose());
    for (const grant of this.#waiting) grant(held.epoch);
  }

  #lose(): void {
    this.#ending?.cancel();
    this.#held = null;
    this.deps.onLost();
    this.ask();
  }
}

function assertLease({ epoch, ttlMs }: CommandParams<'grantLease'>): void {
  const isSpan = typeof ttlMs === 'number' && ttlMs > 0 && ttlMs <= MAX_LEASE_MS;
  const fault =
    (!(Number.isSafeInteger(epoch) && epoch > 0) && `epoch ${shown(epoch)}: expected a whole number from 1 on`) ||
    (!isSpan && `ttlMs ${shown(ttlMs)}: expected more than 0 and at most ${MAX_LEASE_MS}`);
  if (fault) throw new AppError('ENGINE_FENCED', `lease not taken: ${fault}`);
}

/** A value that may be anything, cut for a message. */
function shown(value: unknown): string {
  return String(value).slice(0, MAX_SHOWN_CHARS);
}

function noLease(): AppError {
  return new AppError(
    'ENGINE_FENCED',
    'engine: no front has a lease for it; torrents on shared roots wait until one has, or another engine has taken them',
  );
}
