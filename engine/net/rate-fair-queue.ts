// Whose turn it is, by bytes: start-time fair queueing. Each item counts what it was given; the one that was given least
// goes next, so large and small reads come out even. The queue's own count, `#level`, is what the item served last had
// when its turn came: who returns from a pause starts there and cannot claim what it did not use.
import { BinaryHeap, type HeapItem } from '../util/binary-heap.js';

/** Written by the queue only. */
export interface FairItem extends HeapItem {
  /** Bytes given, in the queue's count. */
  served: number;
  /** Among items given as much, the one that waits longer goes first. */
  turn: number;
}

export class FairQueue<Item extends FairItem> {
  readonly #waiting = new BinaryHeap<Item>((a, b) => (a.served !== b.served ? a.served < b.served : a.turn < b.turn));
  #level = 0;
  #turns = 0;

  get size(): number {
    return this.#waiting.size;
  }

  /** The item that is next. */
  peek(): Item | undefined {
    return this.#waiting.peek();
  }

  has(item: Item): boolean {
    return this.#waiting.has(item);
  }

  /** `claimBytes`: how much of what it missed while away it may still make up for. */
  catchUp(item: Item, claimBytes: number): void {
    item.served = Math.max(item.served, this.#level - claimBytes);
  }

  push(item: Item): void {
    item.turn = this.#turns++;
    this.#waiting.push(item);
  }

  pop(): Item | undefined {
    return this.#waiting.pop();
  }

  remove(item: Item): void {
    this.#waiting.remove(item);
  }

  /** The item's turn has come: it is given bytes. It is not in the queue. */
  serve(item: Item, bytes: number): void {
    this.#level = Math.max(this.#level, item.served);
    item.served += bytes;
  }

  /** Corrects the count of an item that moved more than it was given, or gave back (negative); also while it waits. */
  correct(item: Item, bytes: number): void {
    const waits = this.#waiting.remove(item);
    item.served += bytes;
    if (waits) this.#waiting.push(item);
  }
}
