// Which torrents lie where: an index by save path and the first element below it. Two places overlap when they are the
// same or one is inside the other. Names are compared as the least careful file system would: letters composed, and
// in lower case.
import { basename, dirname, join } from 'node:path';
import { isAtOrBelow } from '../../storage/real-location.js';
import type { ClaimingTorrent } from './types.js';

/** `directory` is where the save path really leads. */
export interface Place {
  readonly directory: string;
  readonly name: string;
}

interface Directory<Torrent> {
  readonly path: string;
  /** By folded name. */
  readonly names: Map<string, Set<Torrent>>;
}

export function pathOf({ directory, name }: Place): string {
  return join(directory, name);
}

export class Places<Torrent extends ClaimingTorrent> {
  /** By folded path. */
  readonly #directories = new Map<string, Directory<Torrent>>();

  add({ directory: path, name }: Place, torrent: Torrent): void {
    const key = fold(path);
    const directory = this.#directories.get(key) ?? { path, names: new Map<string, Set<Torrent>>() };
    this.#directories.set(key, directory);
    const there = directory.names.get(fold(name));
    if (there) there.add(torrent);
    else directory.names.set(fold(name), new Set([torrent]));
  }

  remove(place: Place, torrent: Torrent): void {
    const [key, name] = [fold(place.directory), fold(place.name)];
    const names = this.#directories.get(key)?.names;
    const there = names?.get(name);
    if (!names || !there?.delete(torrent)) return;
    if (there.size === 0) names.delete(name);
    if (names.size === 0) this.#directories.delete(key);
  }

  /** Torrents at the place, around it and inside of it. */
  *overlapping(place: Place): Iterable<Torrent> {
    yield* this.#directories.get(fold(place.directory))?.names.get(fold(place.name)) ?? [];
    yield* this.around(place.directory);
    const path = fold(pathOf(place));
    for (const [key, { names }] of this.#directories) {
      if (isAtOrBelow(key, path)) for (const torrents of names.values()) yield* torrents;
    }
  }

  /** Torrents in whose folder the directory lies, or whose folder it is. */
  *around(directory: string): Iterable<Torrent> {
    for (let path = fold(directory); path !== dirname(path); path = dirname(path)) {
      yield* this.#directories.get(dirname(path))?.names.get(basename(path)) ?? [];
    }
  }

  /** Each two that touch once, and the upper of their places. */
  *touching(): Iterable<readonly [Torrent, Torrent, string]> {
    for (const { path, names } of this.#directories.values()) {
      const outer = [...this.around(path)];
      for (const [name, torrents] of names) {
        const there = [...torrents];
        for (const [index, one] of there.entries()) {
          for (const other of there.slice(index + 1)) yield [one, other, join(path, name)];
          for (const other of outer) yield [other, one, path];
        }
      }
    }
  }

  get isEmpty(): boolean {
    return this.#directories.size === 0;
  }
}

function fold(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
