// What one account is shown of all its torrents, kept up to date run by run: a run in which nothing has happened is used
// again. Works in slices, so that the first look at a hundred thousand torrents does not keep the thread from its work.
import type { GlobalStats } from '../../shared-protocol/dto/torrents.js';
import type { StatsReader } from '../../shared-protocol/stats-table.js';
import type { TorrentOrder, TorrentRun } from '../services/library/torrent-order.js';
import { ListSnapshot } from './list-snapshot.js';
import { areCurrent, encodeRun, type Known, type RunBytes, type RunSources } from './run-bytes.js';
import { RunFigures } from './run-figures.js';

/** In these a look at a run and the encoding of one take a fraction of a millisecond at most. */
const SLICE_MS = 4;

export interface ViewDeps {
  readonly stats: StatsReader;
  readonly sources: Omit<RunSources, 'known'>;
  /** Never the same twice. */
  readonly newVersion: () => string;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Lets the thread do other things. */
  readonly pause: () => Promise<void>;
}

export class TorrentListView {
  #figures = new Map<TorrentRun, RunFigures>();
  #bytes = new Map<TorrentRun, RunBytes>();
  #snapshot: ListSnapshot | null = null;

  constructor(private readonly deps: ViewDeps) {}

  /** Totals over the account's torrents, without a list being made. Not while a snapshot is. */
  async totals(order: TorrentOrder): Promise<GlobalStats> {
    const runs = [...order.runs];
    await this.#refreshFigures(runs);
    return this.#addUp(runs);
  }

  /** As things are now; the same one while nothing has changed. One at a time. */
  async snapshot(order: TorrentOrder): Promise<ListSnapshot> {
    const runs = [...order.runs];
    await this.#refreshFigures(runs);
    const encoded = await this.#encode(runs);
    const last = this.#snapshot;
    const isSame = last?.runs.length === encoded.length && encoded.every((bytes, place) => bytes === last.runs[place]);
    if (isSame) return last;
    return (this.#snapshot = new ListSnapshot(encoded, this.deps.newVersion(), this.#addUp(runs)));
  }

  async #refreshFigures(runs: readonly TorrentRun[]): Promise<void> {
    const before = this.#figures;
    const now = new Map<TorrentRun, RunFigures>();
    await this.#inSlices(runs, (run) => {
      const figures = before.get(run) ?? new RunFigures(run, this.deps.stats);
      figures.refresh();
      now.set(run, figures);
    });
    this.#figures = now;
  }

  async #encode(runs: readonly TorrentRun[]): Promise<RunBytes[]> {
    const { sources } = this.deps;
    const before = this.#bytes;
    const now = new Map<TorrentRun, RunBytes>();
    const moved = findMoved(before, runs);
    await this.#inSlices(runs, (run) => {
      const figures = this.#figures.get(run)!; // just refreshed
      const own = before.get(run);
      const isCurrent = own && areCurrent(own, figures, sources.labels);
      const known: RunSources['known'] = own ? (_facts, index) => ({ in: own, index }) : (facts) => moved.get(facts);
      now.set(run, isCurrent ? own : encodeRun(run, figures, { ...sources, known }));
    });
    this.#bytes = now;
    return [...now.values()];
  }

  #addUp(runs: readonly TorrentRun[]): GlobalStats {
    const stats = { active_torrents: 0, seeding_torrents: 0, total_download_rate: 0, total_upload_rate: 0 };
    let [torrents, peers] = [0, 0];
    for (const run of runs) {
      const { totals } = this.#figures.get(run)!; // just refreshed
      torrents += run.length;
      peers += totals.peers;
      stats.active_torrents += totals.active;
      stats.seeding_torrents += totals.seeding;
      stats.total_download_rate += totals.downloadRate;
      stats.total_upload_rate += totals.uploadRate;
    }
    return { total_torrents: torrents, ...stats, total_peers: peers };
  }

  async #inSlices(runs: readonly TorrentRun[], work: (run: TorrentRun) => void): Promise<void> {
    const { now, pause } = this.deps;
    let began = now();
    for (const run of runs) {
      work(run);
      if (now() - began < SLICE_MS) continue;
      await pause();
      began = now();
    }
  }
}

/** The torrents of runs that are no more, most of which are in other runs now. */
function findMoved(before: ReadonlyMap<TorrentRun, RunBytes>, runs: readonly TorrentRun[]): Map<unknown, Known> {
  const moved = new Map<unknown, Known>();
  const now = new Set(runs);
  for (const [run, bytes] of before) {
    if (!now.has(run)) run.forEach((facts, index) => moved.set(facts, { in: bytes, index }));
  }
  return moved;
}
