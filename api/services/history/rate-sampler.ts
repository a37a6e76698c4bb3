// Samples the rates of all torrents each second, so that whoever opens a graph finds what was before. Only torrents whose
// rows were written since the look before, and those that moved something then, are looked at: a service at rest does
// nothing. Each minute what was sampled is stored; a SIGKILL takes the last one away.
import { setImmediate as othersRan } from 'node:timers/promises';
import type { LogMark } from '../../../shared-protocol/change-log.js';
import { parseAccountId, type TorrentId } from '../../../shared-protocol/ids.js';
import { emptyStats } from '../../../shared-protocol/stats-table.js';
import type { MinuteOfRates } from '../../../storage/rate-minutes.js';
import type { TrafficHistory } from '../../../storage/traffic-history.js';
import { unixSecondsOf, type Clock } from '../../clocks.js';
import type { Log } from '../../logging.js';
import type { BackgroundService } from '../background-service.js';
import type { Library } from '../library/library.js';
import { sharesOf, type ListedTorrent } from '../library/shares.js';
import { countedFor } from './attribution.js';
import { RateRings, shareKey, type ShareKey } from './rate-rings.js';
import type { Rates } from './rate-ring.js';
import type { Scope } from './series-name.js';

const SAMPLE_MS = 1_000;
const MINUTE_S = 60;
/** Torrents looked at before others have their turn: less than a millisecond. */
const LOOKED_AT_AT_A_TIME = 2_000;

export interface RateSamplerDeps {
  readonly store: Pick<TrafficHistory, 'rates'>;
  readonly library: Pick<Library, 'all' | 'find' | 'stats'>;
  readonly clock: Pick<Clock, 'unixMs'>;
  readonly log: Pick<Log, 'warn'>;
}

/** A torrent that moves, and to whom what it moves is counted: the same for as long as its facts are the same object. */
interface Moving {
  readonly torrent: ListedTorrent;
  readonly scopes: readonly Scope[];
  readonly shares: readonly ShareKey[];
}

export class RateSampler implements BackgroundService {
  readonly rings = new RateRings();
  readonly #stats = emptyStats();
  #lookedUpTo: LogMark | null = null;
  /** Torrents that moved something when they were looked at last. */
  #moving: ReadonlyMap<TorrentId, Moving> = new Map();
  /** By row of the stats table, as far as it was needed. */
  #idOfRow = new Map<number, TorrentId>();
  /** Unix minute of what is not stored yet. */
  #minute = 0;
  #hasFailed = false;
  #timer: NodeJS.Timeout | null = null;
  #sampling: Promise<void> | null = null;
  #storing: Promise<void> = Promise.resolve();

  constructor(private readonly deps: RateSamplerDeps) {}

  /** Begins with what was sampled before. */
  start(): void {
    this.restore();
    this.#timer = setInterval(() => void this.tick(), SAMPLE_MS);
  }

  /** Takes in what was stored. Never throws. */
  restore(): void {
    const { store, log } = this.deps;
    try {
      for (const [minute, stored] of store.rates.all()) this.rings.restore(minute, byScope(stored));
    } catch (error) {
      log.warn('rates not read', { reason: String(error) });
    }
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    await this.#sampling;
    if (this.#minute > 0) this.#store(this.#minute);
    await this.settle();
  }

  /** Resolves when nothing is being stored. Never rejects. */
  async settle(): Promise<void> {
    await this.#storing;
  }

  /** Takes a sample, unless one is being taken. Never rejects. */
  async tick(): Promise<void> {
    this.#sampling ??= this.#sample().finally(() => (this.#sampling = null));
    await this.#sampling;
  }

  async #sample(): Promise<void> {
    const scopes = new Map<Scope, { down: number; up: number }>();
    const shares = new Map<ShareKey, Rates>();
    const moving = new Map<TorrentId, Moving>();
    let looked = 0;
    for (const torrent of this.#lookedAt()) {
      if (++looked % LOOKED_AT_AT_A_TIME === 0) await othersRan();
      const { row, rowTag, id } = torrent;
      if (!this.deps.library.stats.read(row, rowTag, this.#stats)) continue;
      const { downloadRate: down, uploadRate: up } = this.#stats;
      if (down === 0 && up === 0) continue;
      const before = this.#moving.get(id);
      const now = before?.torrent === torrent ? before : movingOf(torrent);
      moving.set(id, now);
      for (const share of now.shares) shares.set(share, { down, up });
      for (const scope of now.scopes) addTo(scopes, scope, down, up);
    }
    this.#moving = moving;
    const now = unixSecondsOf(this.deps.clock);
    this.rings.add(now, { scopes, shares });
    const minute = Math.floor(now / MINUTE_S);
    if (this.#minute > 0 && minute !== this.#minute) this.#store(this.#minute);
    this.#minute = minute;
  }

  *#lookedAt(): Iterable<ListedTorrent> {
    const { library } = this.deps;
    const before = this.#lookedUpTo;
    const now = (this.#lookedUpTo = library.stats.changes?.mark() ?? null);
    const rows = before && now && now.log.rowsBetween(before, now);
    if (!rows) return yield* [...library.all];
    const ids = new Set(this.#moving.keys());
    const unknown: number[] = [];
    for (const row of rows) {
      const id = this.#idOfRow.get(row);
      if (id && library.find(id)?.row === row) ids.add(id);
      else unknown.push(row);
    }
    if (unknown.length > 0) for (const id of this.#lookedUp(unknown)) ids.add(id);
    for (const id of ids) {
      const torrent = library.find(id);
      if (torrent) yield torrent;
    }
  }

  /** Looks through all torrents, as rows have become those of others; some may be nobody's. */
  #lookedUp(rows: readonly number[]): readonly TorrentId[] {
    this.#idOfRow = new Map();
    for (const { row, id } of this.deps.library.all) this.#idOfRow.set(row, id);
    return rows.flatMap((row) => this.#idOfRow.get(row) ?? []);
  }

  /** After what is being stored. What could not be stored is kept in memory only. */
  #store(minute: number): void {
    const { store, log } = this.deps;
    const rates = new Map([...this.rings.minuteOf(minute)].map(([scope, each]) => [String(scope), each]));
    this.#storing = this.#storing.then(async () => {
      try {
        await store.rates.put(minute, rates);
        this.#hasFailed = false;
      } catch (error) {
        if (!this.#hasFailed) log.warn('rates not recorded', { reason: String(error) });
        this.#hasFailed = true;
      }
    });
  }
}

function movingOf(torrent: ListedTorrent): Moving {
  return {
    torrent,
    scopes: ['all', ...countedFor(torrent).map(({ accountId }) => accountId)],
    // As it is shown: what others run is at rest for who has paused it.
    shares: sharesOf(torrent)
      .filter(({ own }) => !own?.paused)
      .map(shareKey),
  };
}

function addTo(sums: Map<Scope, { down: number; up: number }>, scope: Scope, down: number, up: number): void {
  const sum = sums.get(scope);
  if (!sum) return void sums.set(scope, { down, up });
  sum.down += down;
  sum.up += up;
}

function byScope(stored: ReadonlyMap<string, MinuteOfRates>): Map<Scope, MinuteOfRates> {
  return new Map([...stored].map(([name, rates]) => [name === 'all' ? name : parseAccountId(Number(name)), rates]));
}
