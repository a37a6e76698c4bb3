// The queue (docs/semantics.md section 5): one order of all torrents, dense positions from 0 for people, sparse keys in
// the store (queue-keys.ts), and two lanes of those who want to run, in which accounts take turns (queue-lane.ts). No
// torrents are scanned when one changes what it does; a move tells those behind it of their positions, and so do, once for
// all of a moment, those that come and go.
import type { QueueLimits, QueueTarget } from '../../shared-protocol/commands/limits.js';
import type { AccountId } from '../../shared-protocol/ids.js';
import { MINUTE_MS, SECOND_MS } from '../environment.js';
import { RoundRobin } from '../util/round-robin.js';
import type { QueueLaneName } from '../torrent/state.js';
import { keysToInsert, keysToReorder, type NewKeys } from './queue-keys.js';
import { admittedMoves } from './queue-moves.js';
import { QueueLane, type LaneMember } from './queue-lane.js';

/** Keys: as many as are read, changed and handed to the store in some milliseconds. */
const STORED_AT_ONCE = 500;

/** A torrent, as the queue sees it. */
export interface QueuedTorrent {
  /** The accounts that run it, one at least. It takes the turns of the first. */
  readonly runBy: readonly AccountId[];
  /** Unix seconds of when payload was last seen to move; 0: never. */
  readonly lastActivityAt: number;
  setQueuePosition(position: number): void;
  setQueued(queued: boolean): void;
  readonly edits: { setQueueKey(key: number): Promise<void> };
}

interface Place<Torrent> extends LaneMember {
  readonly torrent: Torrent;
  /** The lane that it would run in; null: it would not. */
  wanted: QueueLaneName | null;
  /** The lane that it is in: the one it would run in, unless it has stalled. */
  lane: QueueLaneName | null;
  /** Whether it waited when it was told last. */
  wasHeld: boolean;
  /** Unix milliseconds since which it has run in the lane that it wants. */
  sinceMs: number;
}

export class Queue<Torrent extends QueuedTorrent> {
  readonly #order: Place<Torrent>[] = [];
  readonly #places = new Map<Torrent, Place<Torrent>>();
  readonly #lanes: Readonly<Record<QueueLaneName, QueueLane<Place<Torrent>>>>;
  /** Each commits: accounts that ask for many take turns with those that ask for one. */
  readonly #moves = new RoundRobin<AccountId | undefined>();
  #lastKey = -1;
  /** Given out last to one that is first: it may not be stored yet. */
  #firstKey = 0;
  /** 0: none counts as stalled. */
  #stalledMs: number;
  /** The first position that its torrent has not been told of, nor those behind it; null: all have been. */
  #untoldFrom: number | null = null;

  /** `soon`: called with work that is to be done once for all changes of a moment. */
  constructor(
    { maxActiveDownloads, maxActiveSeeds, stalledMinutes = 0 }: QueueLimits,
    private readonly unixMs: () => number,
    private readonly soon: (work: () => void) => void = queueMicrotask,
  ) {
    this.#lanes = { download: new QueueLane(maxActiveDownloads), seed: new QueueLane(maxActiveSeeds) };
    this.#stalledMs = stalledMinutes * MINUTE_MS;
  }

  /** For a torrent that is about to be stored: behind all others. */
  nextKey(): number {
    return ++this.#lastKey;
  }

  /** The same: before all others. */
  firstKey(): number {
    this.#firstKey = Math.floor(Math.min(this.#firstKey, this.#order[0]?.key ?? 0)) - 1;
    return this.#firstKey;
  }

  /** `key`: as it is stored. It holds no place before it takes one. */
  add(torrent: Torrent, key: number): void {
    const place: Place<Torrent> = {
      ...{ torrent, key, account: accountOf(torrent), heapIndex: -1, isHeld: false },
      ...{ wanted: null, lane: null, wasHeld: false, sinceMs: 0 },
    };
    const at = this.#positionOf(key);
    this.#places.set(torrent, place);
    this.#order.splice(at, 0, place);
    this.#lastKey = Math.max(this.#lastKey, Math.ceil(key));
    torrent.setQueuePosition(at);
    this.#tellPositionsSoon(at + 1);
  }

  remove(torrent: Torrent): void {
    this.takePlace(torrent, null);
    const place = this.#places.get(torrent);
    if (!place) return;
    const at = this.#positionOf(place.key);
    this.#places.delete(torrent);
    this.#order.splice(at, 1);
    this.#tellPositionsSoon(at);
  }

  /** Whether it is held back; others who start or stop because of it are told. */
  takePlace(torrent: Torrent, lane: QueueLaneName | null): boolean {
    const place = this.#places.get(torrent);
    if (!place) return false;
    const account = accountOf(torrent);
    if (place.wanted === lane && place.account === account) return place.isHeld;
    if (place.wanted !== lane) place.sinceMs = this.unixMs();
    place.wanted = lane;
    const others = this.#change(place, lane, account);
    this.#noteHeld(place);
    for (const other of others) this.#tell(other);
    return place.isHeld;
  }

  /** Now and then: those that have stalled since give up their places, and those that move again take one. */
  lookAtStalled(): void {
    if (this.#stalledMs > 0) this.#judgeStalled();
  }

  /** Clamped; the others close up. `by`: who asks for it. Durable when it resolves. */
  move(torrent: Torrent, position: number, by?: AccountId): Promise<void> {
    return this.#moves.run(by, () => this.#move(torrent, position));
  }

  /**
   * Moves several together, which keep their order among themselves. `isRestricted`: it may only move forward. Durable when
   * it resolves.
   */
  moveTogether(
    torrents: readonly Torrent[],
    to: QueueTarget,
    isRestricted: (torrent: Torrent) => boolean,
    by?: AccountId,
  ): Promise<void> {
    return this.#moves.run(by, () => this.#moveTogether(torrents, to, isRestricted));
  }

  setLimits({ maxActiveDownloads, maxActiveSeeds, stalledMinutes = 0 }: QueueLimits): void {
    this.#stalledMs = stalledMinutes * MINUTE_MS;
    this.#judgeStalled();
    this.#setLimit('download', maxActiveDownloads);
    this.#setLimit('seed', maxActiveSeeds);
  }

  async #move(torrent: Torrent, position: number): Promise<void> {
    const place = this.#places.get(torrent);
    if (!place) return;
    const from = this.#positionOf(place.key);
    const others = this.#order.filter((other) => other !== place);
    const to = Math.min(Math.max(0, position), others.length);
    if (from === to) return;
    const spot = this.#spotAt(others, to);
    others.splice(to, 0, place);
    const moved = spot.keys.map((key, i) => ({ place: others[spot.first + i]!, key }));
    await Promise.all(moved.map(({ place: { torrent: other }, key }) => other.edits.setQueueKey(key)));
    this.#reorder(place, moved);
  }

  /** Keys at the ends may have been given to torrents that are being stored. */
  #spotAt(others: readonly Place<Torrent>[], to: number): NewKeys {
    if (to === others.length) return { first: to, keys: [this.nextKey()] };
    if (to === 0) return { first: to, keys: [this.firstKey()] };
    return keysToInsert(
      others.map(({ key }) => key),
      to,
    );
  }

  async #moveTogether(
    torrents: readonly Torrent[],
    to: QueueTarget,
    isRestricted: (torrent: Torrent) => boolean,
  ): Promise<void> {
    const chosen = new Set(torrents.flatMap((torrent) => this.#places.get(torrent) ?? []));
    const { order, moving } = admittedMoves(this.#order, chosen, to, ({ torrent }) => isRestricted(torrent));
    if (order.every((place, at) => place === this.#order[at])) return;
    const ends = { nextKey: () => this.nextKey(), firstKey: () => this.firstKey() };
    const keys = keysToReorder(order, moving, ends);
    await this.#store([...keys]);
    this.#reorderAll(keys);
  }

  /** Some hundred at once, and others have their turn while these are committed. What has been removed meanwhile has no key. */
  async #store(keys: readonly (readonly [Place<Torrent>, number])[]): Promise<void> {
    for (let first = 0; first < keys.length; first += STORED_AT_ONCE) {
      const some = keys.slice(first, first + STORED_AT_ONCE);
      const there = some.filter(([place]) => this.#places.get(place.torrent) === place);
      await Promise.all(there.map(([{ torrent }, key]) => torrent.edits.setQueueKey(key)));
    }
  }

  /** In memory, all at once. Some may have been removed, and others added at either end, while keys were stored. */
  #reorderAll(keys: ReadonlyMap<Place<Torrent>, number>): void {
    const told = new Set<Place<Torrent>>();
    const staying = [...keys].filter(([place]) => this.#places.get(place.torrent) === place);
    const lanes = staying.map(([place]) => place.lane);
    for (const [place] of staying) {
      const next = this.#leave(place);
      if (next) told.add(next);
    }
    for (const [place, key] of staying) place.key = key;
    this.#order.sort((a, b) => a.key - b.key);
    for (const [i, [place]] of staying.entries()) {
      const lane = (place.lane = lanes[i] ?? null);
      const displaced = lane ? this.#lanes[lane].add(place) : null;
      told.add(place);
      if (displaced) told.add(displaced);
    }
    this.#tellPositions(0, this.#order.length);
    for (const place of told) this.#tell(place);
  }

  /** In memory, all at once. Some may have been removed while their keys were stored. */
  #reorder(place: Place<Torrent>, moved: readonly { readonly place: Place<Torrent>; readonly key: number }[]): void {
    if (this.#places.get(place.torrent) !== place) return;
    const { lane } = place;
    const from = this.#positionOf(place.key);
    const next = this.#leave(place);
    this.#order.splice(from, 1);
    // The others keep their order among themselves, and with it the lanes theirs.
    for (const { place: other, key } of moved) other.key = key;
    const to = this.#positionOf(place.key);
    this.#order.splice(to, 0, place);
    place.lane = lane;
    const displaced = lane ? this.#lanes[lane].add(place) : null;
    this.#tellPositions(Math.min(from, to), Math.max(from, to) + 1);
    for (const other of new Set([displaced, place, next])) if (other) this.#tell(other);
  }

  #judgeStalled(): void {
    const nowMs = this.unixMs();
    for (const place of [...this.#order]) {
      const { wanted, isHeld, account } = place;
      if (wanted === null || isHeld) continue;
      const lane = this.#hasStalled(place, nowMs) ? null : wanted;
      if (lane === place.lane) continue;
      for (const one of [...this.#change(place, lane, account), place]) this.#tell(one);
    }
  }

  #hasStalled({ torrent, sinceMs }: Place<Torrent>, nowMs: number): boolean {
    if (this.#stalledMs === 0) return false;
    return nowMs - Math.max(sinceMs, torrent.lastActivityAt * SECOND_MS) >= this.#stalledMs;
  }

  /** Into a lane, or out of it. Returns the others who run or wait because of it. */
  #change(place: Place<Torrent>, lane: QueueLaneName | null, account: AccountId): readonly Place<Torrent>[] {
    const next = this.#leave(place);
    place.lane = lane;
    place.account = account;
    const displaced = lane ? this.#lanes[lane].add(place) : null;
    return [displaced, next].filter((other) => other !== null);
  }

  #setLimit(name: QueueLaneName, limit: number): void {
    const members = this.#order.filter(({ lane }) => lane === name);
    const changed = this.#lanes[name].setLimit(limit, members);
    for (const place of changed) this.#tell(place);
  }

  /** Returns who takes its place. */
  #leave(place: Place<Torrent>): Place<Torrent> | null {
    const next = place.lane ? this.#lanes[place.lane].remove(place) : null;
    place.lane = null;
    return next;
  }

  /** Tells the torrent as it is now: what one does when it is told may have changed the others. */
  #tell(place: Place<Torrent>): void {
    this.#noteHeld(place);
    place.torrent.setQueued(place.isHeld);
  }

  #noteHeld(place: Place<Torrent>): void {
    if (place.wasHeld && !place.isHeld) place.sinceMs = this.unixMs();
    place.wasHeld = place.isHeld;
  }

  /** Thousands may be removed in a moment: told one by one, the engine would have time for nothing else. */
  #tellPositionsSoon(first: number): void {
    const isAwaited = this.#untoldFrom !== null;
    if (!isAwaited && first >= this.#order.length) return;
    this.#untoldFrom = Math.min(this.#untoldFrom ?? first, first);
    if (isAwaited) return;
    this.soon(() => {
      const untoldFrom = this.#untoldFrom ?? this.#order.length;
      this.#untoldFrom = null;
      this.#tellPositions(untoldFrom, this.#order.length);
    });
  }

  #tellPositions(first: number, end: number): void {
    for (let at = first; at < end; at++) this.#order[at]!.torrent.setQueuePosition(at);
  }

  /** Position of the first that has this key or a higher one. */
  #positionOf(key: number): number {
    let low = 0;
    let high = this.#order.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#order[middle]!.key < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function accountOf({ runBy: [first] }: QueuedTorrent): AccountId {
  if (first === undefined) throw new Error('bug: a torrent that no account runs');
  return first;
}
