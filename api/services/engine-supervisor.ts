// Keeps an engine running: a new one takes the place of one that died, at most three times in ten minutes. Until it has
// loaded, commands are rejected with `ENGINE_EXITED`, which clients see as 503.
import type { EngineClient } from '../../shared-protocol/commands.js';
import type { EngineOptions, EngineStarted } from '../../shared-protocol/commands/engine-options.js';
import { AppError, messageOf } from '../../shared-protocol/errors.js';
import type { EngineEventListener } from '../../shared-protocol/events.js';
import type { EngineReturn, EngineTransport } from '../../shared-protocol/transport.js';
import type { Log } from '../logging.js';

const MINUTE_MS = 60_000;
const RESTART_WINDOW_MINUTES = 10;
const MAX_RESTARTS = 3;

export interface SupervisorDeps {
  readonly createEngine: () => EngineTransport;
  readonly log: Log;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly onEvent: EngineEventListener;
  /** Around the loading of an engine that takes another's place, or has told us nothing for too long. */
  readonly onReload: (phase: 'begin' | 'end') => void;
  /** After it, and when an engine is back that was away for a while: it is to be told what has changed meanwhile. */
  readonly onBack: () => void;
  /** Returns what an engine that takes another's place is started with, given what that was. @default the same */
  readonly renew?: (options: EngineOptions) => EngineOptions;
  /** Too many restarts: there will be no engine any more. */
  readonly onGivenUp: (reason: AppError) => void;
}

export class EngineSupervisor {
  #engine: EngineTransport | null = null;
  #options: EngineOptions | null = null;
  #isClosing = false;
  readonly #restartsAtMs: number[] = [];

  constructor(private readonly deps: SupervisorDeps) {}

  /** The client of the engine that is running; of the dead one until its successor has loaded. */
  get client(): EngineClient {
    if (!this.#engine) throw new AppError('ENGINE_NOT_RUNNING', 'engine: not started');
    return this.#engine.client;
  }

  /** @throws AppError `LISTEN_FAILED`, `STORAGE_FAILED`, … */
  async start(options: EngineOptions): Promise<EngineStarted> {
    const engine = this.#create();
    let started: EngineStarted;
    try {
      started = await engine.client.start(options);
    } catch (error) {
      await engine.close(0);
      throw error;
    }
    if (this.#isClosing) await engine.close(0);
    this.#engine = engine;
    // A successor takes over the port that peers know.
    const { peerPort } = started;
    this.#options = peerPort === 0 ? options : { ...options, peerPort, peerPorts: [] };
    return started;
  }

  async close(timeoutMs: number): Promise<void> {
    this.#isClosing = true;
    await this.#engine?.close(timeoutMs);
  }

  #create(): EngineTransport {
    const engine = this.deps.createEngine();
    engine.onEvent(this.deps.onEvent);
    engine.onExit((reason) => {
      if (engine === this.#engine) void this.#replace(reason);
    });
    engine.onReturn?.((how) => void this.#returned(engine, how));
    return engine;
  }

  async #replace(reason: AppError): Promise<void> {
    if (this.#isClosing || !this.#options) return;
    this.deps.log.error('engine died', { reason: reason.message });
    if (!this.#mayRestart()) return this.deps.onGivenUp(givenUp(reason));
    this.deps.onReload('begin');
    try {
      const { renew = (same) => same } = this.deps;
      const { torrents } = await this.start(renew(this.#options));
      this.deps.onReload('end');
      this.deps.onBack();
      this.deps.log.warn('engine restarted', { torrents });
    } catch (error) {
      const message = messageOf(error);
      await this.#replace(new AppError('ENGINE_EXITED', `engine does not start again: ${message}`));
    }
  }

  /** An engine of its own process. One that goes again before it has told all comes back the same way. */
  async #returned(engine: EngineTransport, how: EngineReturn): Promise<void> {
    if (this.#isClosing || !this.#options || engine !== this.#engine) return;
    if (how === 'resumed') return this.deps.onBack();
    this.deps.onReload('begin');
    try {
      const { renew = (same) => same } = this.deps;
      const { torrents } = await engine.client.start(renew(this.#options));
      this.deps.onReload('end');
      this.deps.onBack();
      this.deps.log.info('engine is back', { torrents });
    } catch (error) {
      this.deps.log.warn('engine not loaded', { reason: messageOf(error) });
    }
  }

  #mayRestart(): boolean {
    const now = this.deps.now();
    const recent = this.#restartsAtMs.filter((atMs) => now - atMs < RESTART_WINDOW_MINUTES * MINUTE_MS);
    this.#restartsAtMs.splice(0, Infinity, ...recent, now);
    return recent.length < MAX_RESTARTS;
  }
}

function givenUp({ message }: AppError): AppError {
  const times = `${MAX_RESTARTS + 1} times within ${RESTART_WINDOW_MINUTES} minutes`;
  return new AppError('ENGINE_EXITED', `the engine died ${times}, giving up: ${message}`);
}
