// Accounts and sessions as other fronts have changed them just now, for credentials that this front does not know yet. Owns the bounds
// of these looks: however many ask, strangers with made-up credentials among them, one is under way, and few are made in a second.
import type { IncomingHttpHeaders } from 'node:http';
import type { Collection } from '../../storage/types.js';
import type { Clock } from '../clocks.js';
import { isKeyLike } from './api-keys.js';
import { authenticate, bearerOf, sessionTokenOf, type AuthDeps } from './authenticate.js';

/** From the beginning of a look to that of the next. No spec value. */
const LOOK_EVERY_MS = 50;
/** A database that takes longer is not waited for: what is known holds. No spec value. */
const PATIENCE_MS = 2_000;

export interface NewestRecordsDeps {
  readonly auth: AuthDeps;
  readonly records: readonly Pick<Collection<unknown>, 'refresh'>[];
  readonly clock: Clock;
}

export class NewestRecords {
  #waiting: Promise<void> | null = null;
  #last: Promise<void> = Promise.resolve();
  #lastBeganMs = -Infinity;

  constructor(private readonly deps: NewestRecordsDeps) {}

  /** Resolves when a look has ended that began after the call, whatever came of it. */
  look(): Promise<void> {
    this.#waiting ??= this.#lookInTurn();
    return this.#waiting;
  }

  /** The look after which it is known whose credentials these are; null: it is known, or they are none. */
  lookFor(headers: IncomingHttpHeaders): Promise<void> | null {
    const mayBeNew = [bearerOf(headers), sessionTokenOf(headers)].some((token) => token !== null && isKeyLike(token));
    return mayBeNew && !authenticate(headers, this.deps.auth) ? this.look() : null;
  }

  async #lookInTurn(): Promise<void> {
    const { clock, records } = this.deps;
    await this.#last;
    const earlyMs = this.#lastBeganMs + LOOK_EVERY_MS - clock.nowMs();
    if (earlyMs > 0) await new Promise<void>((resolve) => void clock.after(earlyMs, resolve));
    this.#waiting = null;
    this.#lastBeganMs = clock.nowMs();
    this.#last = this.#withPatience(Promise.allSettled(records.map((each) => each.refresh())));
    await this.#last;
  }

  #withPatience(done: Promise<unknown>): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.deps.clock.after(PATIENCE_MS, resolve);
      void done.then(() => {
        timer.cancel();
        resolve();
      });
    });
  }
}
