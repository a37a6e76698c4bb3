// The file system of the machine that the engine is on, asked by its commands.
import type { EngineClient } from '../../shared-protocol/commands.js';
import type { Folders } from '../../shared-protocol/folders.js';

export function engineFolders(
  client: Pick<EngineClient, 'locateFolder' | 'tryFolder' | 'isFolder' | 'volumesOf' | 'listFolder'>,
): Folders {
  return {
    locate: (path) => client.locateFolder({ path }),
    tryOut: (path) => client.tryFolder({ path }),
    isFolder: (path) => client.isFolder({ path }),
    volumes: (paths) => client.volumesOf({ paths }),
    list: (params) => client.listFolder(params),
  };
}
