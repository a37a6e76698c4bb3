// The sub-databases of the history of what was moved.
import type { Database, RootDatabase } from 'lmdb';
import { openEnvironment } from './lmdb-environment.js';
import type { LastingResolution, Resolution } from './traffic-history.js';

const KIND = { name: 'traffic history', version: 1, maxDbs: 16 };

export type PageKey = [point: number, page: number];
/** Bytes that a lasting series ever moved, and the first day of it. */
export type EverStored = readonly [down: number, up: number, firstDay: number];
/** The number of a series, and the last day on which something of it was moved. */
export type Numbered = readonly [number: number, day: number];
/** All names of a minute. */
export type RatesRecord = [name: string, rates: number[]][];

export class TrafficTables {
  readonly root: RootDatabase;
  readonly names: Database<Numbered, string>;
  readonly counters: Database<Buffer, number>;
  readonly meta: Database<number, string>;
  readonly points: { readonly [Name in Resolution]: Database<Buffer, PageKey> };
  readonly lasting: { readonly [Name in LastingResolution]: Database<Buffer, PageKey> };
  readonly ever: Database<EverStored, string>;
  readonly seconds: Database<RatesRecord, number>;
  readonly tens: Database<RatesRecord, number>;

  /** Creates what is not there yet. @throws AppError `STORAGE_TOO_NEW`, `STORAGE_FAILED` */
  constructor(dir: string) {
    const root = (this.root = openEnvironment(dir, KIND));
    const pages = (name: string) => root.openDB<Buffer, PageKey>({ name, encoding: 'binary' });
    this.names = root.openDB<Numbered, string>({ name: 'names' });
    this.counters = root.openDB<Buffer, number>({ name: 'counters', encoding: 'binary' });
    this.meta = root.openDB<number, string>({ name: 'meta' });
    this.points = { day: pages('days'), '5min': pages('five-minutes') };
    this.lasting = { '5min': pages('lasting-five-minutes'), hour: pages('lasting-hours') };
    this.ever = root.openDB<EverStored, string>({ name: 'ever' });
    this.seconds = root.openDB<RatesRecord, number>({ name: 'rates-of-seconds' });
    this.tens = root.openDB<RatesRecord, number>({ name: 'rates-of-ten-seconds' });
  }
}
