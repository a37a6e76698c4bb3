// The sequence of messages for the clients of one account that take deltas (`?frames=delta`): one full list first and every
// 30 s, in between what has changed since the message before. Owns: a delta is only for clients that had the message before it.
import type { ListMessage, ListMessages } from './list-messages.js';
import type { ListSnapshot } from './list-snapshot.js';

/**
 * Messages from one full list to the next: 30 s (docs/semantics.md section 7), less where others of the account join
 * meanwhile.
 */
const FULL_EVERY = 30;

/** One account's sequence; it begins when its first client has been sent a full list. */
export class DeltaFeed {
  #sinceFull = 0;

  /** `base`: the snapshot that its clients have been sent in full. */
  constructor(
    private readonly messages: Pick<ListMessages, 'full' | 'delta'>,
    private base: ListSnapshot,
  ) {}

  /** The message for clients that had the one before: a delta, or the full list when it is due or no longer than that. */
  next(snapshot: ListSnapshot): ListMessage {
    const before = this.base;
    this.base = snapshot;
    const full = this.messages.full(snapshot);
    if (++this.#sinceFull >= FULL_EVERY) {
      this.#sinceFull = 0;
      return full;
    }
    const delta = this.messages.delta(before, snapshot);
    return delta.length < full.length ? delta : full;
  }
}
