// The engines that a run of the daemon has: a thread of this process, or one of its own process, or several of those
// (docs/operate/engine-process.md). One alone is reached before anything else begins; of several each may come later.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { EngineOptions, EngineStarted, JointClient } from '../../shared-protocol/commands.js';
import { systemClock } from '../../shared-protocol/clock.js';
import { AppError } from '../../shared-protocol/errors.js';
import type { EngineEvent, TorrentFacts } from '../../shared-protocol/events.js';
import type { AccountId, TorrentId } from '../../shared-protocol/ids.js';
import type { EngineTransport } from '../../shared-protocol/transport.js';
import type { DataDirectory } from '../../storage/data-directory.js';
import { readKnownTorrents, writeKnownTorrents } from '../../storage/known-torrents.js';
import { localFolders } from '../../storage/local-folders.js';
import type { Leases } from '../../storage/types.js';
import type { Options } from '../cli/options.js';
import { monotonicMs } from '../clocks.js';
import { engineFolders } from '../engine-client/engine-folders.js';
import { logEngine, reachEngine } from '../engine-client/engine-host.js';
import { ONLY_ENGINE, openEngineLinks } from '../engine-client/engine-link.js';
import { nameOfAddress, type EngineAt } from '../engine-client/stream-address.js';
import type { StreamTransport } from '../engine-client/stream-transport.js';
import { EngineGroup, type GroupedEngine } from '../engines/engine-group.js';
import type { Engines } from '../engines/engines.js';
import { JointFigures } from '../engines/joint-figures.js';
import type { KnownTorrentsStore } from '../engines/known-torrents.js';
import { oneEngine } from '../engines/one-engine.js';
import { SeveralEngines } from '../engines/several-engines.js';
import type { Log } from '../logging.js';
import { EngineSupervisor } from '../services/engine-supervisor.js';
import { readEnginesFile } from './engines-file.js';

/** An engine that starts together with us is waited for; of one that is not there in time the start fails, and says why. */
const REACH_MS = 60_000;

export interface OpenEnginesDeps {
  /** A thread of this process. */
  readonly createEngine: () => EngineTransport;
  readonly log: Log;
  readonly engineLog: Log;
}

export interface SuperviseDeps {
  /** `isLoading`: the engine is telling all it has. */
  readonly onEvent: (event: EngineEvent, isLoading: boolean) => void;
  /** Around it, for what another engine of the same torrents has told before; `isOf`: the torrent is one of that engine's. */
  readonly onReload: (phase: 'begin' | 'end', isOf: (id: TorrentId) => boolean) => void;
  /** An engine is to be told what has changed meanwhile. */
  readonly onBack: () => void;
  readonly renew: (options: EngineOptions) => EngineOptions;
  /** There will be no engine any more. */
  readonly onGivenUp: (reason: AppError) => void;
  /** The name of an account's engine; '' for the first one, `auto` where the fleet places each torrent. */
  readonly engineOfAccount: (id: AccountId) => string;
  readonly isAdmin: (id: AccountId) => boolean;
  /** Whether this front does what may be done only once. */
  readonly leads: () => boolean;
  /** Leases of engines on shared roots. */
  readonly leases: Leases;
  /** Whether an engine is to be left: nothing new is saved there. */
  readonly isDraining: (name: string) => boolean;
  /** All torrents that are shown. */
  readonly torrents: () => Iterable<TorrentFacts>;
}

/** An engine that is kept running, or several. */
export interface Supervised {
  readonly client: JointClient;
  /** @throws AppError `LISTEN_FAILED`, `STORAGE_FAILED`, … of one alone */
  start(options: EngineOptions): Promise<EngineStarted>;
  close(timeoutMs: number): Promise<void>;
}

export interface OpenedEngines {
  readonly engines: Engines;
  /** Where the first one saves unless somebody says otherwise; null: it has not said. */
  readonly savePath: string | null;
  /** Once. */
  supervise(deps: SuperviseDeps): Supervised;
  close(): Promise<void>;
}

/** @throws AppError `ENGINE_AWAY`, `ENGINES_FILE_INVALID`, `STORAGE_FAILED` */
export async function openEngines(
  { engine, enginesFile }: Pick<Options, 'engine' | 'enginesFile'>,
  deps: OpenEnginesDeps,
  directory: DataDirectory,
): Promise<OpenedEngines> {
  const linkFile = directory.file('engine-link.json');
  if (enginesFile !== null) return openSeveral(enginesFile, deps, directory);
  if (engine) return openProcess(engine, deps, linkFile);
  return {
    engines: oneEngine(localFolders),
    savePath: null,
    supervise: (wanted) => superviseOne(deps.createEngine, deps, wanted),
    close: () => Promise.resolve(),
  };
}

/** @throws AppError `ENGINE_AWAY`, system errors of the files that are named */
async function openProcess(at: EngineAt, deps: OpenEnginesDeps, linkFile: string): Promise<OpenedEngines> {
  const links = await openEngineLinks(linkFile, [ONLY_ENGINE]);
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
    const fail = () => reject(new AppError('ENGINE_AWAY', `${engine.whyAway}; given up after ${REACH_MS / 1_000} s`));
    timer = setTimeout(fail, REACH_MS);
  });
  try {
    return await Promise.race([engine.reached(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** @throws AppError `ENGINES_FILE_INVALID`, system errors of the files that are named in it */
async function openSeveral(file: string, deps: OpenEnginesDeps, directory: DataDirectory): Promise<OpenedEngines> {
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

function superviseOne(createEngine: () => EngineTransport, { log }: OpenEnginesDeps, deps: SuperviseDeps): Supervised {
  const { onEvent, onReload, onBack, renew, onGivenUp } = deps;
  let isLoading = true;
  const supervisor = new EngineSupervisor({
    ...{ createEngine, log, now: monotonicMs, onBack, renew, onGivenUp },
    onEvent: (event) => onEvent(event, isLoading),
    onReload: (phase) => {
      isLoading = phase === 'begin';
      onReload(phase, () => true);
    },
  });
  return {
    get client() {
      return supervisor.client;
    },
    async start(options) {
      const started = await supervisor.start(options);
      isLoading = false;
      return started;
    },
    close: (timeoutMs) => supervisor.close(timeoutMs),
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
