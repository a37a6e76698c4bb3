// The commands that ask about folders, answered by a file system.
import type { EngineHandlers } from '../shared-protocol/commands.js';
import type { Folders } from '../shared-protocol/folders.js';

export type FolderHandlers = Pick<
  EngineHandlers,
  'locateFolder' | 'tryFolder' | 'isFolder' | 'volumesOf' | 'listFolder'
>;

export function folderHandlers(folders: Folders): FolderHandlers {
  return {
    locateFolder: ({ path }) => folders.locate(path),
    tryFolder: ({ path }) => folders.tryOut(path),
    isFolder: ({ path }) => folders.isFolder(path),
    volumesOf: ({ paths }) => folders.volumes(paths),
    listFolder: (params) => folders.list(params),
  };
}
