// Where everything is in an account's last snapshot: its chunks, its torrents, and the rows of the stats table that they
// have. By it the next snapshot finds what of the last one is still true, and what was written since. Each way to look
// is made when it is first used.
import type { TorrentFacts } from '../../shared-protocol/events.js';
import type { TorrentChunk } from '../services/library/torrent-order.js';
import type { ListChunk, TorrentPlace } from './list-chunk.js';

const NOWHERE = -1;

/** Places in one snapshot's list. Never changed. */
export class ChunkIndex {
  #byTorrents: Map<TorrentChunk, ListChunk> | null = null;
  /** Places of chunks, by row. */
  #byRow: Int32Array | null = null;

  constructor(readonly chunks: readonly ListChunk[]) {}

  /** The index of a snapshot with the same torrents in the same chunks: where their rows are does not change. */
  withSameTorrents(chunks: readonly ListChunk[]): ChunkIndex {
    const index = new ChunkIndex(chunks);
    index.#byRow = this.#byRow;
    return index;
  }

  /** Whether the snapshot is of these chunks, in this order. */
  isOf(order: readonly TorrentChunk[]): boolean {
    const { chunks } = this;
    return chunks.length === order.length && chunks.every(({ torrents }, place) => torrents === order[place]);
  }

  /** The chunk of these torrents. `place`: theirs in the order of the moment, where they mostly were before. */
  find(torrents: TorrentChunk, place: number): ListChunk | undefined {
    const there = this.chunks[place];
    if (there?.torrents === torrents) return there;
    this.#byTorrents ??= new Map(this.chunks.map((chunk) => [chunk.torrents, chunk]));
    return this.#byTorrents.get(torrents);
  }

  /** Places of the torrents of chunks that are not in this order. */
  torrentsOutside(order: readonly TorrentChunk[]): Map<TorrentFacts, TorrentPlace> {
    const kept = new Set(order);
    const places = new Map<TorrentFacts, TorrentPlace>();
    for (const chunk of this.chunks) {
      if (kept.has(chunk.torrents)) continue;
      chunk.torrents.forEach((facts, index) => places.set(facts, { in: chunk, index }));
    }
    return places;
  }

  /** Places of the chunks with these rows. */
  placesOf(rows: Iterable<number>): Set<number> {
    this.#byRow ??= placesByRow(this.chunks);
    const places = new Set<number>();
    for (const row of rows) {
      const place = this.#byRow[row] ?? NOWHERE;
      if (place !== NOWHERE) places.add(place);
    }
    return places;
  }
}

function placesByRow(chunks: readonly ListChunk[]): Int32Array {
  let last = NOWHERE;
  for (const { fields } of chunks) for (const row of fields.rows) last = Math.max(last, row);
  const places = new Int32Array(last + 1).fill(NOWHERE);
  chunks.forEach(({ fields }, place) => {
    for (const row of fields.rows) places[row] = place;
  });
  return places;
}
