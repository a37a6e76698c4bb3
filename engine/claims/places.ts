// Which torrents lie where: an index by save path and the first elements below it. Two places overlap when they have one
// in common or one is inside the other. Names are compared as the least careful file system would: letters composed, and
// in lower case.
import { basename, dirname, join } from 'node:path';
import type { AccountId } from '../../shared-protocol/ids.js';
import { isAtOrBelow } from '../../storage/real-location.js';
import { bothNames } from '../metainfo/index.js';
import type { ClaimingTorrent } from './types.js';

/** `directory` is where the save path really leads. */
export interface Place {
  readonly directory: string;
  /** Nearly always one. */
  readonly names: readonly string[];
}

interface Directory<Torrent> {
  readonly path: string;
  /** By folded name. */
  readonly names: Map<string, Set<Torrent>>;
}

export function pathsOf({ directory, names }: Place): string[] {
  return names.map((name) => join(directory, name));
}

/** Names that the torrent's files and folders have at the top, and may have while they are incomplete. */
export function namesOf({
  topNames,
  incompleteSuffix,
}: Pick<ClaimingTorrent, 'topNames' | 'incompleteSuffix'>): string[] {
  return (topNames ?? []).flatMap((name) => bothNames(name, incompleteSuffix));
}

/** The parts of the torrent that make its claim, as they are now. */
export function claimOf(torrent: ClaimingTorrent): ClaimingTorrent {
  const { id, ownerId, isShared, savePath, topNames, incompleteSuffix } = torrent;
  return { id, ownerId, isShared, savePath, topNames, incompleteSuffix };
}

/** Whether the torrent is the account's alone: one that others hold as well is not for one holder to write over. */
export function isOf({ ownerId, isShared }: ClaimingTorrent, accountId: AccountId): boolean {
  return ownerId === accountId && !isShared;
}

export function isOnlyOf(torrents: Iterable<ClaimingTorrent>, accountId: AccountId): boolean {
  for (const torrent of torrents) if (!isOf(torrent, accountId)) return false;
  return true;
}

/** Whether an incomplete file of one of them may have the name of a file of the other, though both are called otherwise. */
export function areMixedUp(one: ClaimingTorrent, other: ClaimingTorrent): boolean {
  return claimsIncomplete(one, other) || claimsIncomplete(other, one);
}

function claimsIncomplete({ topNames, incompleteSuffix }: ClaimingTorrent, other: ClaimingTorrent): boolean {
  if (incompleteSuffix === undefined) return false;
  const names = new Set((other.topNames ?? []).map(fold));
  return (topNames ?? []).some((name) => names.has(fold(name + incompleteSuffix)));
}

export class Places<Torrent extends ClaimingTorrent> {
  /** By folded path. */
  readonly #directories = new Map<string, Directory<Torrent>>();

  add({ directory: path, names }: Place, torrent: Torrent): void {
    const key = fold(path);
    const directory = this.#directories.get(key) ?? { path, names: new Map<string, Set<Torrent>>() };
    if (names.length > 0) this.#directories.set(key, directory);
    for (const name of names) {
      const there = directory.names.get(fold(name));
      if (there) there.add(torrent);
      else directory.names.set(fold(name), new Set([torrent]));
    }
  }

  remove(place: Place, torrent: Torrent): void {
    const key = fold(place.directory);
    const names = this.#directories.get(key)?.names;
    for (const name of place.names.map(fold)) {
      const there = names?.get(name);
      if (there?.delete(torrent) && there.size === 0) names?.delete(name);
    }
    if (names?.size === 0) this.#directories.delete(key);
  }

  /** Torrents at the place, around it and inside of it. */
  *overlapping(place: Place): Iterable<Torrent> {
    const directory = fold(place.directory);
    const there = this.#directories.get(directory)?.names;
    for (const name of place.names) yield* there?.get(fold(name)) ?? [];
    yield* this.around(place.directory);
    const paths = pathsOf(place).map(fold);
    for (const [key, { names }] of this.#directories) {
      const isInside = isAtOrBelow(key, directory) && paths.some((path) => isAtOrBelow(key, path));
      if (isInside) for (const torrents of names.values()) yield* torrents;
    }
  }

  /** Torrents in whose folder the directory lies, or whose folder it is. */
  *around(directory: string): Iterable<Torrent> {
    for (let path = fold(directory); path !== dirname(path); path = dirname(path)) {
      yield* this.#directories.get(dirname(path))?.names.get(basename(path)) ?? [];
    }
  }

  /** Each two that touch, once for each name that they have in common, and the upper of their places. */
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

/** The name as the least careful file system compares it. */
export function fold(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
