// The engine that a run of the daemon has: a thread of this process, or one of its own process (docs/operate/engine-process.md) that
// is reached before anything else begins.
import { AppError } from '../../shared-protocol/errors.js';
import type { Folders } from '../../shared-protocol/folders.js';
import type { EngineTransport } from '../../shared-protocol/transport.js';
import type { DataDirectory } from '../../storage/data-directory.js';
import { localFolders } from '../../storage/local-folders.js';
import type { Options } from '../cli/options.js';
import { engineFolders } from '../engine-client/engine-folders.js';
import { logEngine, reachEngine } from '../engine-client/engine-host.js';
import type { StreamTransport } from '../engine-client/stream-transport.js';
import type { Log } from '../logging.js';

/** An engine that starts together with us is waited for; of one that is not there in time the start fails, and says why. */
const REACH_MS = 60_000;

export interface OwnEngineDeps {
  /** A thread of this process. */
  readonly createEngine: () => EngineTransport;
  readonly log: Log;
  readonly engineLog: Log;
}

export interface OwnEngine {
  readonly createEngine: () => EngineTransport;
  /** The file system that it saves in. */
  readonly folders: Folders;
  /** Unix milliseconds since which it is away; null: it is there. */
  readonly awaySinceMs: () => number | null;
  /** Where it saves unless somebody says otherwise; null: it has not said. */
  readonly savePath: string | null;
  close(): Promise<void>;
}

/** The engine for one start: a start that has failed closes what it was given, and the next is given the same engine. */
function useOf(engine: StreamTransport): EngineTransport {
  let isUsed = true;
  return {
    client: engine.client,
    get state() {
      return engine.state;
    },
    get pendingCalls() {
      return engine.pendingCalls;
    },
    onEvent: (listener) => engine.onEvent((event) => isUsed && listener(event)),
    onExit: () => undefined,
    onReturn: (listener) => engine.onReturn((how) => isUsed && listener(how)),
    close() {
      isUsed = false;
      return Promise.resolve();
    },
  };
}

/** @throws AppError `ENGINE_AWAY`, `STORAGE_FAILED` */
export async function openEngine(
  { engine: at }: Pick<Options, 'engine'>,
  { createEngine, log, engineLog }: OwnEngineDeps,
  directory: DataDirectory,
): Promise<OwnEngine> {
  if (!at) {
    const close = () => Promise.resolve();
    return { createEngine, folders: localFolders, awaySinceMs: () => null, savePath: null, close };
  }
  const engine = await reachEngine(at, directory.file('engine-link.json'), log);
  logEngine(engine, engineLog);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const fail = () => reject(new AppError('ENGINE_AWAY', `${engine.whyAway}; given up after ${REACH_MS / 1_000} s`));
    timer = setTimeout(fail, REACH_MS);
  });
  try {
    const { roots } = await Promise.race([engine.reached(), late]);
    return {
      createEngine: () => useOf(engine),
      folders: engineFolders(engine.client),
      awaySinceMs: () => engine.awaySinceMs,
      savePath: roots[0]?.path ?? null,
      close: () => engine.close(),
    };
  } catch (error) {
    await engine.close();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
