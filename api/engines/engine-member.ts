// One of several engines, from the first try to reach it on: it is begun when it is there, and again whenever it has to tell all it
// has. One that cannot begin is tried again; the others go on meanwhile.
import type { Clock, Timer } from '../../shared-protocol/clock.js';
import type { EngineClient } from '../../shared-protocol/commands.js';
import type { EngineOptions, EngineStarted } from '../../shared-protocol/commands/engine-options.js';
import { AppError } from '../../shared-protocol/errors.js';
import type { EngineReturn } from '../../shared-protocol/transport.js';
import { startOnFreePort } from '../engine-client/free-port.js';
import type { StreamTransport } from '../engine-client/stream-transport.js';
import { failed, type WhyAway } from '../engine-client/why-away.js';
import type { Log } from '../logging.js';

const RETRY_MS = 15_000;

export interface MemberDeps {
  readonly name: string;
  readonly transport: Pick<
    StreamTransport,
    'client' | 'reached' | 'onAway' | 'onReturn' | 'awaySinceMs' | 'state' | 'whyAway'
  >;
  /** The options that it is to be started with now. */
  readonly options: () => EngineOptions;
  /** Around the telling of all it has. */
  readonly onReload: (phase: 'begin' | 'end') => void;
  /** All that it had told stays as it is. */
  readonly onAway: () => void;
  /** All that it had told is so still, or has been told anew, and it is to be told what has changed while it was away. */
  readonly onBack: (how: EngineReturn) => void;
  readonly clock: Pick<Clock, 'after' | 'unixMs'>;
  readonly log: Log;
}

export class EngineMember {
  readonly #sinceMs: number;
  #started: EngineStarted | null = null;
  #isLoaded = false;
  #isLoading = false;
  /** Why its last start failed. */
  #fault: WhyAway | null = null;
  #retry: Timer | null = null;
  #isClosed = false;

  constructor(private readonly deps: MemberDeps) {
    this.#sinceMs = deps.clock.unixMs();
    deps.transport.onAway(deps.onAway);
    deps.transport.onReturn((how) => void this.#returned(how));
  }

  get name(): string {
    return this.deps.name;
  }

  /** All that it has was told. */
  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /** Whether it is telling what it has. */
  get isLoading(): boolean {
    return this.#isLoading;
  }

  /** null: it has not begun yet. */
  get started(): EngineStarted | null {
    return this.#started;
  }

  /** Unix milliseconds since which it is away, or has not told what it has; null: it is there. */
  get awaySinceMs(): number | null {
    return this.deps.transport.awaySinceMs ?? (this.#isLoaded ? null : this.#sinceMs);
  }

  /** @throws AppError `ENGINE_AWAY` while not all that it has is known */
  get client(): EngineClient {
    if (!this.#isLoaded) throw new AppError('ENGINE_AWAY', `engine ${this.name}: ${this.whyAway.words}`);
    return this.deps.transport.client;
  }

  /** The last start's failure while it is reached, else the stream's; nothing of use of one that is there. */
  get whyAway(): WhyAway {
    const isReached = this.deps.transport.state === 'running';
    return (isReached && !this.#isLoading ? this.#fault : null) ?? this.deps.transport.whyAway;
  }

  /** Resolves when it has begun, or is known not to be there. Never rejects: it begins once it is. */
  async begin(): Promise<void> {
    try {
      await this.deps.transport.reached();
    } catch {
      return;
    }
    await this.#load();
  }

  close(): void {
    this.#isClosed = true;
    this.#retry?.cancel();
  }

  async #returned(how: EngineReturn): Promise<void> {
    if (how === 'resumed' && this.#isLoaded) return this.deps.onBack(how);
    await this.#load();
  }

  async #load(): Promise<void> {
    if (this.#isClosed) return;
    this.#retry?.cancel();
    const { onReload, onBack, log, name } = this.deps;
    onReload('begin');
    this.#isLoading = true;
    try {
      this.#started = await this.#start();
      this.#isLoaded = true;
      this.#fault = null;
      onReload('end');
      onBack('anew');
      log.info('engine loaded', { engine: name, torrents: this.#started.torrents });
    } catch (error) {
      const fault = failed(error);
      log.warn('engine not loaded', { engine: name, reason: fault.words });
      this.#again(fault);
    } finally {
      this.#isLoading = false;
    }
  }

  /** A port that another program has gives way: peers of one engine matter less than its torrents. */
  #start(): Promise<EngineStarted> {
    const { client } = this.deps.transport;
    const options = this.deps.options();
    return startOnFreePort(client.start, options, () =>
      this.deps.log.warn('the peer port is taken; using a free one', { engine: this.name, port: options.peerPort }),
    );
  }

  /** One whose stream was cut comes back by itself, and may do so before. */
  #again(fault: WhyAway): void {
    if (this.#isClosed) return;
    this.#fault = fault;
    this.#retry = this.deps.clock.after(RETRY_MS, () => {
      if (this.deps.transport.state === 'running') void this.#load();
    });
  }
}
