// The list of one account, kept up to date chunk by chunk: a chunk in which nothing has happened is used again, and is not
// even looked at while the torrents stay the same and the rows that were written are known. Works in slices, so that the
// first look at a hundred thousand torrents does not keep the thread from its work.
import type { LogMark } from '../../shared-protocol/change-log.js';
import type { GlobalStats } from '../../shared-protocol/dto/torrents.js';
import type { SliceClock } from '../../shared-protocol/slices.js';
import type { TorrentChunk, TorrentOrder } from '../services/library/torrent-order.js';
import { ChunkIndex } from './chunk-index.js';
import { inSlices } from './in-slices.js';
import { makeListChunk, type ChunkSources, type ListChunk } from './list-chunk.js';
import { ListSnapshot } from './list-snapshot.js';
import { Totals } from './totals.js';

/** The sources of a list, and the clock and the pauses it is made by. */
export interface AccountListDeps extends SliceClock {
  readonly sources: ChunkSources;
  /** Makes a version for a snapshot; never the same one twice. */
  readonly newVersion: () => string;
}

/** How far the last snapshot goes. */
interface Moment {
  readonly written: LogMark | null;
  readonly labelsRevision: number;
}

/** One account's list: its last snapshot, and the way from it to the next. */
export class AccountList {
  #last: ListSnapshot | null = null;
  /** Where everything is in the last snapshot. */
  #index = new ChunkIndex([]);
  #moment: Moment | null = null;

  constructor(private readonly deps: AccountListDeps) {}

  /** Totals over the account's torrents, without a list being made. */
  async totals(order: TorrentOrder): Promise<GlobalStats> {
    const { stats } = this.deps.sources;
    const chunks = [...order.chunks];
    const index = this.#index;
    const totals = new Totals();
    const count = (place: number): void => {
      const known = index.find(chunks[place]!, place);
      if (known?.hasCurrentStats(stats)) totals.add(known.totals);
      else for (const facts of chunks[place]!) stats.count(facts, totals);
    };
    await inSlices(chunks.keys(), count, this.deps);
    return totals.toDto();
  }

  /** The list of the moment; the same snapshot while nothing has changed. One call at a time. */
  async snapshot(order: TorrentOrder): Promise<ListSnapshot> {
    const { sources, newVersion } = this.deps;
    const now = { written: sources.stats.mark(), labelsRevision: sources.fields.labels.revision };
    const chunks = [...order.chunks];
    const before = this.#index;
    const hasSameTorrents = before.isOf(chunks);
    const listed = [...before.chunks];
    listed.length = chunks.length;
    let isSame = before.chunks.length === chunks.length;
    const encode = this.#encoder(chunks, before);
    const changed = hasSameTorrents ? this.#changedPlaces(now) : null;
    const take = (place: number): void => {
      const chunk = encode(chunks[place]!, place);
      isSame &&= chunk === listed[place];
      listed[place] = chunk;
    };
    await inSlices(changed ?? chunks.keys(), take, this.deps);
    this.#moment = now;
    if (this.#last && isSame) return this.#last;
    this.#index = hasSameTorrents ? before.withSameTorrents(listed) : new ChunkIndex(listed);
    return (this.#last = new ListSnapshot(listed, newVersion()));
  }

  /** Places of the chunks in which something may have happened since the last snapshot of the same ones; null: in any. */
  #changedPlaces(now: Moment): Iterable<number> | null {
    const before = this.#moment;
    if (before?.labelsRevision !== now.labelsRevision) return null;
    const rows = this.deps.sources.stats.rowsBetween(before.written, now.written);
    return rows && this.#index.placesOf(rows);
  }

  /** Makes chunks of what is still true in the snapshot before: a whole chunk, or parts of each of its torrents. */
  #encoder(chunks: readonly TorrentChunk[], before: ChunkIndex): (chunk: TorrentChunk, place: number) => ListChunk {
    const { sources } = this.deps;
    let moved: ReturnType<ChunkIndex['torrentsOutside']> | null = null;
    return (chunk, place) => {
      const known = before.find(chunk, place);
      if (known?.fields.isCurrent(sources.fields.labels)) return known.withCurrentStats(sources.stats);
      return makeListChunk(chunk, sources, (facts, index) =>
        known ? { in: known, index } : (moved ??= before.torrentsOutside(chunks)).get(facts),
      );
    };
  }
}
