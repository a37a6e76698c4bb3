// What one account is shown of all its torrents, kept up to date run by run: a run in which nothing has happened is used
// again, and is not even looked at while the torrents stay the same and the rows that were written are known. Works in
// slices, so that the first look at a hundred thousand torrents does not keep the thread from its work.
import type { GlobalStats } from '../../shared-protocol/dto/torrents.js';
import type { LogMark } from '../../shared-protocol/change-log.js';
import type { TorrentOrder, TorrentChunk } from '../services/library/torrent-order.js';
import { PreviousChunks } from './previous-chunks.js';
import { ListSnapshot } from './list-snapshot.js';
import type { FiguresSource } from './chunk-stats.js';
import { identityOf, type IdentitySources } from './chunk-fields.js';
import { ChunkIndex } from './chunk-index.js';
import { ListChunk } from './chunk.js';
import type { TorrentStatsJson } from './torrent-stats-json.js';
import { Totals } from './totals.js';

/** In these a look at a run and the encoding of one take a fraction of a millisecond at most. */
const SLICE_MS = 4;

export interface ViewDeps {
  readonly figures: FiguresSource;
  readonly identities: IdentitySources;
  /** Never the same twice. */
  readonly newVersion: () => string;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Lets the thread do other things. */
  readonly pause: () => Promise<void>;
}

/** How far the last snapshot goes. */
interface Moment {
  readonly written: LogMark | null;
  readonly labelsRevision: number;
}

export class TorrentListView {
  #last: ListSnapshot | null = null;
  #moment: Moment | null = null;
  readonly #places = new ChunkIndex();

  constructor(private readonly deps: ViewDeps) {}

  /** Totals over the account's torrents, without a list being made. */
  async totals(order: TorrentOrder): Promise<GlobalStats> {
    const runs = [...order.chunks];
    const known = new PreviousChunks(this.#last?.runs ?? [], runs);
    const totals = new Totals();
    await this.#inSlices(runs.keys(), (place) => {
      const text = known.of(runs[place]!, place);
      if (text && this.#showsNow(text)) totals.add(text.figures.totals);
      else this.deps.figures.count(runs[place]!, totals);
    });
    return totals.toDto();
  }

  /** As things are now; the same one while nothing has changed. One at a time. */
  async snapshot(order: TorrentOrder): Promise<ListSnapshot> {
    const { figures, identities, newVersion } = this.deps;
    const runs = [...order.chunks];
    const last = this.#last;
    const now = { written: figures.mark(), labelsRevision: identities.labels.revision };
    const areKnown = this.#places.knows(runs);
    const known = new PreviousChunks(last?.runs ?? [], runs);
    const texts = [...known.before];
    texts.length = runs.length;
    let isSame = last?.runs.length === runs.length;
    const changed = areKnown ? this.#changedPlaces(now) : null;
    await this.#inSlices(changed ?? runs.keys(), (place) => {
      const text = this.#textOf(runs[place]!, place, known);
      isSame &&= text === texts[place];
      texts[place] = text;
    });
    this.#moment = now;
    if (!areKnown) this.#places.learn(runs);
    if (last && isSame) return last;
    return (this.#last = new ListSnapshot(texts, newVersion()));
  }

  /** Of the runs in which something may have happened since the last snapshot of the same runs; null: in any. */
  #changedPlaces(now: Moment): Iterable<number> | null {
    const before = this.#moment;
    if (before?.labelsRevision !== now.labelsRevision) return null;
    const rows = this.deps.figures.rowsBetween(before.written, now.written);
    return rows && this.#places.of(rows);
  }

  #textOf(run: TorrentChunk, place: number, known: PreviousChunks): ListChunk {
    const { figures, identities } = this.deps;
    const own = known.of(run, place);
    if (own?.identity.isCurrent(identities.labels)) {
      const updated = figures.update(run, own.identity.rows, own.figures);
      return updated === own.figures ? own : new ListChunk(own.identity, updated);
    }
    const before = (index: number) => (own ? { in: own, index } : known.moved(run[index]!));
    const shownBefore = (index: number): TorrentStatsJson | undefined => {
      const there = before(index);
      return there?.in.figures.shown[there.index];
    };
    return new ListChunk(identityOf(run, identities, before), figures.read(run, shownBefore));
  }

  #showsNow({ identity, figures }: ListChunk): boolean {
    return this.deps.figures.areCurrent(figures, identity.rows);
  }

  async #inSlices(places: Iterable<number>, work: (place: number) => void): Promise<void> {
    const { now, pause } = this.deps;
    let began = now();
    for (const place of places) {
      work(place);
      if (now() - began < SLICE_MS) continue;
      await pause();
      began = now();
    }
  }
}
