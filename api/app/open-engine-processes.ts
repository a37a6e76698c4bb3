// Engines of processes of their own: one that is reached before anything else begins, or several of which each may come
// later (docs/operate/engine-process.md). Loaded only where there are any.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../shared-protocol/clock.js';
import { AppError } from '../../shared-protocol/errors.js';
import type { EngineTransport } from '../../shared-protocol/transport.js';
import type { DataDirectory } from '../../storage/data-directory.js';
import { readKnownTorrents, writeKnownTorrents } from '../../storage/known-torrents.js';
import { engineFolders } from '../engine-client/engine-folders.js';
import { logEngine } from '../engine-client/engine-host.js';
import { ONLY_ENGINE, openEngineLinks } from '../engine-client/engine-link.js';
import { reachEngine } from '../engine-client/reach-engine.js';
import { nameOfAddress, type EngineAt } from '../engine-client/stream-address.js';
import type { StreamTransport } from '../engine-client/stream-transport.js';
import { EngineGroup, type GroupedEngine } from '../engines/engine-group.js';
import { JointFigures } from '../engines/joint-figures.js';
import type { KnownTorrentsStore } from '../engines/known-torrents.js';
import { oneEngine } from '../engines/one-engine.js';
import { SeveralEngines } from '../engines/several-engines.js';
import { readEnginesFile } from './engines-file.js';
import { superviseOne, type OpenedEngines, type OpenEnginesDeps } from './supervised-engine.js';

/** An engine that starts together with us is waited for; of one that is not there in time the start fails, and says why. */
const REACH_MS = 60_000;

/** @throws AppError `ENGINE_AWAY`, system errors of the files that are named */
export async function openProcess(
  at: EngineAt,
  deps: OpenEnginesDeps,
  directory: DataDirectory,
): Promise<OpenedEngines> {
  const links = await openEngineLinks(directory.file('engine-link.json'), [ONLY_ENGINE]);
  const engine = await reachEngine(at, links.get(ONLY_ENGINE)!, deps);
  logEngine(engine, deps.engineLog);
  try {
    const { roots } = await reachedInTime(engine);
    return {
      engines: oneEngine(engineFolders(engine.client), () => engine.awaySinceMs),
      savePath: roots[0]?.path ?? null,
      supervise: (wanted) => superviseOne(() => useOf(engine), deps, wanted),
      close: () => engine.close(),
    };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** @throws AppError `ENGINE_AWAY` */
async function reachedInTime(engine: StreamTransport) {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const fail = () =>
      reject(new AppError('ENGINE_AWAY', `${engine.whyAway.words}; given up after ${REACH_MS / 1_000} s`));
    timer = setTimeout(fail, REACH_MS);
  });
  try {
    return await Promise.race([engine.reached(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** @throws AppError `ENGINES_FILE_INVALID`, system errors of the files that are named in it */
export async function openSeveral(
  file: string,
  deps: OpenEnginesDeps,
  directory: DataDirectory,
): Promise<OpenedEngines> {
  const { entries, takeOverAfterMs, placement } = await readEnginesFile(file);
  const names = entries.map(({ name }) => name);
  const links = await openEngineLinks(directory.file('engine-link.json'), names);
  const known = await knownTorrentsIn(directory.file('engine-torrents'));
  const figures = new JointFigures();
  const opened: (GroupedEngine & { readonly address: string; readonly transport: StreamTransport })[] = [];
  const close = async () => void (await Promise.all(opened.map(({ transport }) => transport.close())));
  try {
    for (const { name, at, peerPort } of entries) {
      const part = figures.part();
      const transport = await reachEngine(at, links.get(name)!, { log: deps.log, figures: part });
      logEngine(transport, deps.engineLog);
      const engineId = () => links.get(name)!.engineId;
      opened.push({ name, transport, figures: part, peerPort, engineId, address: nameOfAddress(at.address) });
    }
  } catch (error) {
    await close();
    throw error;
  }
  let group: EngineGroup | null = null;
  const named = opened.map(({ name, address, transport }) => ({
    ...{ name, address, client: transport.client },
    get welcome() {
      return transport.welcome;
    },
  }));
  return {
    engines: new SeveralEngines(named, () => group, takeOverAfterMs, placement),
    savePath: null,
    supervise: (wanted) =>
      (group = new EngineGroup({ ...wanted, known, engines: opened, figures, clock: systemClock, log: deps.log })),
    close,
  };
}

/** A file for each engine. @throws system errors */
async function knownTorrentsIn(folder: string): Promise<KnownTorrentsStore> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const fileOf = (engine: string) => join(folder, `${engine}.jsonl`);
  return {
    write: (engine, torrents) => writeKnownTorrents(fileOf(engine), torrents),
    read: (engine) => readKnownTorrents(fileOf(engine)),
  };
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
