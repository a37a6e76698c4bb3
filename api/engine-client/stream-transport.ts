// An engine of its own process (docs/operate/engine-process.md). It goes on while we are not there, and we while it is not: what it
// told last stays shown, commands are refused at once, and when it is back it tells what was missed, or all of it.
import { CallTracker, createEngineClient, type CallOutcome } from '../../shared-protocol/calls.js';
import type { CommandName, CommandParams, CommandResult } from '../../shared-protocol/commands.js';
import type { Clock, Timer } from '../../shared-protocol/clock.js';
import type { TorrentId } from '../../shared-protocol/ids.js';
import { AppError } from '../../shared-protocol/errors.js';
import type { EngineEvent, EngineEventListener, LogFields } from '../../shared-protocol/events.js';
import { StatsMirror } from '../../shared-protocol/stats-mirror.js';
import type { StatsTable } from '../../shared-protocol/stats-table.js';
import { answerTo } from '../../shared-protocol/stream/answer-shape.js';
import { encodeMessage } from '../../shared-protocol/stream/codec.js';
import type { EngineMessage, FrontMessage, Hello, Welcome } from '../../shared-protocol/stream/messages.js';
import type { Check } from '../../shared-protocol/stream/shape.js';
import type { EngineReturn, EngineTransport, TransportState } from '../../shared-protocol/transport.js';
import type { EngineLink } from './engine-link.js';
import type { ConnectionHandlers, StreamConnection } from './stream-connection.js';
import { roomForTold, ToldTorrents } from './told-torrents.js';
import { LOADING, mistaken, NOT_REACHED, TOO_MANY_TORRENTS, type WhyAway } from './why-away.js';

const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 5_000;
/** An engine that refuses us does so again until somebody has mended it. */
const REFUSED_RETRY_MS = 15_000;

/** Commands that an engine takes before it has told what it has: it begins by them. */
const BEFORE_LOADED: ReadonlySet<CommandName> = new Set<CommandName>(['start', 'grantLease']);

/** Where the figures go that an engine sends (shared-protocol/stats-mirror.ts). */
export interface Figures {
  /** Writes packed rows; false: they are none. */
  take(packed: Uint8Array): boolean;
  /** Figures that hold only at the moment go: nobody tells of them any more. */
  rest(): void;
}

export interface StreamTransportDeps {
  /** For messages: where the engine is. */
  readonly name: string;
  readonly connect: (handlers: ConnectionHandlers) => StreamConnection;
  readonly link: EngineLink;
  readonly clock: Pick<Clock, 'after' | 'unixMs'>;
  readonly random: () => number;
  /** In a table that others have a part in. @default a table of its own, told of as that of an engine in a thread is */
  readonly figures?: Figures;
  /** Bytes that all it tells of its torrents may take. @default as much as this process has room for */
  readonly maxToldBytes?: number;
  readonly log: { info(message: string, fields?: LogFields): void; warn(message: string, fields?: LogFields): void };
}

type Heard = NonNullable<Hello['heard']>;

/** A call that has not been answered. */
interface Asked {
  readonly name: CommandName;
  readonly isAnswer: Check;
  readonly answer: (outcome: CallOutcome<unknown>) => void;
}

export class StreamTransport implements EngineTransport {
  readonly #calls = new CallTracker((name, params) => this.#send(name, params));
  readonly client = createEngineClient(this.#calls);
  readonly #listeners: EngineEventListener[] = [];
  readonly #returnListeners: ((how: EngineReturn) => void)[] = [];
  readonly #answers = new Map<number, Asked>();
  readonly #reached: Promise<Welcome>;
  #onReached: (welcome: Welcome) => void = () => undefined;
  #onAway: () => void = () => undefined;
  #onUnreached: (reason: AppError) => void = () => undefined;
  #state: TransportState = 'starting';
  #connection: StreamConnection | null = null;
  #welcome: Welcome | null = null;
  #isGreeted = false;
  #isGivenUp = false;
  #nextCall = 1;
  #heard: Heard | null = null;
  /** Whether everything was heard: the engine has told all of it since our `start`. */
  #isWhole = false;
  readonly #told: ToldTorrents;
  #isAwaited: (id: TorrentId) => boolean = () => false;
  #figures: Figures | null = null;
  #table: StatsTable | null = null;
  #awaySinceMs: number | null = null;
  #why: WhyAway = NOT_REACHED;
  #tries = 0;
  #timer: Timer | null = null;

  constructor(private readonly deps: StreamTransportDeps) {
    this.#told = new ToldTorrents(deps.maxToldBytes ?? roomForTold(), (id) => this.#isAwaited(id));
    this.#reached = new Promise((resolve, reject) => {
      this.#onReached = resolve;
      this.#onUnreached = reject;
    });
    this.#reached.catch(() => undefined);
    this.#connect();
  }

  /** The word that it gave of itself last; null: it was never reached. */
  get welcome(): Welcome | null {
    return this.#welcome;
  }

  get state(): TransportState {
    return this.#state;
  }

  get pendingCalls(): number {
    return this.#calls.pending;
  }

  /** Unix milliseconds since which the engine is away, or has not told its torrents again; null: it is there. */
  get awaySinceMs(): number | null {
    return this.#awaySinceMs;
  }

  /** For who waits for it. */
  get whyAway(): WhyAway {
    return { ...this.#why, words: `engine ${this.deps.name}: ${this.#why.words}` };
  }

  /** Resolves when it was reached for the first time. @throws AppError `ENGINE_AWAY` where it refuses us, or at `close` */
  reached(): Promise<Welcome> {
    return this.#reached;
  }

  onEvent(listener: EngineEventListener): void {
    this.#listeners.push(listener);
    // It was reached before anybody listened.
    if (this.#table) listener({ name: 'stats.table', payload: this.#table });
  }

  /** Never: it comes back, or its operator sees to it. */
  onExit(): void {}

  onReturn(listener: (how: EngineReturn) => void): void {
    this.#returnListeners.push(listener);
  }

  /** Tells of torrents that it has handed to another engine which are still shown as they were here. @default none is */
  whichAreAwaited(isAwaited: (id: TorrentId) => boolean): void {
    this.#isAwaited = isAwaited;
  }

  /** One listener: it is called when the engine is lost that was there. */
  onAway(listener: () => void): void {
    this.#onAway = listener;
  }

  /** We go; the engine goes on. */
  close(): Promise<void> {
    if (this.#state === 'stopped') return Promise.resolve();
    this.#state = 'stopped';
    this.#timer?.cancel();
    this.#connection?.close();
    this.#giveUp();
    this.#calls.fail(new AppError('ENGINE_NOT_RUNNING', 'engine: stopped'));
    return Promise.resolve();
  }

  #connect(): void {
    this.#connection = this.deps.connect({
      onOpen: () => {
        const heard = this.#isWhole ? this.#heard : null;
        this.#say({ kind: 'hello', heard });
      },
      onMessage: (message) => this.#take(message),
      onClosed: (why, isRefused) => this.#lost(why, isRefused),
    });
  }

  #say(message: FrontMessage): void {
    this.#connection?.send(encodeMessage(message));
  }

  async #send<Name extends CommandName>(
    name: Name,
    params: CommandParams<Name>,
  ): Promise<CallOutcome<CommandResult<Name>>> {
    const isLoading = this.#awaySinceMs !== null && !BEFORE_LOADED.has(name);
    if (!this.#connection || !this.#isGreeted || isLoading) throw this.#away();
    const id = this.#nextCall;
    const bytes = encodeMessage({ kind: 'call', id, name, params } satisfies FrontMessage);
    this.#nextCall++;
    const isAnswer = answerTo(name, params);
    const answered = new Promise<CallOutcome<unknown>>((answer) => this.#answers.set(id, { name, isAnswer, answer }));
    this.#connection.send(bytes);
    const outcome = await answered;
    if (name === 'start' && outcome.kind === 'done') this.#becameWhole();
    // The engine answers each command by the handler of the same name in the same map of commands.
    return outcome as CallOutcome<CommandResult<Name>>;
  }

  #take(message: EngineMessage): boolean {
    if (message.kind === 'welcome') return !this.#isGreeted && this.#greeted(message);
    if (!this.#isGreeted) return false;
    switch (message.kind) {
      case 'rows':
        return this.#figures?.take(message.bytes) ?? false;
      case 'events':
        return this.#hear(message.first, message.events);
      case 'answer': {
        const { id, outcome } = message;
        const call = this.#answers.get(id);
        // Whoever waits for it learns that the engine is away.
        if (call && outcome.kind === 'done' && !call.isAnswer(outcome.value)) return false;
        this.#answers.delete(id);
        call?.answer(outcome);
        // One that is not waited for any more was answered too late.
        return id < this.#nextCall;
      }
    }
  }

  #greeted(welcome: Welcome): boolean {
    const { engineId, epoch, sequence, isResumed, version } = welcome;
    const { link, log, name } = this.deps;
    if (link.engineId !== null && link.engineId !== engineId) {
      this.#connection?.refuse(mistaken('it is another engine than the one that is known here (engine-link.json)'));
      return true;
    }
    const other = link.otherNameOf(engineId);
    if (other !== null) {
      this.#connection?.refuse(mistaken(`it is the engine that is called ${other} here`));
      return true;
    }
    if (link.engineId === null) {
      link.learn(engineId).catch((error: unknown) => log.warn('engine not remembered', { reason: String(error) }));
    }
    if (isResumed && (!this.#heard || this.#heard.epoch !== epoch)) return false;
    const isFirst = this.#heard === null && this.#state === 'starting';
    this.#isGreeted = true;
    this.#welcome = welcome;
    this.#tries = 0;
    this.#why = LOADING;
    if (this.#awaySinceMs !== null || isFirst)
      log.info('engine reached', { engine: name, version, resumed: isResumed });
    this.#state = 'running';
    if (isResumed) {
      this.#becameWhole();
      for (const listener of this.#returnListeners) listener('resumed');
      return true;
    }
    this.#isWhole = false;
    this.#told.beginReload();
    if (this.#heard?.epoch !== epoch) this.#figures = null;
    this.#heard = { epoch, sequence };
    this.#figures ??= this.deps.figures ?? new StatsMirror((table) => this.#openTable(table));
    if (isFirst && !this.#isGivenUp) this.#onReached(welcome);
    else for (const listener of this.#returnListeners) listener('anew');
    return true;
  }

  /** All that it has was told. */
  #becameWhole(): void {
    this.#isWhole = true;
    this.#awaySinceMs = null;
    this.#told.endReload();
  }

  #hear(first: number, events: readonly EngineEvent[]): boolean {
    const heard = this.#heard;
    // One that was left out, or comes again, would make another picture of what is there.
    if (!heard || first !== heard.sequence + 1) return false;
    this.#heard = { ...heard, sequence: heard.sequence + events.length };
    for (const event of events) {
      if (this.#told.take(event)) this.#emit(event);
      else return this.#hearNoMore();
    }
    return true;
  }

  /** Not all of it was heard, so that it tells all anew when it is back. */
  #hearNoMore(): true {
    this.#isWhole = false;
    this.#connection?.refuse(TOO_MANY_TORRENTS);
    return true;
  }

  #openTable(table: StatsTable): void {
    this.#table = table;
    this.#emit({ name: 'stats.table', payload: table });
  }

  #emit(event: EngineEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  #lost(why: WhyAway, isRefused: boolean): void {
    this.#connection = null;
    this.#isGreeted = false;
    this.#nextCall = 1;
    if (this.#state === 'stopped') return;
    const { clock, log, name, random } = this.deps;
    if (why.words !== this.#why.words) log.warn('engine away', { engine: name, reason: why.words });
    this.#why = why;
    if (this.#state === 'running') {
      this.#state = 'away';
      this.#awaySinceMs ??= clock.unixMs();
      this.#figures?.rest();
      this.#onAway();
    } else if (isRefused) this.#giveUp();
    for (const { name: command, answer } of this.#answers.values()) {
      const error = new AppError(
        'ENGINE_TIMEOUT',
        `engine: went away before it answered ${command}; it may have done it`,
      );
      answer({ kind: 'failed', error: { code: error.code, message: error.message } });
    }
    this.#answers.clear();
    const delayMs = isRefused ? REFUSED_RETRY_MS : Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#tries++);
    this.#timer = clock.after(delayMs * (0.75 + random() / 2), () => this.#connect());
  }

  /** Ends the wait for its first greeting: whoever goes on all the same is told of it as of a return. */
  #giveUp(): void {
    this.#isGivenUp = true;
    this.#onUnreached(this.#away());
  }

  #away(): AppError {
    return new AppError('ENGINE_AWAY', this.whyAway.words);
  }
}
