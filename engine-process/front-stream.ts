// The stream to the front that is connected: greets it, answers its calls, and tells it of events and figures. Owns the
// order: figures before the events of the same moment, and both before the answer to what caused them.
import { performance } from 'node:perf_hooks';
import type { RawData, WebSocket } from 'ws';
import type { CallOutcome } from '../shared-protocol/calls.js';
import { toErrorRecord } from '../shared-protocol/errors.js';
import { decodeMessage, encodeMessage } from '../shared-protocol/stream/codec.js';
import { FrameJoiner } from '../shared-protocol/stream/frames.js';
import { frontMessageOf, type Call, type EngineMessage, type Hello } from '../shared-protocol/stream/messages.js';
import { Outbox } from '../shared-protocol/stream/outbox.js';
import { CallNumbers } from './call-numbers.js';

/** A front that has not taken so much gives up its stream, and comes again. */
const MAX_UNSENT_BYTES = 64 * 1024 * 1024;
/** While so much waits to be taken, figures wait as well: newer ones come. */
const BUSY_BYTES = 1024 * 1024;
const PING_EVERY_MS = 5_000;
/** Neither a message nor an answer to a ping for so long: the other side is gone. */
const SILENCE_MS = 15_000;
/** Reasons for which a stream is closed, as WebSocket has them (RFC 6455, section 7.4). */
const PROTOCOL_ERROR = 1002;
const GOING_AWAY = 1001;

export interface FrontStreamDeps {
  readonly socket: WebSocket;
  /** Returns what the front is to hear at first. */
  greet(hello: Hello): { readonly welcome: EngineMessage; readonly missed: readonly Uint8Array[] };
  call(call: Call): Promise<CallOutcome<unknown>>;
  /** Before each answer: what came before it goes out. */
  flush(): void;
  /** Once, with why. */
  onClosed(reason: string): void;
}

export class FrontStream {
  readonly #joiner = new FrameJoiner();
  readonly #outbox: Outbox;
  readonly #pinging: NodeJS.Timeout;
  readonly #calls = new CallNumbers();
  #isGreeted = false;
  #isRefused = false;
  #heardAtMs = performance.now();
  #fault = '';

  constructor(private readonly deps: FrontStreamDeps) {
    const { socket } = deps;
    this.#outbox = new Outbox({
      send: (frame, onTaken) => socket.send(frame, { compress: false }, () => onTaken?.()),
    });
    socket.on('message', (data: RawData, isBinary: boolean) =>
      this.#take(isBinary && Buffer.isBuffer(data) ? data : null),
    );
    socket.on('pong', () => (this.#heardAtMs = performance.now()));
    socket.on('error', (error) => (this.#fault ||= error.message));
    socket.on('close', (code) => {
      clearInterval(this.#pinging);
      deps.onClosed(this.#fault || `closed (${code})`);
    });
    this.#pinging = setInterval(() => this.#watch(), PING_EVERY_MS).unref();
  }

  /** Whether it has been greeted: until then nothing is sent to it. */
  get isGreeted(): boolean {
    return this.#isGreeted;
  }

  /** The front has not taken what was sent before yet. */
  get isBusy(): boolean {
    return this.deps.socket.bufferedAmount > BUSY_BYTES;
  }

  /** Events or figures, in their order. */
  tell(message: Uint8Array): void {
    this.#outbox.sendInOrder(message);
    if (this.deps.socket.bufferedAmount > MAX_UNSENT_BYTES) this.end('the front takes too little of what it is told');
  }

  /** Now, whether or not the other side agrees. */
  end(reason: string): void {
    this.#fault ||= reason;
    this.deps.socket.terminate();
  }

  /** In order: this process ends, or another stream takes the place of this one. */
  close(reason: string): void {
    this.#fault ||= reason;
    this.deps.socket.close(GOING_AWAY, reason);
  }

  #watch(): void {
    if (performance.now() - this.#heardAtMs > SILENCE_MS) return this.end('silent');
    this.deps.socket.ping();
  }

  #take(frame: Buffer | null): void {
    if (this.#isRefused) return;
    this.#heardAtMs = performance.now();
    const joined = frame && this.#joiner.take(frame);
    if (joined === null && frame) return;
    const message = joined instanceof Uint8Array ? frontMessageOf(decodeMessage(joined)) : null;
    if (!message) return this.#refuse('no message of this protocol');
    if (message.kind === 'hello') return this.#greet(message);
    if (!this.#isGreeted) return this.#refuse('a call before hello');
    if (!this.#calls.take(message.id)) return this.#refuse('a call that was there already');
    void this.#answer(message);
  }

  #greet(hello: Hello): void {
    if (this.#isGreeted) return this.#refuse('a second hello');
    // What happened until now is among what it is told it missed, or will be told.
    this.deps.flush();
    const { welcome, missed } = this.deps.greet(hello);
    this.#isGreeted = true;
    this.#outbox.sendInOrder(encodeMessage(welcome));
    // Figures first, as ever.
    this.deps.flush();
    for (const message of missed) this.tell(message);
  }

  async #answer(call: Call): Promise<void> {
    const outcome = await this.deps.call(call);
    this.deps.flush();
    this.#outbox.send(encodedAnswer(call.id, outcome));
  }

  #refuse(reason: string): void {
    this.#isRefused = true;
    this.#fault ||= reason;
    this.deps.socket.close(PROTOCOL_ERROR, reason);
  }
}

/** The answer; of what cannot cross a bug, as between threads. */
function encodedAnswer(id: number, outcome: CallOutcome<unknown>): Uint8Array {
  const answer = (said: CallOutcome<unknown>): EngineMessage => ({ kind: 'answer', id, outcome: said });
  try {
    return encodeMessage(answer(outcome));
  } catch (error) {
    return encodeMessage(answer({ kind: 'failed', error: toErrorRecord(error) }));
  }
}
