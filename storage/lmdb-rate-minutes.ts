// The RateMinutes within the environment of what was moved (lmdb-traffic-history.ts): a record holds all names of a minute.
import type { Database, RootDatabase } from 'lmdb';
import { commitFailure } from './lmdb-commit.js';
import { SECONDS_KEPT_MIN, TENS_KEPT_MIN, type MinuteOfRates, type RateMinutes } from './rate-minutes.js';

type Record = [name: string, rates: number[]][];

export class LmdbRateMinutes implements RateMinutes {
  readonly #seconds: Database<Record, number>;
  readonly #tens: Database<Record, number>;

  constructor(private readonly root: RootDatabase) {
    this.#seconds = root.openDB<Record, number>({ name: 'rates-of-seconds' });
    this.#tens = root.openDB<Record, number>({ name: 'rates-of-ten-seconds' });
  }

  async put(minute: number, rates: ReadonlyMap<string, MinuteOfRates>): Promise<void> {
    try {
      await this.root.childTransaction(() => {
        this.#seconds.putSync(
          minute,
          [...rates].map(([name, { seconds }]) => [name, [...seconds]]),
        );
        this.#tens.putSync(
          minute,
          [...rates].map(([name, { tens }]) => [name, [...tens]]),
        );
        keepOnly(this.#seconds, minute, SECONDS_KEPT_MIN);
        keepOnly(this.#tens, minute, TENS_KEPT_MIN);
      });
    } catch (cause) {
      throw await commitFailure('rates', cause);
    }
  }

  *all(): Iterable<readonly [number, ReadonlyMap<string, MinuteOfRates>]> {
    for (const { key: minute, value } of this.#tens.getRange()) {
      const seconds = new Map(this.#seconds.get(minute));
      yield [minute, new Map(value.map(([name, tens]) => [name, { seconds: seconds.get(name) ?? [], tens }]))];
    }
  }
}

function keepOnly(database: Database<Record, number>, newest: number, kept: number): void {
  for (const minute of [...database.getKeys({ end: newest - kept + 1 })]) database.removeSync(minute);
  for (const minute of [...database.getKeys({ start: newest + 1 })]) database.removeSync(minute);
}
