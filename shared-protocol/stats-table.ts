// The numbers of all torrents in shared memory: a fixed-width row per torrent, written by the engine only, read by
// the main thread without a message. A row is written under a sequence counter (odd while being written), so a
// reader never sees half a row. A row carries the tag of the torrent it was given to, so a reader that is late
// with the news of a removal never takes another torrent's numbers for the old one's. Each table begins with tags of its own,
// so that the same holds for a reader that is late with the news of another engine.
//
// Row (128 bytes): int32 sequence, tag, flags, peers, seeds, queuePosition, swarmSeeds, swarmLeechers, availabilityPerMille,
// workingTracker and checkedPerMille in one (stats-slots.ts); then float64 from byte 40.
import { randomInt } from 'node:crypto';
import { ChangeLogReader, ChangeLogWriter } from './change-log.js';
import { checkedPerMilleIn, packTrackerAndCheck, workingTrackerIn, type TrackerAndCheck } from './stats-slots.js';

export const TORRENT_FLAGS = {
  paused: 1,
  completed: 2,
  queued: 4,
  verifying: 8,
  forceStart: 16,
  sequential: 32,
  filesMissing: 64,
  firstLastFirst: 128,
  /** Files are being brought to another place, or get other names. */
  moving: 256,
} as const;
export type TorrentFlag = keyof typeof TORRENT_FLAGS;

/** One torrent's numbers. Rates in bytes per second of payload; bytes of whole pieces verified. */
export interface TorrentStats extends TrackerAndCheck {
  flags: number;
  peers: number;
  seeds: number;
  queuePosition: number;
  /** Seeds and other peers of the whole swarm, as the tracker that knows of the most peers told last; -1: none has told. */
  swarmSeeds: number;
  swarmLeechers: number;
  /** Thousandths of a copy of the whole among connected peers and us; -1: nobody counts, as nothing is downloaded. */
  availabilityPerMille: number;
  /** Verified bytes of the whole torrent, and of the files that are wanted. */
  bytesDone: number;
  wantedBytes: number;
  wantedDone: number;
  downloadRate: number;
  uploadRate: number;
  /** Over the torrent's lifetime. */
  totalDown: number;
  totalUp: number;
  /** Unix seconds of when payload was last seen to move, either way; 0 when never. */
  lastActivityAt: number;
  /** Seconds for which it has been neither stopped nor checked, up to `countedSince` (active-times.ts). */
  activeSeconds: number;
  /** The part of them for which it was complete. */
  seedingSeconds: number;
  /** Unix seconds from which on the two are counting, the second one while it is complete; 0 while they are not. */
  countedSince: number;
}

type IntStats = Pick<TorrentStats, (typeof INT_FIELDS)[number]> & TrackerAndCheck;

/** A table as readers are given it. */
export interface StatsTable {
  readonly buffer: SharedArrayBuffer;
  /** The log of rows that were written (change-log.ts). */
  readonly changes: SharedArrayBuffer;
}

export const ROW_BYTES = 128;
const ROW_INTS = ROW_BYTES / 4;
const ROW_FLOATS = ROW_BYTES / 8;
const FIRST_CAPACITY = 64;
/** A write takes well below a microsecond. A thread ended inside one leaves its row odd for ever. */
const MAX_READ_TRIES = 100_000;

const SEQUENCE = 0;
const TAG = 1;
/** The tags after it are given out: more of them than any engine adds torrents. */
const MAX_FIRST_TAG = 2 ** 30;
const INT_FIELDS = [
  'flags',
  'peers',
  'seeds',
  'queuePosition',
  'swarmSeeds',
  'swarmLeechers',
  'availabilityPerMille',
] as const;
const FIRST_INT = 2;
const TRACKER_AND_CHECK = 9;
const FLOAT_FIELDS = [
  'bytesDone',
  'wantedBytes',
  'wantedDone',
  'downloadRate',
  'uploadRate',
  'totalDown',
  'totalUp',
  'lastActivityAt',
  'activeSeconds',
  'seedingSeconds',
  'countedSince',
] as const;
const FIRST_FLOAT = 5;

export function emptyStats(): TorrentStats {
  return {
    flags: 0,
    peers: 0,
    seeds: 0,
    queuePosition: 0,
    swarmSeeds: -1,
    swarmLeechers: -1,
    availabilityPerMille: -1,
    workingTracker: -1,
    checkedPerMille: 0,
    bytesDone: 0,
    wantedBytes: 0,
    wantedDone: 0,
    downloadRate: 0,
    uploadRate: 0,
    totalDown: 0,
    totalUp: 0,
    lastActivityAt: 0,
    activeSeconds: 0,
    seedingSeconds: 0,
    countedSince: 0,
  };
}

/** Takes what only holds at the moment out of a row: rates, and who is connected. */
export function clearLive(row: Int32Array): void {
  for (const field of ['peers', 'seeds'] as const) row[FIRST_INT + INT_FIELDS.indexOf(field)] = 0;
  const floats = new Float64Array(row.buffer, row.byteOffset, ROW_FLOATS);
  for (const field of ['downloadRate', 'uploadRate'] as const) floats[FIRST_FLOAT + FLOAT_FIELDS.indexOf(field)] = 0;
}

/** Whether a row of another process has numbers that can be added up: after one that is none, or is without end, no sum is one. */
export function areFigures(row: Int32Array): boolean {
  const floats = new Float64Array(row.buffer, row.byteOffset, ROW_FLOATS);
  return floats.subarray(FIRST_FLOAT).every((figure) => Math.abs(figure) <= Number.MAX_SAFE_INTEGER);
}

/** A rate in a row, in bytes per second. */
export function rateIn(row: Int32Array, field: 'downloadRate' | 'uploadRate'): number {
  const floats = new Float64Array(row.buffer, row.byteOffset, ROW_FLOATS);
  return floats[FIRST_FLOAT + FLOAT_FIELDS.indexOf(field)]!;
}

/** The engine's side. Rows are given out and taken back; freed rows are used again before the table grows. */
export class StatsWriter {
  #ints: Int32Array;
  #floats: Float64Array;
  #buffer: SharedArrayBuffer;
  #used = 0;
  #nextTag = randomInt(1, MAX_FIRST_TAG);
  readonly #free: number[] = [];
  readonly #changes = new ChangeLogWriter();

  /** `onTable` is told of the first table and of each larger one that replaces it. */
  constructor(private readonly onTable: (table: StatsTable) => void) {
    this.#buffer = new SharedArrayBuffer(FIRST_CAPACITY * ROW_BYTES);
    this.#ints = new Int32Array(this.#buffer);
    this.#floats = new Float64Array(this.#buffer);
    onTable(this.table);
  }

  get table(): StatsTable {
    return { buffer: this.#buffer, changes: this.#changes.buffer };
  }

  allocate(): { row: number; tag: number } {
    if (this.#free.length === 0 && this.#used * ROW_BYTES === this.#buffer.byteLength) this.#grow();
    const row = this.#free.pop() ?? this.#used++;
    const tag = this.#nextTag++;
    this.#ints[row * ROW_INTS + TAG] = tag;
    // Also where the numbers are those of the torrent before: whose they are is news.
    this.#put(row, emptyStats());
    return { row, tag };
  }

  release(row: number): void {
    this.#ints[row * ROW_INTS + TAG] = 0;
    this.#free.push(row);
  }

  /** Writes numbers that differ from those in the row: readers take every write for news. */
  write(row: number, stats: Readonly<TorrentStats>): void {
    if (!this.#holds(row, stats)) this.#put(row, stats);
  }

  #put(row: number, stats: Readonly<TorrentStats>): void {
    const ints = this.#ints;
    const floats = this.#floats;
    const at = row * ROW_INTS;
    const sequence = ints[at + SEQUENCE]!;
    Atomics.store(ints, at + SEQUENCE, (sequence + 1) | 0);
    for (let i = 0; i < INT_FIELDS.length; i++) ints[at + FIRST_INT + i] = stats[INT_FIELDS[i]!];
    ints[at + TRACKER_AND_CHECK] = packTrackerAndCheck(stats);
    const floatsAt = row * ROW_FLOATS + FIRST_FLOAT;
    for (let i = 0; i < FLOAT_FIELDS.length; i++) floats[floatsAt + i] = stats[FLOAT_FIELDS[i]!];
    Atomics.store(ints, at + SEQUENCE, (sequence + 2) | 0);
    this.#changes.add(row);
  }

  /** Writes these numbers of the row alone. */
  writeSome(row: number, some: Readonly<Partial<IntStats>>): void {
    const at = row * ROW_INTS;
    const ints = this.#ints;
    const isNews = (value: number | undefined, i: number) => value !== undefined && ints[at + FIRST_INT + i] !== value;
    const values = INT_FIELDS.map((field) => some[field]);
    const packed = ints[at + TRACKER_AND_CHECK]!;
    const { workingTracker = workingTrackerIn(packed), checkedPerMille = checkedPerMilleIn(packed) } = some;
    const repacked = packTrackerAndCheck({ workingTracker, checkedPerMille });
    if (repacked === packed && !values.some(isNews)) return;
    const sequence = ints[at + SEQUENCE]!;
    Atomics.store(ints, at + SEQUENCE, (sequence + 1) | 0);
    for (let i = 0; i < values.length; i++) if (values[i] !== undefined) ints[at + FIRST_INT + i] = values[i]!;
    ints[at + TRACKER_AND_CHECK] = repacked;
    Atomics.store(ints, at + SEQUENCE, (sequence + 2) | 0);
    this.#changes.add(row);
  }

  #holds(row: number, stats: Readonly<TorrentStats>): boolean {
    const intsAt = row * ROW_INTS + FIRST_INT;
    const floatsAt = row * ROW_FLOATS + FIRST_FLOAT;
    if (this.#ints[row * ROW_INTS + TRACKER_AND_CHECK] !== packTrackerAndCheck(stats)) return false;
    for (let i = 0; i < INT_FIELDS.length; i++) if (this.#ints[intsAt + i] !== stats[INT_FIELDS[i]!]) return false;
    for (let i = 0; i < FLOAT_FIELDS.length; i++) {
      if (this.#floats[floatsAt + i] !== stats[FLOAT_FIELDS[i]!]) return false;
    }
    return true;
  }

  #grow(): void {
    const larger = new SharedArrayBuffer(this.#buffer.byteLength * 2);
    new Uint8Array(larger).set(new Uint8Array(this.#buffer));
    this.#buffer = larger;
    this.#ints = new Int32Array(larger);
    this.#floats = new Float64Array(larger);
    this.onTable(this.table);
  }
}

/** The main thread's side. */
export class StatsReader {
  #ints: Int32Array = new Int32Array(0);
  #floats: Float64Array = new Float64Array(0);
  #changes: ChangeLogReader | null = null;

  /** Called for every `stats.table` event. */
  attach({ buffer, changes }: StatsTable): void {
    this.#ints = new Int32Array(buffer);
    this.#floats = new Float64Array(buffer);
    this.#changes = new ChangeLogReader(changes);
  }

  /** Another one for each table; null without any. */
  get changes(): ChangeLogReader | null {
    return this.#changes;
  }

  /** Changes whenever the row was written; for caches. */
  sequence(row: number): number {
    const at = row * ROW_INTS + SEQUENCE;
    return at < this.#ints.length ? Atomics.load(this.#ints, at) : 0;
  }

  /**
   * Whether none of the rows was written since its sequence was looked at; for caches of many. Plain loads, an eighth of
   * the time: what is missed by a moment is seen at the next look.
   */
  areUnchanged(rows: readonly number[], sequences: readonly number[]): boolean {
    const ints = this.#ints;
    for (let i = 0; i < rows.length; i++) {
      const at = rows[i]! * ROW_INTS + SEQUENCE;
      if ((at < ints.length ? ints[at] : 0) !== sequences[i]) return false;
    }
    return true;
  }

  /** Fills `into`; false when the row belongs to another torrent by now, or to none, or its writer died in it. */
  read(row: number, tag: number, into: TorrentStats): boolean {
    const at = row * ROW_INTS;
    if (at >= this.#ints.length) return false;
    const floatsAt = row * ROW_FLOATS + FIRST_FLOAT;
    for (let tries = 0; tries < MAX_READ_TRIES; tries++) {
      const before = Atomics.load(this.#ints, at + SEQUENCE);
      if (before & 1) continue;
      for (let i = 0; i < INT_FIELDS.length; i++) into[INT_FIELDS[i]!] = this.#ints[at + FIRST_INT + i]!;
      const packed = this.#ints[at + TRACKER_AND_CHECK]!;
      into.workingTracker = workingTrackerIn(packed);
      into.checkedPerMille = checkedPerMilleIn(packed);
      for (let i = 0; i < FLOAT_FIELDS.length; i++) into[FLOAT_FIELDS[i]!] = this.#floats[floatsAt + i]!;
      const owner = this.#ints[at + TAG];
      if (Atomics.load(this.#ints, at + SEQUENCE) === before) return owner === tag;
    }
    return false;
  }
}
