// Which feed is polled next: of accounts whose feeds are due the one with the fewest polls under way, then the one whose turn is
// the longest ago, and of its feeds the one that has been due for the longest. So servers that do not answer hold up the
// feeds of who polls them. Owns: polls under way <= MAX_POLLS, and one place that no account takes alone.
import { Counts } from '../../../shared-protocol/counts.js';
import type { AccountId } from '../../../shared-protocol/ids.js';

/** Half of what the egress does at a time; the rest is for people who wait. */
const MAX_POLLS = 4;
/** Polls of an account beside whose feeds there are those of others. */
const MAX_POLLS_OF_ACCOUNT = 2;
/** Polls of an account that alone has feeds: the first one of another finds a place. */
const MAX_POLLS_ALONE = MAX_POLLS - 1;

export interface AwaitedPoll {
  readonly ownerId: AccountId;
  readonly dueMs: number;
}

export class PollTurns {
  readonly #running = new Counts<AccountId>();
  /** Rising numbers of the last turns. */
  readonly #turns = new Map<AccountId, number>();
  #lastTurn = 0;

  /** The one that may begin, of all that wait: one that is due if any is, else the one that is due next. */
  next<Poll extends AwaitedPoll>(waiting: readonly Poll[], nowMs: number): Poll | undefined {
    if (this.#running.total >= MAX_POLLS) return undefined;
    const owners = new Set([...this.#running.keys(), ...waiting.map(({ ownerId }) => ownerId)]);
    const most = owners.size > 1 ? MAX_POLLS_OF_ACCOUNT : MAX_POLLS_ALONE;
    let next: Poll | undefined;
    for (const poll of waiting) {
      if (this.#runningOf(poll) < most && (!next || this.#isBefore(poll, next, nowMs))) next = poll;
    }
    return next;
  }

  begin(ownerId: AccountId): void {
    this.#running.add(ownerId);
    this.#turns.set(ownerId, ++this.#lastTurn);
  }

  end(ownerId: AccountId): void {
    this.#running.take(ownerId);
  }

  #isBefore(a: AwaitedPoll, b: AwaitedPoll, nowMs: number): boolean {
    if (a.ownerId === b.ownerId || Math.max(a.dueMs, b.dueMs) > nowMs) return a.dueMs < b.dueMs;
    const inTurn = this.#runningOf(a) - this.#runningOf(b) || this.#turnOf(a) - this.#turnOf(b);
    return inTurn === 0 ? a.dueMs < b.dueMs : inTurn < 0;
  }

  #runningOf({ ownerId }: AwaitedPoll): number {
    return this.#running.of(ownerId);
  }

  #turnOf({ ownerId }: AwaitedPoll): number {
    return this.#turns.get(ownerId) ?? 0;
  }
}
