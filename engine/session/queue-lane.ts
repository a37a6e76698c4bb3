// One limit of the queue: of those who want to run, only so many do, the others wait. Accounts take turns: places go to the
// first of each account in order, then to the second of each, and so on, so that what one account puts first holds back
// nobody else's. With one account these are the first in order. Pure. Each account has two heaps, the last of its that runs
// and the first that waits on top: a coming or going costs O(log n) and a look at each account, and touches at most one other.
//
// Invariant: every member is in exactly one heap of its account while there is a limit, in none while there is not. Of one
// account those that run come before those that wait. No member waits whose turn comes before that of one that runs, and
// none waits while there is a place.
import type { AccountId } from '../../shared-protocol/ids.js';
import { BinaryHeap, type HeapItem } from '../util/binary-heap.js';

export interface LaneMember extends HeapItem {
  /** Place in the order; not to be changed while the member is in a lane. */
  key: number;
  /** The account whose turn it takes; not to be changed while the member is in a lane. */
  account: AccountId;
  /** Whether the member waits. Written by the lane only; false outside of it. */
  isHeld: boolean;
}

/** The members of one account. */
interface Part<Member extends LaneMember> {
  readonly running: BinaryHeap<Member>;
  readonly waiting: BinaryHeap<Member>;
}

/** When it is a member's turn: its number among those of its account, from 1, then its place in the order. */
interface Turn<Member> {
  readonly member: Member;
  readonly number: number;
}

export class QueueLane<Member extends LaneMember> {
  readonly #parts = new Map<AccountId, Part<Member>>();
  #running = 0;

  /** `limit`: 0 for none; then no member waits, and nothing is kept. */
  constructor(private limit: number) {}

  /** Returns the member that it displaces. */
  add(member: Member): Member | null {
    member.isHeld = false;
    if (this.limit === 0) return null;
    this.#run(member);
    if (this.#running <= this.limit) return null;
    const last = this.#holdLast();
    return last === member ? null : last;
  }

  /** Returns who takes its place. */
  remove(member: Member): Member | null {
    member.isHeld = false;
    const part = this.#parts.get(member.account);
    if (!part) return null;
    const wasRunning = part.running.remove(member);
    if (!wasRunning) part.waiting.remove(member);
    if (part.running.size + part.waiting.size === 0) this.#parts.delete(member.account);
    if (!wasRunning) return null;
    this.#running--;
    return this.#runNext();
  }

  /** Returns those who start or stop because of it. `members`: all of them. */
  setLimit(limit: number, members: Iterable<Member>): Member[] {
    const changed: Member[] = [];
    if (limit === this.limit) return changed;
    if (this.limit === 0) for (const member of members) this.#run(member);
    this.limit = limit;
    const places = limit === 0 ? Infinity : limit;
    while (this.#running > places) changed.push(this.#holdLast());
    for (let next; this.#running < places && (next = this.#runNext());) changed.push(next);
    if (limit === 0) this.#forget();
    return changed;
  }

  #forget(): void {
    for (const { running } of this.#parts.values()) while (running.pop());
    this.#parts.clear();
    this.#running = 0;
  }

  #run(member: Member): void {
    this.#partOf(member.account).running.push(member);
    this.#running++;
  }

  /** Holds back the one that runs whose turn comes last, of which there is one. */
  #holdLast(): Member {
    let last: Turn<Member> | null = null;
    for (const { running } of this.#parts.values()) {
      const member = running.peek();
      const turn = member && { member, number: running.size };
      if (turn && (!last || isBefore(last, turn))) last = turn;
    }
    const { member } = last!;
    const { running, waiting } = this.#partOf(member.account);
    running.remove(member);
    this.#running--;
    waiting.push(member);
    member.isHeld = true;
    return member;
  }

  /** Lets the one that waits run whose turn comes first. */
  #runNext(): Member | null {
    let first: Turn<Member> | null = null;
    for (const { running, waiting } of this.#parts.values()) {
      const member = waiting.peek();
      const turn = member && { member, number: running.size + 1 };
      if (turn && (!first || isBefore(turn, first))) first = turn;
    }
    if (!first) return null;
    const { member } = first;
    this.#partOf(member.account).waiting.remove(member);
    member.isHeld = false;
    this.#run(member);
    return member;
  }

  #partOf(account: AccountId): Part<Member> {
    const known = this.#parts.get(account);
    if (known) return known;
    const part: Part<Member> = {
      running: new BinaryHeap((a, b) => a.key > b.key),
      waiting: new BinaryHeap((a, b) => a.key < b.key),
    };
    this.#parts.set(account, part);
    return part;
  }
}

function isBefore(one: Turn<LaneMember>, other: Turn<LaneMember>): boolean {
  return one.number === other.number ? one.member.key < other.member.key : one.number < other.number;
}
