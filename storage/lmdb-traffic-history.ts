// The TrafficHistory on LMDB, small by what it leaves out: each series has a number, and one value holds a point of 4,000
// of them (traffic-page.ts). Points, counters and numbers change in one transaction, so that after an end at any moment
// bytes are either counted with the counter that says so, or not at all. Owns: a name has one number, never given twice.
import { setImmediate as othersRan } from 'node:timers/promises';
import type { Database } from 'lmdb';
import { LmdbRateMinutes } from './lmdb-rate-minutes.js';
import { ReopeningEnvironment } from './lmdb-reopening.js';
import { TrafficTables, type EverStored, type Numbered, type PageKey } from './lmdb-traffic-tables.js';
import {
  LASTING_POINTS_KEPT,
  pointAt,
  POINTS_KEPT,
  type Ever,
  type LastingResolution,
  type Moved,
  type Point,
  type Range,
  type Resolution,
  type TrafficBatch,
  type TrafficHistory,
} from './traffic-history.js';
import { decodePage, encodePage, findInPage, SERIES_IN_PAGE, type Page } from './traffic-page.js';

/** Measured: 2 ms where all that is in them was moved; requests are answered in between. */
const PAGES_AT_A_TIME = 16;
/** Series that moved something lately; a hundred bytes each. */
const MAX_NUMBERS_KNOWN = 50_000;
const NEXT_NUMBER = 'next';
const NOTHING: Moved = { down: 0, up: 0 };
const LASTING = ['5min', 'hour'] as const;

/** Creates what is not there yet. @throws AppError `STORAGE_TOO_NEW`, `STORAGE_FAILED` */
export function openTrafficHistory(dir: string): TrafficHistory {
  return new LmdbTrafficHistory(new ReopeningEnvironment('traffic history', () => new TrafficTables(dir)));
}

class LmdbTrafficHistory implements TrafficHistory {
  readonly rates: LmdbRateMinutes;
  /** Counters as they are stored: while torrents load, all are asked for. Empty after each change. */
  readonly #known = new Map<number, Page>();
  /** Numbers as they are stored, or are about to be. */
  readonly #numbers = new Map<string, Numbered>();

  constructor(private readonly environment: ReopeningEnvironment<TrafficTables>) {
    this.rates = new LmdbRateMinutes(environment);
  }

  get #tables(): TrafficTables {
    return this.environment.tables;
  }

  add(batches: readonly TrafficBatch[]): Promise<void> {
    return this.#commit(() => {
      for (const batch of batches) this.#add(batch);
    });
  }

  counted(series: string): Moved | null {
    const numbered = this.#tables.names.get(series);
    if (!numbered) return null;
    const [page, place] = placeOf(numbered[0]);
    const known = this.#known.get(page) ?? this.#read(this.#tables.counters, page);
    this.#known.set(page, known);
    return known.get(place) ?? null;
  }

  points(series: string, resolution: Resolution, range: Range): Promise<Point[]> {
    return this.#pointsIn((tables) => tables.points[resolution], series, range);
  }

  lastingPoints(series: string, resolution: LastingResolution, range: Range): Promise<Point[]> {
    return this.#pointsIn((tables) => tables.lasting[resolution], series, range);
  }

  ever(series: string): Ever | null {
    const stored = this.#tables.ever.get(series) ?? this.#everByDays(series);
    return stored && { down: stored[0], up: stored[1], firstDay: stored[2] };
  }

  async #pointsIn(
    pagesOf: (tables: TrafficTables) => Database<Buffer, PageKey>,
    series: string,
    { first, last }: Range,
  ): Promise<Point[]> {
    const numbered = this.#tables.names.get(series);
    if (!numbered) return [];
    const [page, place] = placeOf(numbered[0]);
    const points: Point[] = [];
    for (let point = first; point <= last; point++) {
      if ((point - first) % PAGES_AT_A_TIME === PAGES_AT_A_TIME - 1) await othersRan();
      const bytes = pagesOf(this.#tables).get([point, page]);
      const moved = bytes && findInPage(bytes, place);
      if (moved) points.push({ point, ...moved });
    }
    return points;
  }

  async sums(series: Iterable<string>, resolution: Resolution, { first, last }: Range): Promise<Map<string, Moved>> {
    const places = this.#placesOf(series);
    const sums = new Map<string, Moved>();
    let read = 0;
    for (const [page, names] of places) {
      for (let point = first; point <= last; point++) {
        if (++read % PAGES_AT_A_TIME === 0) await othersRan();
        const bytes = this.#tables.points[resolution].get([point, page]);
        if (!bytes) continue;
        for (const [place, moved] of decodePage(bytes)) {
          const name = names.get(place);
          if (name !== undefined) sums.set(name, plus(sums.get(name), moved));
        }
      }
    }
    return sums;
  }

  names(prefix: string): string[] {
    return [...this.#tables.names.getKeys({ start: prefix, end: `${prefix}\uffff` })];
  }

  trim(unixS: number): Promise<void> {
    return this.#commit(() => {
      for (const resolution of ['day', '5min'] as const) {
        const oldest = pointAt(resolution, unixS) - POINTS_KEPT[resolution] + 1;
        const pages = this.#tables.points[resolution];
        for (const key of [...pages.getKeys({ end: [oldest, 0] })]) pages.removeSync(key);
      }
      for (const resolution of LASTING) {
        const oldest = pointAt(resolution, unixS) - LASTING_POINTS_KEPT[resolution] + 1;
        const pages = this.#tables.lasting[resolution];
        for (const key of [...pages.getKeys({ end: [oldest, 0] })]) pages.removeSync(key);
      }
      this.#numbers.clear();
      const oldestDay = pointAt('day', unixS) - POINTS_KEPT.day + 1;
      const unused = [...this.#tables.names.getRange()].filter(({ value: [, day] }) => day < oldestDay);
      for (const { key } of unused) if (this.#isUnneeded(key)) this.#tables.names.removeSync(key);
    });
  }

  async close(): Promise<void> {
    await this.environment.close();
  }

  /** Inside a transaction, as all that follows and writes. */
  #add({ at, forgotten, moved, counters, lasting = [] }: TrafficBatch): void {
    const points = { day: pointAt('day', at), '5min': pointAt('5min', at) };
    for (const name of forgotten) this.#forget(name, points);
    const deltas = new Map<number, Map<number, Moved>>();
    const readings = new Map<number, Map<number, Moved>>();
    for (const [name, bytes] of moved) this.#note(deltas, this.#numberOf(name, points.day), bytes);
    this.#addLasting(at, lasting, moved);
    for (const [name, bytes] of counters) this.#note(readings, this.#numberOf(name, points.day), bytes);
    for (const [page, changes] of deltas) {
      for (const resolution of ['day', '5min'] as const) {
        const key: PageKey = [points[resolution], page];
        const sums = this.#read(this.#tables.points[resolution], key);
        for (const [place, bytes] of changes) sums.set(place, plus(sums.get(place), bytes));
        this.#tables.points[resolution].putSync([...key], encodePage(sums));
      }
    }
    for (const [page, changes] of readings) {
      this.#tables.counters.putSync(
        page,
        encodePage(new Map([...this.#read(this.#tables.counters, page), ...changes])),
      );
    }
  }

  /** Before the days know of it: what they have is where the sum of a series begins that was not lasting before. */
  #addLasting(at: number, names: Iterable<string>, moved: ReadonlyMap<string, Moved>): void {
    const deltas = new Map<number, Map<number, Moved>>();
    const day = pointAt('day', at);
    for (const name of names) {
      const bytes = moved.get(name);
      if (!bytes) continue;
      this.#note(deltas, this.#numberOf(name, day), bytes);
      const [down, up, firstDay] = this.#tables.ever.get(name) ?? this.#everByDays(name) ?? [0, 0, day];
      this.#tables.ever.putSync(name, [down + bytes.down, up + bytes.up, firstDay]);
    }
    for (const [page, changes] of deltas) {
      for (const resolution of LASTING) {
        const key: PageKey = [pointAt(resolution, at), page];
        const sums = this.#read(this.#tables.lasting[resolution], key);
        for (const [place, bytes] of changes) sums.set(place, plus(sums.get(place), bytes));
        this.#tables.lasting[resolution].putSync([...key], encodePage(sums));
      }
    }
  }

  /** null: nothing was moved on the days that are kept. */
  #everByDays(series: string): EverStored | null {
    const numbered = this.#tables.names.get(series);
    if (!numbered) return null;
    const [page, place] = placeOf(numbered[0]);
    let sum: EverStored | null = null;
    for (const { key, value } of this.#tables.points.day.getRange()) {
      const moved = key[1] === page ? findInPage(value, place) : null;
      if (moved) sum = [(sum?.[0] ?? 0) + moved.down, (sum?.[1] ?? 0) + moved.up, sum?.[2] ?? key[0]];
    }
    return sum;
  }

  /** The bytes of today go with it: one that comes and goes all day long leaves nothing. */
  #forget(name: string, points: { readonly [Name in Resolution]: number }): void {
    const numbered = this.#tables.names.get(name);
    if (!numbered) return;
    const [page, place] = placeOf(numbered[0]);
    this.#tables.names.removeSync(name);
    this.#numbers.delete(name);
    const without = <Key extends number | PageKey>(database: Database<Buffer, Key>, key: () => Key): void => {
      const rest = this.#read(database, key());
      if (rest.delete(place)) database.putSync(key(), encodePage(rest));
    };
    without(this.#tables.counters, () => page);
    for (const resolution of ['day', '5min'] as const) {
      without(this.#tables.points[resolution], () => [points[resolution], page]);
    }
  }

  #numberOf(name: string, day: number): number {
    const known = this.#numbers.get(name) ?? this.#tables.names.get(name);
    const number = known?.[0] ?? this.#tables.meta.get(NEXT_NUMBER) ?? 0;
    const now: Numbered = known && known[1] >= day ? known : [number, day];
    if (!known) this.#tables.meta.putSync(NEXT_NUMBER, number + 1);
    if (now !== known) this.#tables.names.putSync(name, [...now]);
    this.#numbers.set(name, now);
    return number;
  }

  #note(pages: Map<number, Map<number, Moved>>, number: number, moved: Moved): void {
    const [page, place] = placeOf(number);
    const changes = pages.get(page) ?? new Map<number, Moved>();
    pages.set(page, changes.set(place, moved));
  }

  /** Whether nothing is left of the series: of a lasting one there is the sum, and hours that are kept longer than days. */
  #isUnneeded(name: string): boolean {
    return this.counted(name) === null && this.#tables.ever.get(name) === undefined;
  }

  #read<Key extends number | PageKey>(database: Database<Buffer, Key>, key: Key): Page {
    const bytes = database.get(key);
    return bytes ? decodePage(bytes) : new Map();
  }

  #placesOf(series: Iterable<string>): Map<number, Map<number, string>> {
    const places = new Map<number, Map<number, string>>();
    for (const name of series) {
      const numbered = this.#tables.names.get(name);
      if (!numbered) continue;
      const [page, place] = placeOf(numbered[0]);
      places.set(page, (places.get(page) ?? new Map<number, string>()).set(place, name));
    }
    return places;
  }

  async #commit(change: () => void): Promise<void> {
    this.#known.clear();
    if (this.#numbers.size > MAX_NUMBERS_KNOWN) this.#numbers.clear();
    try {
      await this.environment.commit('traffic history', change);
    } catch (error) {
      this.#numbers.clear();
      throw error;
    } finally {
      this.#known.clear();
    }
  }
}

function placeOf(number: number): [page: number, place: number] {
  return [Math.floor(number / SERIES_IN_PAGE), number % SERIES_IN_PAGE];
}

function plus(sum: Moved = NOTHING, { down, up }: Moved): Moved {
  return { down: sum.down + down, up: sum.up + up };
}
