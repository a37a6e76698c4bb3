// The file system of an engine on shared roots, asked of another engine that has them while that one is away: the same folders are at
// the same paths there.
import { isEngineAway } from '../../shared-protocol/errors.js';
import type { Folders } from '../../shared-protocol/folders.js';

/** `instead`: the file system of another engine that shares the root of a path; null: there is none. */
export function sharedFolders(own: Folders, instead: (path: string) => Folders | null): Folders {
  const ask = async <Result>(path: string, question: (folders: Folders) => Promise<Result>): Promise<Result> => {
    try {
      return await question(own);
    } catch (error) {
      const other = isEngineAway(error) ? instead(path) : null;
      if (!other) throw error;
      return question(other);
    }
  };
  return {
    locate: (path) => ask(path, (folders) => folders.locate(path)),
    tryOut: (path) => ask(path, (folders) => folders.tryOut(path)),
    isFolder: (path) => ask(path, (folders) => folders.isFolder(path)),
    volumes: (paths) => own.volumes(paths),
    list: (params) => ask(params.folder, (folders) => folders.list(params)),
  };
}
