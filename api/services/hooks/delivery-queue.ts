// The messages of one webhook, in the order in which they came, and how sending them goes. Pure. Owns: the first one is
// sent until it arrives or is too old; after each failure longer is waited.
import type { Reason } from '../../../shared-protocol/reasons.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** Between attempts, longer and longer: a receiver that starts again soon hears soon, one that is gone costs little. */
const RETRY_DELAYS_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
] as const;
/** A receiver that is mended after a weekend has missed nothing. */
const MAX_AGE_MS = 72 * HOUR_MS;

export interface Message {
  readonly id: string;
  readonly webhook_id: number;
  readonly account_id: number;
  readonly text: string;
  /** When it happened. */
  readonly unix_ms: number;
}

/** A moment by both clocks: waiting is not to depend on a clock that is set, age on one that stands still. */
export interface Moment {
  /** Monotonic. */
  readonly nowMs: number;
  readonly unixMs: number;
}

export interface DeliveryFailure {
  /** For people. */
  readonly message: string;
  /** For programs; null: it has no code. */
  readonly reason: Reason | null;
}

export class DeliveryQueue {
  #messages: Message[] = [];
  #failures = 0;
  #nextMs = 0;
  #dropped = 0;
  #lastAttemptMs = 0;
  #lastSuccessMs = 0;
  #lastError: DeliveryFailure | null = null;

  get first(): Message | undefined {
    return this.#messages[0];
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** When the next attempt is due, by the monotonic clock; null: there is nothing to send. */
  get nextMs(): number | null {
    return this.#messages.length > 0 ? this.#nextMs : null;
  }

  get dropped(): number {
    return this.#dropped;
  }

  /** Unix milliseconds; 0: never. */
  get lastAttemptMs(): number {
    return this.#lastAttemptMs;
  }

  /** Unix milliseconds; 0: never. */
  get lastSuccessMs(): number {
    return this.#lastSuccessMs;
  }

  get lastError(): DeliveryFailure | null {
    return this.#lastError;
  }

  add(message: Message): void {
    this.#messages.push(message);
  }

  /** There was no room for a message. */
  refuse(): void {
    this.#dropped++;
  }

  delivered(message: Message, { unixMs }: Moment): void {
    this.#messages = this.#messages.filter(({ id }) => id !== message.id);
    this.#failures = 0;
    this.#nextMs = 0;
    this.#lastAttemptMs = unixMs;
    this.#lastSuccessMs = unixMs;
    this.#lastError = null;
  }

  /** `random`: from 0 to 1, so that the receivers of a machine that was away are not all asked at once. */
  failed(failure: DeliveryFailure, { nowMs, unixMs }: Moment, random: number): void {
    const delayMs = RETRY_DELAYS_MS[Math.min(this.#failures++, RETRY_DELAYS_MS.length - 1)] ?? MAX_AGE_MS;
    this.#nextMs = nowMs + delayMs * (1 + random / 5);
    this.#lastAttemptMs = unixMs;
    this.#lastError = failure;
    const young = this.#messages.filter(({ unix_ms }) => unixMs - unix_ms < MAX_AGE_MS);
    this.#dropped += this.#messages.length - young.length;
    this.#messages = young;
  }

  /** The next attempt is due at once. */
  hurry(): void {
    this.#failures = 0;
    this.#nextMs = 0;
  }

  clear(): void {
    this.#dropped += this.#messages.length;
    this.#messages = [];
  }
}
