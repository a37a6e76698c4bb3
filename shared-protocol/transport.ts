// How the main thread reaches an engine, whatever lies between: nothing (tests), a worker thread, later a broker.
import type { EngineClient } from './commands.js';
import type { EngineEventListener } from './events.js';
import type { AppError } from './errors.js';

/** `failed` is final: the engine is gone without having been asked to stop. */
export type TransportState = 'starting' | 'running' | 'stopping' | 'stopped' | 'failed';

export interface EngineTransport {
  readonly client: EngineClient;
  readonly state: TransportState;
  /** Calls that have not been answered yet. */
  readonly pendingCalls: number;
  /** Events arrive in the order sent, and before the answer to any command that follows them. */
  onEvent(listener: EngineEventListener): void;
  /** Called once if the engine goes without being asked to. */
  onExit(listener: (reason: AppError) => void): void;
  /** Sends `stop`, then ends the engine whether it answered or not. */
  close(timeoutMs: number): Promise<void>;
}
