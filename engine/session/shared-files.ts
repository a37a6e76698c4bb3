// Which files of a torrent its neighbours on disk have as well: deleting the one's data must not take the others'
// (docs/semantics.md section 5). Files are compared by where they lie, so that a torrent saved into another one's
// folder counts.
import { join } from 'node:path';
import type { KeepFile } from '../disk/index.js';

/** A torrent, as far as it matters here. */
export interface SavedTorrent {
  readonly savePath: string;
  /** Below the save path, as on disk. Parses the metainfo. */
  filePaths(): readonly (readonly string[])[];
}

/** `realPath`: where a save path leads. */
export function filesSharedWith(
  torrent: Pick<SavedTorrent, 'savePath'>,
  neighbours: Iterable<SavedTorrent>,
  realPath: (savePath: string) => string,
): KeepFile {
  const shared = new Set<string>();
  for (const other of neighbours) {
    const directory = realPath(other.savePath);
    for (const path of other.filePaths()) shared.add(join(directory, ...path));
  }
  const directory = realPath(torrent.savePath);
  return (path) => shared.has(join(directory, ...path));
}
