// The rates of the last hours: of all accounts together and of each, by the second for ten minutes and by ten seconds for six
// hours; of each share of a torrent by five seconds for ten minutes. Owns how many of them are kept: those that moved something
// last, and of more that move at the same time those that have rings already. Where all together were sampled and one has nothing, it was at rest. Pure.
import type { AccountId, TorrentId } from '../../../shared-protocol/ids.js';
import { SECONDS_KEPT_MIN, TENS_KEPT_MIN, type MinuteOfRates } from '../../../storage/rate-minutes.js';
import { RateRing, SlotMeans, type Rates } from './rate-ring.js';
import type { Scope } from './series-name.js';

const MINUTE_S = 60;
/** Seconds of a slot. */
export const SLOT_S = { seconds: 1, tens: 10, shares: 5 } as const;
const KEPT_S = { seconds: SECONDS_KEPT_MIN * MINUTE_S, tens: TENS_KEPT_MIN * MINUTE_S, shares: 600 } as const;
/** Accounts with rings of their own: 33 KB each. */
export const MAX_ACCOUNTS = 500;
/** Shares of torrents with rings of their own: 1.5 KB each. */
export const MAX_SHARES = 5_000;
/** A timer that is late has left a second out; longer nobody knows what was moved. */
const MAX_LATE_S = 3;
const AT_REST: Rates = { down: 0, up: 0 };
const NOT_SAMPLED = -1;

/** Rates of all that moves: those that are not named are at rest. */
export interface RateSample {
  readonly scopes: ReadonlyMap<Scope, Rates>;
  /** By {@link shareKey}. */
  readonly shares: ReadonlyMap<ShareKey, Rates>;
}

/** A torrent as one of its holders has it. */
export type ShareKey = `${TorrentId}/${AccountId}`;

export function shareKey({ id, ownerId }: { readonly id: TorrentId; readonly ownerId: AccountId }): ShareKey {
  return `${id}/${ownerId}`;
}

interface OfScope {
  readonly seconds: RateRing;
  readonly tens: RateRing;
}

export class RateRings {
  readonly #all = newRings();
  /** In the order in which they moved something, the last one last. */
  readonly #accounts = new Map<Scope, OfScope>();
  readonly #shares = new Map<ShareKey, RateRing>();
  readonly #tens = new SlotMeans<Scope>();
  readonly #fives = new SlotMeans<ShareKey>();
  /** The slot of shares in which all that have rings move: there is no room in it for more. */
  #fullSlot = 0;
  #lastS = 0;

  /** The last second that was sampled; unix seconds. */
  get lastS(): number {
    return this.#lastS;
  }

  /** @param atS unix seconds, whole */
  add(atS: number, { scopes, shares }: RateSample): void {
    const lateS = atS - this.#lastS;
    const firstS = lateS > 0 && lateS <= MAX_LATE_S ? this.#lastS + 1 : atS;
    this.#lastS = atS;
    const known = new Map(scopes).set('all', scopes.get('all') ?? AT_REST);
    for (let second = firstS; second <= atS; second++) {
      const tens = slotAt('tens', second);
      for (const [scope, rates] of known) this.#ringsOf(scope, tens)?.seconds.put(second, rates);
      for (const [scope, mean] of this.#tens.add(tens, known)) this.#ringsOf(scope, tens)?.tens.put(tens, mean);
      const fives = slotAt('shares', second);
      const hasRoom = (key: ShareKey) => this.#makeRoom(key, fives);
      for (const [key, mean] of this.#fives.add(fives, shares, hasRoom)) this.#ringOf(key, fives)?.put(fives, mean);
    }
  }

  /** By slot; null where nothing was sampled. */
  at(scope: Scope, ring: 'seconds' | 'tens', slot: number): Rates | null {
    const all = this.#all[ring].at(slot);
    if (scope === 'all' || all === null) return all;
    return this.#accounts.get(scope)?.[ring].at(slot) ?? AT_REST;
  }

  /** The same of a share of a torrent. */
  ofShare(key: ShareKey, slot: number): Rates | null {
    const { seconds } = this.#all;
    const firstS = slot * SLOT_S.shares;
    const wasSampled = Array.from({ length: SLOT_S.shares }, (_, late) => seconds.at(firstS + late)).some(Boolean);
    return wasSampled ? (this.#shares.get(key)?.at(slot) ?? AT_REST) : null;
  }

  /** The form in which a minute is stored: of all together, and of the accounts that moved something in it. */
  minuteOf(minute: number): Map<Scope, MinuteOfRates> {
    const scopes: Scope[] = ['all', ...this.#accounts.keys()];
    const pairs = (scope: Scope, ring: keyof OfScope, count: number): number[] => {
      const first = slotAt(ring, minute * MINUTE_S);
      return Array.from({ length: count }, (_, index) => this.at(scope, ring, first + index)).flatMap((rates) =>
        rates ? [Math.round(rates.down), Math.round(rates.up)] : [NOT_SAMPLED, NOT_SAMPLED],
      );
    };
    const minutes = scopes.map((scope): [Scope, MinuteOfRates] => [
      scope,
      { seconds: pairs(scope, 'seconds', MINUTE_S), tens: pairs(scope, 'tens', MINUTE_S / SLOT_S.tens) },
    ]);
    return new Map(minutes.filter(([scope, { tens }]) => scope === 'all' || tens.some((rate) => rate > 0)));
  }

  /** Takes in what was stored of a minute. */
  restore(minute: number, stored: ReadonlyMap<Scope, MinuteOfRates>): void {
    for (const [scope, rates] of stored) {
      for (const ring of ['seconds', 'tens'] as const) {
        const first = slotAt(ring, minute * MINUTE_S);
        const rings = this.#ringsOf(scope, null)!;
        for (let index = 0; 2 * index + 1 < rates[ring].length; index++) {
          const [down, up] = [rates[ring][2 * index]!, rates[ring][2 * index + 1]!];
          if (down !== NOT_SAMPLED) rings[ring].put(first + index, { down, up });
        }
      }
    }
  }

  /** `tens`: the slot at hand, which says who moves still; null: whoever moved longest ago makes room. */
  #ringsOf(scope: Scope, tens: number | null): OfScope | null {
    if (scope === 'all') return this.#all;
    const isMoving = (rings: OfScope) => tens !== null && isIn(rings.tens, tens);
    return touch(this.#accounts, scope, newRings, { max: MAX_ACCOUNTS, isMoving });
  }

  /** False: it is one too many. One that has a ring moves, and does not make room for the next. */
  #makeRoom(key: ShareKey, slot: number): boolean {
    // Of too many that move each would be told so by the oldest one, which takes a walk to find.
    if (slot === this.#fullSlot && !this.#shares.has(key)) return false;
    const ring = this.#ringOf(key, slot);
    ring?.put(slot, AT_REST);
    if (!ring) this.#fullSlot = slot;
    return ring !== null;
  }

  #ringOf(key: ShareKey, slot: number): RateRing | null {
    const make = () => new RateRing(KEPT_S.shares / SLOT_S.shares);
    return touch(this.#shares, key, make, { max: MAX_SHARES, isMoving: (ring) => isIn(ring, slot) });
  }
}

/** The number of the slot that a moment lies in. @param unixS seconds */
export function slotAt(ring: keyof typeof SLOT_S, unixS: number): number {
  return Math.floor(unixS / SLOT_S[ring]);
}

function newRings(): OfScope {
  return {
    seconds: new RateRing(KEPT_S.seconds / SLOT_S.seconds),
    tens: new RateRing(KEPT_S.tens / SLOT_S.tens),
  };
}

/** Whether something moved in the slot, or in the one before: a slot that has just begun has been told of few. */
function isIn(ring: RateRing, slot: number): boolean {
  return ring.at(slot) !== null || ring.at(slot - 1) !== null;
}

interface Room<Value> {
  readonly max: number;
  readonly isMoving: (value: Value) => boolean;
}

/**
 * The value of the key, made where there is none. When there are too many, the one that was touched longest ago goes; null
 * where that one moves still: it would be missed at once, and each of too many would push out the next.
 */
function touch<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value, room: Room<Value>): Value | null {
  let value = map.get(key);
  if (value === undefined && map.size >= room.max) {
    const [oldest] = map;
    if (oldest && room.isMoving(oldest[1])) return null;
    if (oldest) map.delete(oldest[0]);
  }
  value ??= make();
  map.delete(key);
  map.set(key, value);
  return value;
}
