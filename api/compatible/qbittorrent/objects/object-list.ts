// The torrents of one account as qBittorrent's objects, kept up to date chunk by chunk: a chunk in which nothing has
// happened is used again. Works in slices, so that the first look at many torrents does not keep the thread from its work.
import type { StatsReader } from '../../../../shared-protocol/stats-table.js';
import type { SliceClock } from '../../../../shared-protocol/slices.js';
import type { ListedTorrent } from '../../../services/library/shares.js';
import type { TorrentChunk, TorrentOrder } from '../../../services/library/torrent-order.js';
import { inSlices } from '../../../torrent-list/in-slices.js';
import { ObjectChunk } from './object-chunk.js';
import { ObjectEntries, type ObjectSources } from './object-entries.js';
import type { ObjectEntry } from './object-entry.js';

/** Seconds. What goes on by itself is told anew so often: ten thousand idle torrents are not news each second. */
const TIMES_GRAIN_S = 60;

/** The list as it was at one moment. Never changed; two of them share the chunks in which nothing happened between them. */
export interface ObjectMoment {
  readonly chunks: readonly ObjectChunk[];
  /** Unix seconds up to which times are told. */
  readonly now: number;
}

export interface ObjectListDeps extends SliceClock {
  readonly sources: ObjectSources;
  /** Unix seconds. */
  readonly unixS: () => number;
}

const NOTHING: ObjectMoment = { chunks: [], now: 0 };

export class ObjectList {
  readonly #entries: ObjectEntries;
  #last = NOTHING;
  /** Change log of the table of figures: another engine's has the same sequences for other figures. */
  #log: StatsReader['changes'] = null;

  constructor(private readonly deps: ObjectListDeps) {
    this.#entries = new ObjectEntries(deps.sources);
  }

  /** The list of the moment; the same object while nothing has changed. One call at a time. */
  async moment(order: TorrentOrder): Promise<ObjectMoment> {
    const { sources, unixS } = this.deps;
    const before = sources.stats.changes === this.#log ? this.#last : NOTHING;
    this.#log = sources.stats.changes;
    const now = Math.floor(unixS() / TIMES_GRAIN_S) * TIMES_GRAIN_S;
    const wanted = [...order.chunks];
    const chunkOf = this.#finder(before.chunks, wanted);
    const chunks: ObjectChunk[] = [];
    await inSlices(wanted, (torrents) => void chunks.push(chunkOf(torrents, chunks.length)), this.deps);
    const isSame = now === before.now && chunks.length === before.chunks.length;
    if (isSame && chunks.every((chunk, place) => chunk === before.chunks[place])) return before;
    return (this.#last = { chunks, now });
  }

  /** Makes chunks of what is still true of those before. `place`: in the order of the moment, mostly the one before. */
  #finder(before: readonly ObjectChunk[], order: readonly TorrentChunk[]) {
    let byTorrents: Map<TorrentChunk, ObjectChunk> | null = null;
    let elsewhere: Map<ListedTorrent, ObjectEntry> | null = null;
    return (torrents: TorrentChunk, place: number): ObjectChunk => {
      const there = before[place];
      if (there?.torrents === torrents) return this.#current(there);
      byTorrents ??= new Map(before.map((chunk) => [chunk.torrents, chunk]));
      const known = byTorrents.get(torrents);
      if (known) return this.#current(known);
      elsewhere ??= entriesOutside(before, order);
      return this.#make(torrents, (torrent) => elsewhere?.get(torrent));
    };
  }

  #current(chunk: ObjectChunk): ObjectChunk {
    const { stats, labels, seedingRules } = this.deps.sources;
    const { revisions } = chunk;
    const isSame = revisions.labels === labels.revision && revisions.rules === seedingRules.revision;
    if (isSame && stats.areUnchanged(chunk.rows, chunk.sequences)) return chunk;
    return this.#make(chunk.torrents, (_torrent, index) => chunk.entries[index], chunk);
  }

  #make(
    torrents: TorrentChunk,
    before: (torrent: ListedTorrent, index: number) => ObjectEntry | undefined,
    chunk?: ObjectChunk,
  ): ObjectChunk {
    const { labels, seedingRules } = this.deps.sources;
    const entries = torrents.map((torrent, index) => this.#entries.make(torrent, before(torrent, index)));
    return new ObjectChunk(torrents, entries, { labels: labels.revision, rules: seedingRules.revision }, chunk);
  }
}

/** The entries of chunks that are not in this order. */
function entriesOutside(
  chunks: readonly ObjectChunk[],
  order: readonly TorrentChunk[],
): Map<ListedTorrent, ObjectEntry> {
  const kept = new Set(order);
  const entries = new Map<ListedTorrent, ObjectEntry>();
  for (const chunk of chunks) {
    if (!kept.has(chunk.torrents)) for (const entry of chunk.entries) entries.set(entry.from.torrent, entry);
  }
  return entries;
}
