// Whose is what on disk, as a model beside the program's own code. Pure: it is handed the tree as it was read. The rules:
//
// - A torrent's place is its save path and the first name below it. One that comes later never gets a place that overlaps
//   that of a torrent which another account has, or which several hold; it is laid beside, in a folder `name.hash8`.
//   Administrators are laid where they say.
// - Nothing is saved inside the folder of such a torrent (400), except by administrators.
// - A torrent may use a file at its paths that it made; or whose owner is an administrator; or that lies in its owner's
//   home; or that a torrent of the same owner, held by nobody else, may use; or, when an administrator asks for a check, one that no
//   neighbour of another account may use. All others are as good as absent: not read, not written, not removed.
// - Pieces are known only of files that it may use, or may have used before.
import { dirname, join } from 'node:path';
import { PIECE_LENGTH } from './pool.js';
import type { Person, Torrent } from './rights-model.js';
import type { Tree } from './tree.js';

/** What a torrent has on disk. */
export interface OnDisk {
  /** The first name below the save path; null: the metadata is unknown. */
  topName: string | null;
  /** Files that it may use, by identity. */
  readonly usable: Set<string>;
  /** Of those the ones that it made itself. */
  readonly made: Set<string>;
  /** Paths at which there was one that it might use. */
  readonly everUsable: Set<string>;
  hasDownloaded: boolean;
  /** An administrator has asked for a check. */
  isGranted: boolean;
}

export type Placed = Torrent & { readonly disk: OnDisk };

export const emptyDisk = (): OnDisk => ({
  topName: null,
  usable: new Set(),
  made: new Set(),
  everUsable: new Set(),
  hasDownloaded: false,
  isGranted: false,
});

export const isBelow = (path: string, root: string): boolean => path === root || path.startsWith(`${root}/`);

/** Names are compared as the least careful file system would. */
const fold = (path: string): string => path.toLowerCase();

export function placeOf({ savePath, disk: { topName } }: Placed): string | null {
  return topName === null ? null : join(savePath, topName);
}

/** Absolute, in the order of its files. */
export function pathsOf(torrent: Placed): string[] {
  const { made, savePath, disk } = torrent;
  if (disk.topName === null) return [];
  const isBeside = disk.topName !== made.name;
  return made.files.map(({ path }) =>
    join(savePath, disk.topName!, ...(path.length === 0 && isBeside ? [made.name] : path)),
  );
}

export function overlap(one: string, other: string): boolean {
  return isBelow(fold(one), fold(other)) || isBelow(fold(other), fold(one));
}

/** Whoever else has it decides over it. */
export function isOnlyOf({ shares: [owner, ...others] }: Torrent, account: number): boolean {
  return owner.holder === account && others.length === 0;
}

/** The save path lies in the folder of what is not only this account's. */
export function isInsideForeign(savePath: string, person: Person, all: Iterable<Placed>): boolean {
  if (person.role === 'admin') return false;
  return [...all].some((torrent) => {
    const place = placeOf(torrent);
    return place !== null && isBelow(fold(savePath), fold(place)) && !isOnlyOf(torrent, person.id);
  });
}

export function mayTakeOverIn(directory: string, { role, home }: Person): boolean {
  return role === 'admin' || (home !== '' && isBelow(directory, home));
}

/** Whether it may get the place of its own name: null where that depends on what siblings have there. */
export function mayLieAt(torrent: Placed, place: string, owner: Person, all: Iterable<Placed>, tree: Tree) {
  const others = [...all].filter((other) => other !== torrent && placeOf(other) !== null);
  const there = others.filter((other) => overlap(placeOf(other)!, place));
  if (owner.role !== 'admin' && there.some((other) => !isOnlyOf(other, owner.id))) return false;
  if (mayTakeOverIn(torrent.savePath, owner) || !tree.exists(place)) return true;
  return there.some((other) => isOnlyOf(other, owner.id)) ? null : false;
}

/** Takes over for each torrent what the rules let it have of the tree. */
export function takeOver(all: readonly Placed[], personOf: (id: number) => Person, tree: Tree): void {
  for (let isChanged = true; isChanged;) {
    isChanged = false;
    for (const torrent of all) {
      const { disk, savePath, shares } = torrent;
      const owner = shares[0].holder;
      for (const path of pathsOf(torrent)) {
        const identity = tree.files.get(path)?.identity;
        if (identity === undefined || disk.usable.has(identity)) continue;
        const others = all.filter((other) => other !== torrent && other.disk.usable.has(identity));
        const isSiblings = others.some((other) => isOnlyOf(other, owner));
        const isGranted = disk.isGranted && others.every((other) => isOnlyOf(other, owner));
        if (!mayTakeOverIn(savePath, personOf(owner)) && !isSiblings && !isGranted) continue;
        disk.usable.add(identity);
        disk.everUsable.add(path);
        isChanged = true;
      }
    }
  }
}

/** Bytes of the pieces that it may know, at most. */
export function mayKnow(torrent: Placed): number {
  const { made, disk } = torrent;
  if (disk.hasDownloaded) return made.payload.length;
  let [begin, bytes] = [0, 0];
  const spans = pathsOf(torrent).map((path, index) => {
    const span = { path, begin, end: begin + made.files[index]!.length };
    begin = span.end;
    return span;
  });
  for (let start = 0; start < made.payload.length; start += PIECE_LENGTH) {
    const end = Math.min(start + PIECE_LENGTH, made.payload.length);
    const touched = spans.filter((span) => span.begin < end && span.end > start);
    if (touched.every(({ path }) => disk.everUsable.has(path))) bytes += end - start;
  }
  return bytes;
}

/** Files that go with the torrent's data: its own that no other torrent lists. */
export function goesWith(torrent: Placed, all: Iterable<Placed>, tree: Tree): string[] {
  const kept = new Set([...all].filter((other) => other !== torrent).flatMap(pathsOf));
  return pathsOf(torrent).filter((path) => {
    const identity = tree.files.get(path)?.identity;
    return identity !== undefined && torrent.disk.usable.has(identity) && !kept.has(path);
  });
}

/** A file stands where the folder would have to be. */
export function isUnusable(savePath: string, tree: Tree): boolean {
  for (let path = savePath; path !== dirname(path); path = dirname(path)) if (tree.files.has(path)) return true;
  return false;
}
