// The rates of the last hours: of all accounts together and of each, by the second for ten minutes and by ten seconds for six
// hours; of each share of a torrent by five seconds for ten minutes. Owns how many of them are kept: those that moved something
// last. Where all together were sampled and one has nothing, it was at rest. Pure.
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
      for (const [scope, rates] of known) this.#ringsOf(scope).seconds.put(second, rates);
      const tens = slotAt('tens', second);
      for (const [scope, mean] of this.#tens.add(tens, known)) this.#ringsOf(scope).tens.put(tens, mean);
      const fives = slotAt('shares', second);
      for (const [key, mean] of this.#fives.add(fives, shares)) this.#ringOf(key).put(fives, mean);
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
        for (let index = 0; 2 * index + 1 < rates[ring].length; index++) {
          const [down, up] = [rates[ring][2 * index]!, rates[ring][2 * index + 1]!];
          if (down !== NOT_SAMPLED) this.#ringsOf(scope)[ring].put(first + index, { down, up });
        }
      }
    }
  }

  #ringsOf(scope: Scope): OfScope {
    return scope === 'all' ? this.#all : touch(this.#accounts, scope, newRings, MAX_ACCOUNTS);
  }

  #ringOf(key: ShareKey): RateRing {
    return touch(this.#shares, key, () => new RateRing(KEPT_S.shares / SLOT_S.shares), MAX_SHARES);
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

/** The value of the key, made where there is none; the one that was touched longest ago goes when there are too many. */
function touch<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value, max: number): Value {
  const value = map.get(key) ?? make();
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > max && oldest !== undefined) map.delete(oldest);
  return value;
}
