// The RateMinutes within the environment of what was moved (lmdb-traffic-history.ts): a record holds all names of a minute.
import type { Database } from 'lmdb';
import type { ReopeningEnvironment } from './lmdb-reopening.js';
import type { RatesRecord, TrafficTables } from './lmdb-traffic-tables.js';
import { SECONDS_KEPT_MIN, TENS_KEPT_MIN, type MinuteOfRates, type RateMinutes } from './rate-minutes.js';

export class LmdbRateMinutes implements RateMinutes {
  constructor(private readonly environment: ReopeningEnvironment<TrafficTables>) {}

  put(minute: number, rates: ReadonlyMap<string, MinuteOfRates>): Promise<void> {
    return this.environment.commit('rates', () => {
      const { seconds, tens } = this.environment.tables;
      seconds.putSync(
        minute,
        [...rates].map(([name, each]) => [name, [...each.seconds]]),
      );
      tens.putSync(
        minute,
        [...rates].map(([name, each]) => [name, [...each.tens]]),
      );
      keepOnly(seconds, minute, SECONDS_KEPT_MIN);
      keepOnly(tens, minute, TENS_KEPT_MIN);
    });
  }

  *all(): Iterable<readonly [number, ReadonlyMap<string, MinuteOfRates>]> {
    const { seconds: ofSeconds, tens: ofTens } = this.environment.tables;
    for (const { key: minute, value } of ofTens.getRange()) {
      const seconds = new Map(ofSeconds.get(minute));
      yield [minute, new Map(value.map(([name, tens]) => [name, { seconds: seconds.get(name) ?? [], tens }]))];
    }
  }
}

function keepOnly(database: Database<RatesRecord, number>, newest: number, kept: number): void {
  for (const minute of [...database.getKeys({ end: newest - kept + 1 })]) database.removeSync(minute);
  for (const minute of [...database.getKeys({ start: newest + 1 })]) database.removeSync(minute);
}
