// One limit of the queue: of those who want to run, the first so many in order do, the others wait. Pure. Two heaps,
// the last that runs and the first that waits on top, so that each coming and going costs O(log n) and touches at most
// one other.
//
// Invariant: every member is in exactly one of the heaps while there is a limit, in none while there is not; those that
// run come before those that wait, and none waits while there is a place.
import { BinaryHeap, type HeapItem } from '../util/binary-heap.js';

export interface LaneMember extends HeapItem {
  /** Place in the order; not to be changed while the member is in a lane. */
  key: number;
  /** Whether the member waits. Written by the lane only; false outside of it. */
  isHeld: boolean;
}

export class QueueLane<Member extends LaneMember> {
  readonly #running = new BinaryHeap<Member>((a, b) => a.key > b.key);
  readonly #waiting = new BinaryHeap<Member>((a, b) => a.key < b.key);

  /** `limit`: 0 for none; then no member waits, and nothing is kept. */
  constructor(private limit: number) {}

  /** Returns the member that it displaces. */
  add(member: Member): Member | null {
    member.isHeld = false;
    if (this.limit === 0) return null;
    this.#running.push(member);
    if (this.#running.size <= this.limit) return null;
    const last = this.#running.pop()!;
    this.#hold(last);
    return last === member ? null : last;
  }

  /** Returns who takes its place. */
  remove(member: Member): Member | null {
    member.isHeld = false;
    if (this.#waiting.has(member)) this.#waiting.remove(member);
    if (!this.#running.has(member)) return null;
    this.#running.remove(member);
    return this.#next();
  }

  /** Returns those who start or stop because of it. `members`: all of them. */
  setLimit(limit: number, members: Iterable<Member>): Member[] {
    const changed: Member[] = [];
    if (limit === this.limit) return changed;
    if (this.limit === 0) for (const member of members) this.#running.push(member);
    this.limit = limit;
    const places = limit === 0 ? Infinity : limit;
    while (this.#running.size > places) {
      const last = this.#running.pop()!;
      this.#hold(last);
      changed.push(last);
    }
    while (this.#running.size < places) {
      const next = this.#next();
      if (!next) break;
      changed.push(next);
    }
    if (limit === 0) while (this.#running.pop());
    return changed;
  }

  #next(): Member | null {
    const next = this.#waiting.pop();
    if (!next) return null;
    next.isHeld = false;
    this.#running.push(next);
    return next;
  }

  #hold(member: Member): void {
    member.isHeld = true;
    this.#waiting.push(member);
  }
}
