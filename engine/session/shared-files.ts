// Which files of a torrent another one has as well: deleting the one's data must not take the other's
// (semantics.md section 5). Files are compared by where they lie, so that a torrent saved into another one's folder counts.
import { join, relative, sep } from 'node:path';
import type { KeepFile } from '../disk/index.js';
import { safeElement } from '../metainfo/index.js';

/** A torrent, as far as it matters here. */
export interface SavedTorrent {
  /** For people: not always the name on disk. */
  readonly name: string;
  readonly savePath: string;
  /** Below the save path. Parses the metainfo. */
  filePaths(): readonly (readonly string[])[];
}

/** A long name is cut on disk, and differently for people; both keep their beginning. */
const COMPARED_LENGTH = 40;

/** Metainfo is only parsed of torrents that can collide. */
export function filesSharedWith(torrent: SavedTorrent, all: Iterable<SavedTorrent>): KeepFile {
  const shared = new Set<string>();
  for (const other of all) {
    if (other === torrent || !mayCollide(torrent, other)) continue;
    for (const path of other.filePaths()) shared.add(join(other.savePath, ...path));
  }
  return (path) => shared.has(join(torrent.savePath, ...path));
}

/** Both begin with the same folder or file, seen from the upper one of their save paths. */
function mayCollide(one: SavedTorrent, other: SavedTorrent): boolean {
  const fromOne = firstElements(one.savePath, other);
  const fromOther = firstElements(other.savePath, one);
  if (fromOne !== null) return print(fromOne) === print(one.name);
  return fromOther !== null && print(fromOther) === print(other.name);
}

/** What the torrent's files begin with, seen from a directory; null when they do not lie below it. */
function firstElements(directory: string, { name, savePath }: SavedTorrent): string | null {
  const between = relative(directory, savePath);
  if (between === '') return name;
  const [first = ''] = between.split(sep);
  return first === '..' ? null : first;
}

/** The same for all ways in which one name is shown or written: bytes that are no text are `\uFFFD` here and `_` there. */
function print(name: string): string {
  return safeElement(name)
    .replace(/[\uFFFD_]/g, '')
    .toLowerCase()
    .slice(0, COMPARED_LENGTH);
}
