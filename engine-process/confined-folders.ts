// The file system as a front is told of it: what lies outside the roots is not there.
import type { Folders } from '../shared-protocol/folders.js';
import { localFolders } from '../storage/local-folders.js';
import { isSharedFolder } from '../storage/shared-roots/shared-folder.js';
import type { Roots } from './roots.js';

export function confinedFolders(roots: Roots): Folders {
  return {
    async locate(path) {
      const location = await localFolders.locate(path);
      const reason = location.kind === 'place' ? await roots.hides(location.path) : null;
      return reason === null ? location : { kind: 'unusable', path: location.path, reason };
    },
    async tryOut(path) {
      const isAllowed = (await roots.refusalOf(path)) === null;
      return isAllowed ? localFolders.tryOut(path) : { kind: 'refused', exists: false, code: 'EACCES' };
    },
    async isFolder(path) {
      return (await roots.hides(path)) === null && localFolders.isFolder(path);
    },
    async volumes(paths) {
      const refusals = await Promise.all(paths.map((path) => roots.hides(path)));
      const looks = await localFolders.volumes(paths.filter((_path, place) => refusals[place] === null));
      let next = 0;
      return refusals.map((refusal) => (refusal === null ? (looks[next++] ?? null) : null));
    },
    async list(params) {
      const isAllowed = (await roots.hides(params.folder)) === null;
      if (!isAllowed) return { entries: null, isComplete: false };
      const { entries, isComplete } = await localFolders.list(params);
      if (!entries) return { entries, isComplete };
      // What is no link lies where the folder does, and is hidden by its name alone.
      const refusals = await Promise.all(
        entries.map(({ isLink, name, realPath }) => (isLink || isSharedFolder(name) ? roots.hides(realPath) : null)),
      );
      return { entries: entries.filter((_entry, place) => refusals[place] === null), isComplete };
    },
  };
}
