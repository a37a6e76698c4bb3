// What a run of the daemon knows of its engines, and one engine that is kept running whatever it is.
import type { EngineOptions, EngineStarted } from '../../shared-protocol/commands/engine-options.js';
import type { JointClient } from '../../shared-protocol/commands.js';
import type { AppError } from '../../shared-protocol/errors.js';
import type { EngineEvent, TorrentFacts } from '../../shared-protocol/events.js';
import type { AccountId, TorrentId } from '../../shared-protocol/ids.js';
import type { EngineTransport } from '../../shared-protocol/transport.js';
import type { Leases } from '../../storage/types.js';
import { monotonicMs } from '../clocks.js';
import type { Engines } from '../engines/engines.js';
import type { Log } from '../logging.js';
import { EngineSupervisor } from '../services/engine-supervisor.js';

export interface OpenEnginesDeps {
  /** A thread of this process. */
  readonly createEngine: () => EngineTransport;
  readonly log: Log;
  readonly engineLog: Log;
}

/** Hears of the engine, and says how it begins anew. */
export interface EngineFollower {
  /** `isLoading`: the engine is telling all it has. */
  readonly onEvent: (event: EngineEvent, isLoading: boolean) => void;
  /** Around it, for what another engine of the same torrents has told before; `isOf`: the torrent is one of that engine's. */
  readonly onReload: (phase: 'begin' | 'end', isOf: (id: TorrentId) => boolean) => void;
  /** An engine is to be told what has changed meanwhile. */
  readonly onBack: () => void;
  readonly renew: (options: EngineOptions) => EngineOptions;
}

export interface SuperviseDeps extends EngineFollower {
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

/** The engine that each start is given, kept running. */
export function superviseOne(
  createEngine: () => EngineTransport,
  { log }: OpenEnginesDeps,
  deps: SuperviseDeps,
): Supervised {
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
