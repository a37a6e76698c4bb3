// How much an engine of its own process has told of its torrents. All of it is kept, so one that tells without end would take all
// memory there is. What it is said to have is weighed, each torrent as it was told last: also what it had before it began to tell
// all anew, until that is through, and what it says it has handed to another engine, until that one tells of it.
import { getHeapStatistics } from 'node:v8';
import type { EngineEvent } from '../../shared-protocol/events.js';
import type { TorrentId } from '../../shared-protocol/ids.js';

const GIB = 1024 ** 3;
/** A library of 400,000 torrents with twenty trackers each has less, and one of 200,000 half of that. */
const MAX_BYTES = GIB;
/** Measured: a torrent without texts, in the mirror and in the orders of lists, beside its values. */
const TORRENT_BYTES = 512;
const VALUE_BYTES = 16;

/** Bytes that the torrents of one engine may take, so that there is room for the lists that are made of them, and for other engines. */
export function roomForTold(): number {
  return Math.min(MAX_BYTES, getHeapStatistics().heap_size_limit / 4);
}

export class ToldTorrents {
  readonly #weights = new Map<TorrentId, number>();
  /** Torrents that it has handed to another engine. */
  readonly #given = new Set<TorrentId>();
  /** Torrents that it had before, and has not named since it began to tell all anew. */
  #unconfirmed = new Set<TorrentId>();
  #bytes = 0;

  /** `isAwaited`: whether a torrent that was handed over is shown, as the engine that has it now has not told of it yet. */
  constructor(
    private readonly maxBytes: number,
    private readonly isAwaited: (id: TorrentId) => boolean,
  ) {}

  get bytes(): number {
    return this.#bytes;
  }

  /** False: with this it is more than one engine may tell of. */
  take(event: EngineEvent): boolean {
    switch (event.name) {
      case 'torrents.added':
        for (const facts of event.payload.torrents) this.#set(facts.id, TORRENT_BYTES + weightOf(facts));
        break;
      case 'torrent.changed':
        this.#set(event.payload.facts.id, TORRENT_BYTES + weightOf(event.payload.facts));
        break;
      case 'torrent.removed':
        if (event.payload.givenTo === undefined) this.#drop(event.payload.id);
        else this.#give(event.payload.id);
        break;
      default:
        return true;
    }
    if (this.#bytes > this.maxBytes) for (const id of this.#given) if (!this.isAwaited(id)) this.#drop(id);
    return this.#bytes <= this.maxBytes;
  }

  /** Begins to be told all anew. */
  beginReload(): void {
    this.#unconfirmed = new Set(this.#weights.keys());
  }

  /** Ends that: all was told. */
  endReload(): void {
    for (const id of this.#unconfirmed) if (!this.#given.has(id)) this.#drop(id);
    this.#unconfirmed.clear();
  }

  #set(id: TorrentId, bytes: number): void {
    this.#drop(id);
    this.#weights.set(id, bytes);
    this.#bytes += bytes;
  }

  #give(id: TorrentId): void {
    if (this.#weights.has(id)) this.#given.add(id);
  }

  #drop(id: TorrentId): void {
    this.#bytes -= this.#weights.get(id) ?? 0;
    this.#weights.delete(id);
    this.#given.delete(id);
    this.#unconfirmed.delete(id);
  }
}

/** Bytes, about, of all that is in a value: whatever an engine has put into it is kept with it. */
function weightOf(value: unknown): number {
  if (typeof value === 'string') return VALUE_BYTES + Buffer.byteLength(value);
  if (typeof value !== 'object' || value === null) return VALUE_BYTES;
  if (ArrayBuffer.isView(value)) return VALUE_BYTES + value.byteLength;
  let bytes = VALUE_BYTES;
  if (Array.isArray(value)) for (const item of value as unknown[]) bytes += weightOf(item);
  else for (const [name, field] of Object.entries(value)) bytes += name.length + weightOf(field);
  return bytes;
}
