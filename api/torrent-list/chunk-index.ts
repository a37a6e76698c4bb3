// Where in a list the runs are that hold certain rows of the stats table, so that rows that were written lead to them.
import type { TorrentChunk } from '../services/library/torrent-order.js';

const NOWHERE = -1;

export class ChunkIndex {
  #runs: readonly TorrentChunk[] = [];
  /** By row; made when somebody asks. */
  #places: Int32Array | null = null;

  /** Whether these are the runs that it knows. */
  knows(runs: readonly TorrentChunk[]): boolean {
    const known = this.#runs;
    return known.length === runs.length && known.every((run, place) => run === runs[place]);
  }

  learn(runs: readonly TorrentChunk[]): void {
    this.#runs = runs;
    this.#places = null;
  }

  /** Places of the runs with these rows. */
  of(rows: Iterable<number>): Set<number> {
    this.#places ??= placesByRow(this.#runs);
    const places = new Set<number>();
    for (const row of rows) {
      const place = this.#places[row] ?? NOWHERE;
      if (place !== NOWHERE) places.add(place);
    }
    return places;
  }
}

function placesByRow(runs: readonly TorrentChunk[]): Int32Array {
  let last = NOWHERE;
  for (const run of runs) for (const { row } of run) last = Math.max(last, row);
  const places = new Int32Array(last + 1).fill(NOWHERE);
  runs.forEach((run, place) => {
    for (const { row } of run) places[row] = place;
  });
  return places;
}
