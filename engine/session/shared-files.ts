// Which files of a torrent another one has as well: deleting the one's data must not take the other's
// (semantics.md section 5).
import type { KeepFile } from '../disk/index.js';
import { safeElement } from '../metainfo/index.js';
import type { Torrent } from '../torrent/torrent.js';

/** Metainfo is only parsed of torrents that can collide: same save path, same name of file or folder. */
export function filesSharedWith(torrent: Torrent, all: Iterable<Torrent>): KeepFile {
  const root = safeElement(torrent.name);
  const shared = new Set<string>();
  for (const other of all) {
    if (other === torrent || other.savePath !== torrent.savePath || safeElement(other.name) !== root) continue;
    for (const path of other.filePaths()) shared.add(path.join('/'));
  }
  return (path) => shared.has(path.join('/'));
}
