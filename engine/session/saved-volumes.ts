// What is known of the volumes of save paths outlives the engine. That it does not reach the store in time costs a
// comparison and no data, so no caller waits for it.
import type { TorrentStore } from '../../storage/types.js';
import type { SavePaths } from '../disk/index.js';
import type { Log } from '../environment.js';

const KEY = 'save-paths';

export function rememberSavePaths(savePaths: SavePaths, store: TorrentStore, log: Log): void {
  savePaths.load(store.meta(KEY));
  savePaths.onChanged = (known) => {
    store.putMeta(KEY, known).catch((error: unknown) => log.warn('save paths not recorded', { reason: String(error) }));
  };
}
