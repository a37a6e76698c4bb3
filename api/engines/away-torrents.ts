// Torrents of an engine of several that goes, or is back as it was: all of them are told of again, so that lists say of each whether
// its engine is there. A few at a time, as an engine may have tens of thousands.
import { setImmediate as pause } from 'node:timers/promises';
import type { TorrentFacts } from '../../shared-protocol/events.js';

const CHUNK = 500;

export interface AwayTorrentsDeps {
  /** Torrents that are shown of an engine, as they are known at the moment of asking for each. */
  readonly torrentsOf: (engine: number) => Iterable<TorrentFacts>;
  readonly tell: (torrents: readonly TorrentFacts[]) => void;
}

export class AwayTorrents {
  /** By engine, the last turn of events: what was begun before it is not gone on with. */
  readonly #turns = new Map<number, number>();

  constructor(private readonly deps: AwayTorrentsDeps) {}

  /** Resolves when all are told of, or something else has happened to the engine. */
  async tell(engine: number, isAway: boolean): Promise<void> {
    const turn = this.stop(engine);
    let chunk: TorrentFacts[] = [];
    for (const facts of this.deps.torrentsOf(engine)) {
      if (facts.isAway === isAway) continue;
      chunk.push({ ...facts, isAway });
      if (chunk.length < CHUNK) continue;
      this.deps.tell(chunk);
      chunk = [];
      await pause();
      if (this.#turns.get(engine) !== turn) return;
    }
    if (chunk.length > 0) this.deps.tell(chunk);
  }

  /** The engine tells by itself from now on. */
  stop(engine: number): number {
    const turn = (this.#turns.get(engine) ?? 0) + 1;
    this.#turns.set(engine, turn);
    return turn;
  }
}
