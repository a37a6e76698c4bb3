// What a list of before knows of the runs of the one that is made: the same run, or its torrents in others.
import type { TorrentFacts } from '../../shared-protocol/events.js';
import type { TorrentChunk } from '../services/library/torrent-order.js';
import type { ListChunk } from './chunk.js';

/** A torrent in a run of before. */
export interface Place {
  readonly in: ListChunk;
  readonly index: number;
}

export class PreviousChunks {
  #byRun: Map<TorrentChunk, ListChunk> | null = null;
  #moved: Map<TorrentFacts, Place> | null = null;

  constructor(
    readonly before: readonly ListChunk[],
    private readonly now: readonly TorrentChunk[],
  ) {}

  /** `place`: of the run in the list that is made, which it mostly had before. */
  of(run: TorrentChunk, place: number): ListChunk | undefined {
    const there = this.before[place];
    if (there?.run === run) return there;
    this.#byRun ??= new Map(this.before.map((text) => [text.run, text]));
    return this.#byRun.get(run);
  }

  /** These very facts, in a run that is no more. */
  moved(facts: TorrentFacts): Place | undefined {
    this.#moved ??= this.#findMoved();
    return this.#moved.get(facts);
  }

  #findMoved(): Map<TorrentFacts, Place> {
    const kept = new Set(this.now);
    const moved = new Map<TorrentFacts, Place>();
    for (const text of this.before) {
      if (!kept.has(text.run)) text.run.forEach((facts, index) => moved.set(facts, { in: text, index }));
    }
    return moved;
  }
}
