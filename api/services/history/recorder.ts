// Counts what torrents move, and stores it. Every few seconds it looks which rows of the stats table were written (shared
// memory, docs/decisions/0018-numbers-in-shared-memory.md) and counts what their counters have gained; once a minute that
// becomes one transaction, with the counters up to which it is counted. So neither an end of the process nor another engine
// makes a byte count twice: what a counter has gained meanwhile is counted when it is seen again, and one that went back
// begins anew. Clocks only say which point bytes belong to, never how many there are.
import { setImmediate as othersRan } from 'node:timers/promises';
import type { LogMark } from '../../../shared-protocol/change-log.js';
import type { EngineClient } from '../../../shared-protocol/commands.js';
import type { EngineEvent } from '../../../shared-protocol/events.js';
import { parseInfoHash, type TorrentId } from '../../../shared-protocol/ids.js';
import { emptyStats } from '../../../shared-protocol/stats-table.js';
import { pointAt, type Moved, type TrafficHistory } from '../../../storage/traffic-history.js';
import type { Clock } from '../../clocks.js';
import type { Engines } from '../../engines/engines.js';
import type { Log } from '../../logging.js';
import type { BackgroundService } from '../background-service.js';
import type { Library } from '../library/library.js';
import type { ListedTorrent } from '../library/shares.js';
import { MovedByAccount } from './moved-by-account.js';
import { UnstoredBytes } from './unstored-bytes.js';
import { Readings } from './readings.js';
import { bounded } from './series-bounds.js';
import { TORRENT_PREFIX, torrentSeries, type Scope } from './series-name.js';
import { SteadyClock } from '../steady-clock.js';

const SECOND_MS = 1_000;
/** A look costs what was written since the one before, or, where that was too much to be known, 4 ms for 10,000 torrents. */
export const LOOK_MS = 10 * SECOND_MS;
/** How much of what was counted a SIGKILL may move to the point after the next start. */
export const STORE_MS = 60 * SECOND_MS;
/** Answers show what was stored so shortly before. */
export const FRESH_MS = 5 * SECOND_MS;
/** Waiting for an engine must not keep the process from ending in time. */
const PATIENCE_MS = 2_000;
/** Torrents looked at before others have their turn. */
const LOOKED_AT_AT_A_TIME = 2_000;
/** Torrents whose trackers are asked for in one command: a millisecond of the engine's thread. */
const ASKED_AT_A_TIME = 500;
const NOTHING: Moved = { down: 0, up: 0 };

export interface TrafficRecorderDeps {
  readonly store: TrafficHistory;
  readonly engine: { readonly client: Pick<EngineClient, 'workingTrackers'> };
  readonly engines: Pick<Engines, 'isWhole'>;
  readonly library: Pick<Library, 'all' | 'find' | 'stats'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
}

export class TrafficRecorder implements BackgroundService {
  readonly #readings = new Readings();
  /** The first readings of torrents that have moved nothing since: the store knows nothing of them yet. */
  readonly #begun = new Map<TorrentId, Moved>();
  /** By row of the stats table, of the torrent that was given it last. */
  readonly #idOfRow: TorrentId[] = [];
  #lookedUpTo: LogMark | null = null;
  readonly #sinceStart = new MovedByAccount();
  readonly #steady = new SteadyClock();
  readonly #stats = emptyStats();
  #unstored: UnstoredBytes;
  /** On its way to the store. */
  #leaving: UnstoredBytes | null = null;
  #storing: Promise<void> | null = null;
  #storedAtMs = -Infinity;
  #trimmedDay = -1;
  #hasFailed = false;
  #hasForgotten = false;
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<void> | null = null;

  constructor(private readonly deps: TrafficRecorderDeps) {
    this.#unstored = this.#begin();
  }

  /** Before the library hears of it: what was moved until then is counted as the torrent was then. */
  handleEvent(event: EngineEvent): void {
    const { library } = this.deps;
    switch (event.name) {
      // One that was never counted begins with what it has: that was moved before anything was counted.
      case 'torrents.added':
        for (const facts of event.payload.torrents) this.#look(facts);
        return;
      case 'torrent.changed': {
        const known = library.find(event.payload.facts.id);
        if (known) this.#look(known);
        return;
      }
      case 'torrent.removed': {
        const { id, moved } = event.payload;
        const known = library.find(id);
        if (known && moved) this.#count(known, 0, moved);
        this.#begun.delete(id);
        this.#unstored.forget(id);
        return;
      }
      case 'stats.table':
      case 'log':
        return;
    }
  }

  start(): void {
    this.#forgetMissing();
    this.#timer = setInterval(() => void this.tick(), LOOK_MS);
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    await this.#looking;
    await this.#storing;
    this.#lookAtAll();
    await this.#store();
  }

  /** Bytes since the process began, as far as they were counted. */
  movedBy(scope: Scope): Moved {
    return this.#sinceStart.of(scope);
  }

  /** Stores what has been counted, unless that was done just now; for who looks at it. Never rejects. */
  async settle(): Promise<void> {
    if (this.deps.clock.nowMs() - this.#storedAtMs < FRESH_MS) return this.#storing ?? undefined;
    this.#lookAtAll();
    await this.#store();
  }

  /** Looks at what was written since the last time, and stores it when that is due. Never rejects. */
  async tick(): Promise<void> {
    if (this.#looking) return;
    this.#forgetMissing();
    this.#looking = this.#lookInTurns().finally(() => (this.#looking = null));
    await this.#looking;
    const { clock } = this.deps;
    const hasTurned = pointAt('5min', this.#now()) !== pointAt('5min', this.#unstored.at);
    if (hasTurned || clock.nowMs() - this.#storedAtMs >= STORE_MS) await this.#store();
    if (this.#steady.isSteady(clock.nowMs(), clock.unixMs())) await this.#trim();
  }

  async #lookInTurns(): Promise<void> {
    let looked = 0;
    for (const torrent of this.#written()) {
      if (++looked % LOOKED_AT_AT_A_TIME === 0) await othersRan();
      this.#look(torrent);
    }
  }

  #lookAtAll(): void {
    for (const torrent of this.#written()) this.#look(torrent);
  }

  /** Torrents whose rows were written since the look before, as far as that is known; else all. */
  #written(): Iterable<ListedTorrent> {
    const { library } = this.deps;
    const before = this.#lookedUpTo;
    const now = (this.#lookedUpTo = library.stats.changes?.mark() ?? null);
    const rows = before && now && now.log.rowsBetween(before, now);
    if (!rows) return library.all;
    return [...rows].flatMap((row) => library.find(this.#idOfRow[row]!) ?? []);
  }

  #look(torrent: ListedTorrent): void {
    const { row, rowTag } = torrent;
    const { stats } = this.deps.library;
    const sequence = stats.sequence(row);
    if (this.#readings.isRead(row, rowTag, sequence)) return;
    if (!stats.read(row, rowTag, this.#stats)) return;
    this.#count(torrent, sequence, { down: this.#stats.totalDown, up: this.#stats.totalUp });
  }

  #count(torrent: ListedTorrent, sequence: number, reading: Moved): void {
    const { row, rowTag, id } = torrent;
    if (!this.#readings.isKnown(row, rowTag)) {
      this.#readings.begin(row, rowTag, this.#countedOf(id) ?? this.#beginningOf(id, reading));
      this.#idOfRow[row] = id;
    }
    const moved = this.#readings.advance(row, sequence, reading);
    if (moved.down === 0 && moved.up === 0) return;
    this.#begun.delete(id);
    this.#unstored.count(torrent, moved, reading);
    this.#sinceStart.count(torrent, moved);
  }

  /** The reading that a torrent begins with which was never counted: of another engine, that of the first. */
  #beginningOf(id: TorrentId, reading: Moved): Moved {
    const before = this.#begun.get(id);
    if (!before) this.#begun.set(id, reading.down === 0 && reading.up === 0 ? NOTHING : reading);
    return before ?? reading;
  }

  /** Up to where its bytes are counted: stored, or on their way to the store. */
  #countedOf(id: TorrentId): Moved | null {
    return this.#unstored.readingOf(id) ?? this.#leaving?.readingOf(id) ?? this.deps.store.counted(torrentSeries(id));
  }

  /** One at a time. Never rejects: what could not be stored stays, and is counted to a later moment. */
  #store(): Promise<void> {
    this.#storing ??= this.#storeNow().finally(() => (this.#storing = null));
    return this.#storing;
  }

  async #storeNow(): Promise<void> {
    const { store, clock, log } = this.deps;
    const leaving = this.#unstored;
    this.#unstored = this.#begin();
    this.#storedAtMs = clock.nowMs();
    if (leaving.isEmpty) return;
    this.#leaving = leaving;
    try {
      const batch = leaving.toBatch(await this.#workingTrackers(leaving.torrents));
      await store.add([bounded(batch, (prefix) => new Set(store.names(prefix)))]);
      this.#hasFailed = false;
    } catch (error) {
      this.#unstored.takeIn(leaving);
      if (!this.#hasFailed) log.warn('traffic not recorded', { reason: String(error) });
      this.#hasFailed = true;
    } finally {
      this.#leaving = null;
    }
  }

  /** Without an engine that answers each torrent's first tracker stands for it. */
  async #workingTrackers(ids: readonly TorrentId[]): Promise<ReadonlyMap<TorrentId, readonly string[]>> {
    const working = new Map<TorrentId, readonly string[]>();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, PATIENCE_MS)));
    await Promise.race([late, this.#askForTrackers(ids, working)]);
    clearTimeout(timer);
    return new Map(working);
  }

  async #askForTrackers(ids: readonly TorrentId[], working: Map<TorrentId, readonly string[]>): Promise<void> {
    try {
      for (let from = 0; from < ids.length; from += ASKED_AT_A_TIME) {
        const some = ids.slice(from, from + ASKED_AT_A_TIME);
        const hosts = await this.deps.engine.client.workingTrackers({ ids: some });
        some.forEach((id, index) => working.set(id, hosts[index] ?? []));
      }
    } catch {
      // Said where the engine is supervised.
    }
  }

  /** Once a day what is too old goes. */
  async #trim(): Promise<void> {
    const { store, log } = this.deps;
    const day = pointAt('day', this.#now());
    if (day === this.#trimmedDay) return;
    this.#trimmedDay = day;
    try {
      await store.trim(this.#now());
    } catch (error) {
      log.warn('traffic history not trimmed', { reason: String(error) });
    }
  }

  /** Torrents that were removed when nothing could be recorded; once all that there are is known. */
  #forgetMissing(): void {
    const { store, library, engines } = this.deps;
    if (this.#hasForgotten || !engines.isWhole) return;
    this.#hasForgotten = true;
    for (const series of store.names(TORRENT_PREFIX)) {
      if (!library.find(parseInfoHash(series.slice(TORRENT_PREFIX.length)))) this.#unstored.forgetSeries(series);
    }
  }

  #begin(): UnstoredBytes {
    return new UnstoredBytes(this.#now());
  }

  /** Unix seconds. */
  #now(): number {
    return Math.floor(this.deps.clock.unixMs() / SECOND_MS);
  }
}
