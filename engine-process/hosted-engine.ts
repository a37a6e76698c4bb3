// The engine that this process is there for: begun by its first front, or by itself with what a front said last; it goes on
// whatever becomes of fronts. Owns what of a front's word counts here (own-options.ts, roots.ts), and the events' numbers.
import { randomBytes } from 'node:crypto';
import type { CallOutcome } from '../shared-protocol/calls.js';
import type { CommandName, CommandParams } from '../shared-protocol/commands.js';
import type { EngineOptions, EngineStarted } from '../shared-protocol/commands/engine-options.js';
import { AppError, toErrorRecord } from '../shared-protocol/errors.js';
import { EventBatch } from '../shared-protocol/event-batch.js';
import type { EngineEvent } from '../shared-protocol/events.js';
import { RowPacker } from '../shared-protocol/stats-mirror.js';
import type { StatsTable } from '../shared-protocol/stats-table.js';
import { encodeMessage } from '../shared-protocol/stream/codec.js';
import type { Call, EngineMessage, Hello, Welcome } from '../shared-protocol/stream/messages.js';
import type { EngineTransport } from '../shared-protocol/transport.js';
import { folderHandlers, type FolderHandlers } from '../storage/folder-handlers.js';
import { confinedFolders } from './confined-folders.js';
import { EventRing } from './event-ring.js';
import type { KeptOptions } from './kept-options.js';
import type { NodeLease } from './node-lease.js';
import { changedBy, liveOptions, mustRestart, ownOptions, type OwnOptions } from './own-options.js';
import type { Roots } from './roots.js';

/** 1 MB of figures in one message. */
const ROWS_AT_ONCE = 8_192;
const STOP_MS = 7_000;

export interface HostedEngineDeps {
  readonly createEngine: () => EngineTransport;
  readonly engineId: string;
  readonly version: string;
  readonly own: OwnOptions;
  readonly roots: Roots;
  readonly kept: Pick<KeptOptions, 'read' | 'keep' | 'settled'>;
  /** null: it shares no roots, and needs none. */
  readonly lease: Pick<NodeLease, 'held' | 'grant' | 'end'> | null;
  /** Resolves when the run before is over. */
  readonly after: Promise<unknown>;
  /** The fronts that are connected, and were greeted. */
  readonly fronts: () => Iterable<HeardFront>;
  readonly onLog: (event: Extract<EngineEvent, { name: 'log' }>) => void;
  /** Whatever a front asks for of the leases of engines, and of whose torrents are, and does not get. */
  readonly onRefused: (name: CommandName, reason: string) => void;
  /** The engine has died; it does not come again in this process. */
  readonly onDied: (reason: AppError) => void;
}

/** A front that is told what happens. */
export interface HeardFront {
  /** Figures that it has been told. */
  readonly rows: RowPacker;
  tell(message: Uint8Array): void;
}

/** Commands that are between engines: an operator has to see which of them was refused, and why. */
const BETWEEN_ENGINES: ReadonlySet<CommandName> = new Set<CommandName>(['grantLease', 'giveTorrents', 'takeTorrents']);

type Handle<Name extends CommandName> = (params: CommandParams<Name>) => unknown;

interface Running {
  readonly engine: EngineTransport;
  readonly options: EngineOptions;
  readonly peerPort: number;
}

export class HostedEngine {
  readonly #epoch = randomBytes(16).toString('hex');
  readonly #ring = new EventRing();
  #table: StatsTable | null = null;
  readonly #events = new EventBatch((events) => this.#send(events));
  #sequence = 0;
  #engine: EngineTransport | null = null;
  #running: Running | null = null;
  /** Starts go one after another. */
  #starting: Promise<unknown>;
  #hasEnded = false;

  readonly #folders: FolderHandlers;

  constructor(private readonly deps: HostedEngineDeps) {
    this.#folders = folderHandlers(confinedFolders(deps.roots));
    this.#starting = deps.after;
  }

  /** Goes on with what its front said before; without, the first front begins it. @throws AppError `LISTEN_FAILED`, … */
  async begin(): Promise<EngineStarted | null> {
    const options = await this.deps.kept.read();
    return options && this.#inTurn(async () => this.#start(await this.#own(options)));
  }

  /** Returns what a front is told first, and what it has missed. */
  greet({ heard }: Hello): { readonly welcome: Welcome; readonly missed: readonly Uint8Array[] } {
    const { engineId, version, roots } = this.deps;
    const missed = heard?.epoch === this.#epoch ? this.#ring.after(heard.sequence, this.#sequence) : null;
    const welcome: Welcome = {
      kind: 'welcome',
      ...{ engineId, version, epoch: this.#epoch, sequence: this.#sequence },
      ...{ isResumed: missed !== null, roots: [...roots.all] },
    };
    return { welcome, missed: (missed ?? []).map(({ message }) => message) };
  }

  /** Sends what has happened, figures first: a torrent that is new is known with them. */
  flush(): void {
    for (const front of this.deps.fronts()) this.flushRows(front);
    this.#events.flush();
  }

  flushRows({ rows, tell }: HeardFront): void {
    for (let bytes = rows.take(ROWS_AT_ONCE); bytes; bytes = rows.take(ROWS_AT_ONCE)) {
      tell(encodeMessage({ kind: 'rows', bytes } satisfies EngineMessage));
    }
  }

  /** Figures for a front that has none: what it had before is not known. */
  packer(): RowPacker {
    const rows = new RowPacker();
    if (this.#table) rows.attach(this.#table);
    return rows;
  }

  async call({ name, params }: Pick<Call, 'name' | 'params'>): Promise<CallOutcome<unknown>> {
    try {
      return { kind: 'done', value: await this.#run(name, params as never) };
    } catch (error) {
      const record = toErrorRecord(error);
      if (BETWEEN_ENGINES.has(name)) this.deps.onRefused(name, record.message);
      return { kind: 'failed', error: record };
    }
  }

  async close(): Promise<void> {
    await this.#starting.catch(() => undefined);
    this.#hasEnded = true;
    await this.#engine?.close(STOP_MS);
    this.flush();
    await this.deps.kept.settled();
  }

  /** Ends it whatever it does: nothing is written or announced any more when it resolves, at the latest after the time and a moment. */
  async end(timeoutMs: number): Promise<void> {
    this.#hasEnded = true;
    this.#running = null;
    await this.#engine?.close(timeoutMs);
  }

  /** Tells fronts, between what the engine says. */
  tell(event: EngineEvent): void {
    this.#events.add(event);
    this.#events.flush();
  }

  async #run<Name extends CommandName>(name: Name, params: CommandParams<Name>): Promise<unknown> {
    const { roots } = this.deps;
    if (name === 'stop') throw new AppError('BUG', 'bug: an engine of its own process is stopped where it runs');
    if (name === 'start') return this.#inTurn(async () => this.#attach(await this.#own(params as EngineOptions)));
    if (name === 'grantLease') return this.deps.lease?.grant(params as CommandParams<'grantLease'>);
    // Also before the engine has begun: where it may save is asked first.
    const asked = this.#folders[name as keyof FolderHandlers] as Handle<Name> | undefined;
    if (asked) return asked(params);
    await roots.check(name, params);
    const running = this.#running;
    if (!running) throw new AppError('ENGINE_NOT_RUNNING', 'engine: not started');
    // The client maps each name to the call of that name.
    const result = await (running.engine.client[name] as Handle<Name>)(params);
    this.#keepChange(name, params);
    return result;
  }

  /** Options that it is to begin with, under the lease that it has, or waits for. @throws AppError `ENGINE_FENCED` */
  async #own(said: EngineOptions): Promise<EngineOptions> {
    const { own, lease } = this.deps;
    return ownOptions(said, own, lease && { epoch: await lease.held(), leaseEnd: lease.end.buffer });
  }

  /** A front has come that has none of it: it is told of all. Beside others it takes the engine as it is. */
  async #attach(given: EngineOptions): Promise<EngineStarted> {
    const running = this.#running;
    if (!running) return this.#start(given);
    const isAlone = [...this.deps.fronts()].length <= 1;
    const wanted = isAlone ? given : liveOptions(running.options, given);
    if (mustRestart(running.options, wanted, running.peerPort)) {
      this.#running = null;
      await running.engine.close(STOP_MS);
      return this.#start(wanted);
    }
    this.#keep({ ...running, options: wanted });
    const { client } = running.engine;
    // First what closes: nobody is met in between who is not to be.
    if (wanted.network) await client.setNetwork(wanted.network);
    await client.setBlocklist({ lists: wanted.blocklist });
    await client.setAdopters({ adopters: wanted.adopters ?? [] });
    await client.setInsiders({ accountIds: wanted.insiders });
    await client.setAccountLimits({ limits: wanted.accountLimits ?? [] });
    await client.setRateLimits(wanted.rateLimits);
    await client.setQueueLimits(wanted.queueLimits);
    await client.setPeerLimits({ maxPeersPerTorrent: wanted.maxPeersPerTorrent });
    return client.tellTorrents({});
  }

  async #start(options: EngineOptions): Promise<EngineStarted> {
    if (this.#hasEnded) throw new AppError('ENGINE_FENCED', 'engine: its lease has run out');
    const engine = this.deps.createEngine();
    this.#engine = engine;
    engine.onEvent((event) => this.#take(event));
    engine.onExit((reason) => this.deps.onDied(reason));
    try {
      const started = await engine.client.start(options);
      this.#keep({ engine, options, peerPort: started.peerPort });
      return started;
    } catch (error) {
      await engine.close(0);
      throw error;
    }
  }

  #take(event: EngineEvent): void {
    if (event.name === 'stats.table') this.#attachTable(event.payload);
    else if (event.name === 'log') this.deps.onLog(event);
    if (event.name !== 'stats.table') this.#events.add(event);
  }

  #attachTable(table: StatsTable): void {
    this.#table = table;
    for (const { rows } of this.deps.fronts()) rows.attach(table);
  }

  #send(events: readonly EngineEvent[]): void {
    for (const front of this.deps.fronts()) this.flushRows(front);
    const first = this.#sequence + 1;
    this.#sequence += events.length;
    const message = encodeMessage({ kind: 'events', first, events } satisfies EngineMessage);
    this.#ring.add({ first, count: events.length, message });
    for (const { tell } of this.deps.fronts()) tell(message);
  }

  #keepChange<Name extends CommandName>(name: Name, params: CommandParams<Name>): void {
    const running = this.#running;
    const options = running && changedBy(running.options, name, params);
    if (running && options !== running.options) this.#keep({ ...running, options: options! });
  }

  #keep(running: Running): void {
    this.#running = running;
    // The next run has a lease of its own.
    const { sharing: _, ...options } = running.options;
    this.deps.kept.keep(options);
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#starting.then(work, work);
    this.#starting = done.catch(() => undefined);
    return done;
  }
}
