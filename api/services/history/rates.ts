// How fast it went, as each account may know it: its own torrents, for administrators all, and torrents in its sight. The
// finest of what is kept that reaches as far back as is asked: seconds and tens of them from memory, five minutes and
// hours from what was moved.
import type { RatesDto, RatesQuery } from '../../../shared-protocol/dto/rates.js';
import {
  LASTING_POINT_S,
  LASTING_POINTS_KEPT,
  type LastingResolution,
  type TrafficHistory,
} from '../../../storage/traffic-history.js';
import type { Account } from '../../auth/account.js';
import type { Library } from '../library/library.js';
import { sharesOf, type ListedTorrent } from '../library/shares.js';
import type { History } from './history.js';
import type { Rates } from './rate-ring.js';
import { shareKey, SLOT_S, slotAt, type RateRings } from './rate-rings.js';
import type { TrafficRecorder } from './recorder.js';
import { totalSeries, type Scope } from './series-name.js';

const MINUTE_S = 60;
const DAY_S = 86_400;
/** How far back each kind reaches. */
const SECONDS_REACH_S = 600;
const TENS_REACH_S = 6 * 3_600;
const FIVE_MINUTES_REACH_S = 30 * DAY_S;
const TORRENT_REACH_S = 600;
/** The least of a point to divide by: when it has only begun, it says little how fast it goes. */
const LEAST_OF_POINT_S = MINUTE_S;

export interface RateAnswersDeps {
  readonly rings: Pick<RateRings, 'at' | 'ofShare' | 'lastS'>;
  readonly store: Pick<TrafficHistory, 'lastingPoints' | 'ever'>;
  readonly recorder: Pick<TrafficRecorder, 'settle'>;
  readonly history: Pick<History, 'scopeOf'>;
  readonly library: Pick<Library, 'shownTo'>;
  /** Unix seconds. */
  readonly now: () => number;
}

/** Steps of equal length, the first from `slot` on. */
interface Steps {
  readonly stepS: number;
  readonly slot: number;
  readonly rates: readonly (Rates | null)[];
}

export class RateAnswers {
  constructor(private readonly deps: RateAnswersDeps) {}

  /** @throws RequestError `FORBIDDEN`, `NOT_FOUND` */
  async of(account: Account, { seconds, points, account: of }: RatesQuery): Promise<RatesDto> {
    const scope = this.deps.history.scopeOf(account, of);
    const steps = await this.#steps(scope, seconds);
    return toDto(merged(steps, Math.ceil(steps.rates.length / points)));
  }

  /** Returns what was shown then: of one that several hold an account is told what its own share did. */
  ofTorrent(account: Account, torrent: ListedTorrent): RatesDto {
    const { rings, library, now } = this.deps;
    const keys = sharesOf(library.shownTo(account, torrent)).map(shareKey);
    const count = TORRENT_REACH_S / SLOT_S.shares;
    const slot = slotAt('shares', rings.lastS || now()) - count + 1;
    const rates = Array.from({ length: count }, (_, index) =>
      fastest(keys.map((key) => rings.ofShare(key, slot + index))),
    );
    return toDto({ stepS: SLOT_S.shares, slot, rates });
  }

  async #steps(scope: Scope, seconds: number): Promise<Steps> {
    if (seconds <= SECONDS_REACH_S) return this.#sampled(scope, 'seconds', seconds);
    if (seconds <= TENS_REACH_S) return this.#sampled(scope, 'tens', seconds);
    return this.#counted(scope, seconds <= FIVE_MINUTES_REACH_S ? '5min' : 'hour', seconds);
  }

  #sampled(scope: Scope, ring: 'seconds' | 'tens', seconds: number): Steps {
    const { rings, now } = this.deps;
    const last = slotAt(ring, rings.lastS || now());
    const count = Math.ceil(seconds / SLOT_S[ring]);
    const slot = last - count + 1;
    const rates = Array.from({ length: count }, (_, index) => rings.at(scope, ring, slot + index));
    return { stepS: SLOT_S[ring], slot, rates };
  }

  async #counted(scope: Scope, resolution: LastingResolution, seconds: number): Promise<Steps> {
    const { recorder, store, now } = this.deps;
    await recorder.settle();
    const stepS = LASTING_POINT_S[resolution];
    const nowS = now();
    const last = Math.floor(nowS / stepS);
    const count = Math.min(LASTING_POINTS_KEPT[resolution], Math.ceil(seconds / stepS));
    const slot = last - count + 1;
    const series = totalSeries(scope);
    const firstDayS = (store.ever(series)?.firstDay ?? Infinity) * DAY_S;
    // Within the first day its points tell when it began.
    const isFirst = firstDayS > slot * stepS - DAY_S;
    const first = isFirst ? Math.min(slot, Math.floor(firstDayS / stepS)) : slot;
    const points = await store.lastingPoints(series, resolution, { first, last });
    const begin = isFirst ? (points[0]?.point ?? last + 1) : slot;
    const rates: (Rates | null)[] = Array.from({ length: count }, (_, index) =>
      slot + index < begin ? null : { down: 0, up: 0 },
    );
    for (const { point, down, up } of points) {
      if (point < slot) continue;
      const lengthS = point === last ? Math.max(LEAST_OF_POINT_S, nowS - last * stepS) : stepS;
      rates[point - slot] = { down: down / lengthS, up: up / lengthS };
    }
    return { stepS, slot, rates };
  }
}

/** All shares that run have the rates of the torrent. */
function fastest(shares: readonly (Rates | null)[]): Rates | null {
  return shares.reduce(
    (best, rates) => (rates && (!best || rates.down + rates.up > best.down + best.up) ? rates : best),
    null,
  );
}

/** The means of so many steps each, which begin where they begin at any other moment too: a graph does not flicker. */
function merged({ stepS, slot, rates }: Steps, factor: number): Steps {
  if (factor <= 1) return { stepS, slot, rates };
  const first = Math.floor(slot / factor);
  const sums: { down: number; up: number; known: number }[] = [];
  for (const [index, each] of rates.entries()) {
    const sum = (sums[Math.floor((slot + index) / factor) - first] ??= { down: 0, up: 0, known: 0 });
    if (!each) continue;
    sum.down += each.down;
    sum.up += each.up;
    sum.known++;
  }
  const means = sums.map(({ down, up, known }) => (known === 0 ? null : { down: down / known, up: up / known }));
  return { stepS: stepS * factor, slot: first, rates: means };
}

function toDto({ stepS, slot, rates }: Steps): RatesDto {
  const column = (way: keyof Rates) => rates.map((each) => each && Math.round(each[way]));
  return { step: stepS, from: slot * stepS, down: column('down'), up: column('up') };
}
