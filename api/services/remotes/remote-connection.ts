// The one connection to a remote, by which it tells of its list: kept up, with longer and longer pauses while it cannot be
// had, and a minute while the key is refused, so that nobody takes it for an attack. A remote that is silent is not there.
import type { WebSocket } from 'ws';
import type { RemoteState } from '../../../shared-protocol/dto/remotes.js';
import type { Clock, Timer } from '../../clocks.js';
import { HandshakeRefused } from '../../egress/pinned-websocket.js';
import { RequestError } from '../../errors.js';

const SECOND_MS = 1_000;
const FIRST_PAUSE_MS = SECOND_MS;
const MAX_PAUSE_MS = 30 * SECOND_MS;
/** A pause after what will not mend itself soon: a key that is refused, a list that is none. */
const REFUSED_PAUSE_MS = 60 * SECOND_MS;
/** Asked for a sign of life; a Swarmd tells of its list each second. */
const PING_EVERY_MS = 5 * SECOND_MS;
const SILENT_MS = 15 * SECOND_MS;
/** Bytes of long messages that are taken in on the long run: each holds up the thread that all requests come by. */
const MAX_BYTES_PER_MS = (16 * 1024 * 1024) / SECOND_MS;
/** A message that is no longer counts as none. */
const SHORT_BYTES = 1024 * 1024;
/** RFC 6455 section 7.4.1: policy. */
const POLICY_VIOLATION = 1008;
const UNAUTHORIZED: ReadonlySet<number> = new Set([401, 403]);

export interface RemoteConnectionDeps {
  /** Opens the connection; paused. */
  readonly open: (signal: AbortSignal) => Promise<WebSocket>;
  /** Takes a message before the next is read. Rejects for one that is none. */
  readonly onMessage: (bytes: Uint8Array) => Promise<void>;
  readonly onState: (state: RemoteState, reason: string | null) => void;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
}

export class RemoteConnection {
  readonly #ended = new AbortController();
  #timer: Timer | null = null;
  #socket: WebSocket | null = null;
  #pauseMs = FIRST_PAUSE_MS;
  #heardMs = 0;

  constructor(private readonly deps: RemoteConnectionDeps) {}

  start(): void {
    this.deps.onState('connecting', null);
    void this.#connect();
  }

  /** For good. */
  stop(): void {
    this.#ended.abort();
    this.#timer?.cancel();
    this.#socket?.terminate();
  }

  async #connect(): Promise<void> {
    const { open, onState } = this.deps;
    const { signal } = this.#ended;
    try {
      const socket = await open(signal);
      if (signal.aborted) return socket.terminate();
      this.#socket = socket;
      onState('connected', null);
      this.#listen(socket);
    } catch (error) {
      if (!signal.aborted) this.#failed(error);
    }
  }

  #listen(socket: WebSocket): void {
    const { clock, onMessage } = this.deps;
    let invalid: Error | null = null;
    this.#heardMs = clock.nowMs();
    const heard = (): void => void (this.#heardMs = clock.nowMs());
    socket.on('pong', heard).on('ping', heard);
    socket.on('message', (data: Buffer, isBinary) => {
      heard();
      if (isBinary) return;
      // One at a time: a remote that tells faster than it is understood waits.
      socket.pause();
      const restMs = data.length > SHORT_BYTES ? data.length / MAX_BYTES_PER_MS : 0;
      onMessage(data).then(
        () => {
          this.#pauseMs = FIRST_PAUSE_MS;
          const goOn = (): void => {
            heard();
            socket.resume();
          };
          if (restMs === 0) goOn();
          else clock.after(restMs, goOn);
        },
        (error: unknown) => {
          invalid = error instanceof Error ? error : new Error(String(error));
          socket.resume();
          socket.close(POLICY_VIOLATION);
          socket.terminate();
        },
      );
    });
    // What is wrong with a frame is told before the end.
    socket.on('error', (error) => void (invalid ??= new Error(`it does not keep to the protocol: ${error.message}`)));
    // Whether the key is refused now is told when it is shown again.
    socket.once('close', () => {
      this.#timer?.cancel();
      this.#socket = null;
      if (this.#ended.signal.aborted) return;
      const isSilent = clock.nowMs() - this.#heardMs >= SILENT_MS;
      if (invalid) this.#away('unreachable', invalid.message, REFUSED_PAUSE_MS);
      else this.#later(isSilent ? 'it does not answer' : 'connection closed');
    });
    this.#watch(socket);
    socket.resume();
  }

  #watch(socket: WebSocket): void {
    this.#timer = this.deps.clock.after(PING_EVERY_MS, () => {
      // While it is not listened to it cannot be heard.
      const isSilent = !socket.isPaused && this.deps.clock.nowMs() - this.#heardMs >= SILENT_MS;
      if (isSilent) return socket.terminate();
      socket.ping();
      this.#watch(socket);
    });
  }

  #failed(error: unknown): void {
    if (error instanceof HandshakeRefused) {
      const { status } = error;
      if (UNAUTHORIZED.has(status))
        return this.#away('refused', `it refuses the key (HTTP ${status})`, REFUSED_PAUSE_MS);
      return this.#later(`it answered with HTTP ${status}`);
    }
    this.#later(error instanceof RequestError ? error.message : 'connection failed');
  }

  #later(reason: string): void {
    const pauseMs = this.#pauseMs * (0.5 + this.deps.random() / 2);
    this.#pauseMs = Math.min(this.#pauseMs * 2, MAX_PAUSE_MS);
    this.#away('unreachable', reason, pauseMs);
  }

  #away(state: RemoteState, reason: string, pauseMs: number): void {
    this.deps.onState(state, reason);
    this.#timer = this.deps.clock.after(pauseMs, () => void this.#connect());
  }
}
