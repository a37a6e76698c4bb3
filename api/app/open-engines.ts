// The engines that a run of the daemon has: a thread of this process, or one of its own process, or several of those
// (docs/operate/engine-process.md). One alone is reached before anything else begins; of several each may come later.
import type { DataDirectory } from '../../storage/data-directory.js';
import { localFolders } from '../../storage/local-folders.js';
import type { Options } from '../cli/options.js';
import { oneEngine } from '../engines/one-engine.js';
import { superviseOne, type OpenedEngines, type OpenEnginesDeps } from './supervised-engine.js';

/** @throws AppError `ENGINE_AWAY`, `ENGINES_FILE_INVALID`, `STORAGE_FAILED` */
export async function openEngines(
  { engine, enginesFile }: Pick<Options, 'engine' | 'enginesFile'>,
  deps: OpenEnginesDeps,
  directory: DataDirectory,
): Promise<OpenedEngines> {
  if (enginesFile !== null) {
    return (await import('./open-engine-processes.js')).openSeveral(enginesFile, deps, directory);
  }
  if (engine) return (await import('./open-engine-processes.js')).openProcess(engine, deps, directory);
  return {
    engines: oneEngine(localFolders),
    savePath: null,
    supervise: (wanted) => superviseOne(deps.createEngine, deps, wanted),
    close: () => Promise.resolve(),
  };
}
