// How the main thread reaches an engine, whatever lies between: nothing (tests), a worker thread, a stream to another process.
import type { EngineClient } from './commands.js';
import type { EngineEventListener } from './events.js';
import type { AppError } from './errors.js';

/** `failed` is final: the engine is gone without having been asked to stop. One that is `away` comes back by itself. */
export type TransportState = 'starting' | 'running' | 'away' | 'stopping' | 'stopped' | 'failed';

/** `resumed`: what it told meanwhile is told now. `anew`: it has to be started, and tells of all its torrents then. */
export type EngineReturn = 'resumed' | 'anew';

export interface EngineTransport {
  readonly client: EngineClient;
  readonly state: TransportState;
  /** Calls that have not been answered yet. */
  readonly pendingCalls: number;
  /** Events arrive in the order sent, and before the answer to any command that follows them. */
  onEvent(listener: EngineEventListener): void;
  /** Called once if the engine goes without being asked to. */
  onExit(listener: (reason: AppError) => void): void;
  /** Called when an engine that was away is back. */
  onReturn?(listener: (how: EngineReturn) => void): void;
  /** Sends `stop`, then ends the engine whether it answered or not; one of its own process goes on without us. */
  close(timeoutMs: number): Promise<void>;
}
