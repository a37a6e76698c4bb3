// The engine in the same thread: for tests and simulation. Everything crosses by structured clone, as it would
// between threads, so that what cannot cross fails here too.
import { CallTracker, createEngineClient, withinTime } from '../../shared-protocol/calls.js';
import type { EngineHandlers } from '../../shared-protocol/commands.js';
import { AppError } from '../../shared-protocol/errors.js';
import type { EngineEvent, EngineEventListener } from '../../shared-protocol/events.js';
import { handleCall } from '../../shared-protocol/handle-call.js';
import type { EngineTransport, TransportState } from '../../shared-protocol/transport.js';

/** Builds the engine's handlers, given where to send events. */
export type EngineFactory = (emit: (event: EngineEvent) => void) => EngineHandlers;

export interface InProcessTransport extends EngineTransport {
  /** Behaves as if the engine's thread had died. */
  kill(reason: string): void;
}

export function createInProcessTransport(factory: EngineFactory): InProcessTransport {
  const listeners: EngineEventListener[] = [];
  const exitListeners: ((reason: AppError) => void)[] = [];
  let state: TransportState = 'running';
  const handlers = factory((event) => {
    if (state === 'failed' || state === 'stopped') return;
    const received = structuredClone(event);
    for (const listener of listeners) listener(received);
  });
  const calls = new CallTracker(async (name, params) =>
    structuredClone(await handleCall(handlers, name, structuredClone(params))),
  );
  const client = createEngineClient(calls);
  return {
    client,
    get state() {
      return state;
    },
    get pendingCalls() {
      return calls.pending;
    },
    onEvent: (listener) => void listeners.push(listener),
    onExit: (listener) => void exitListeners.push(listener),
    kill(reason) {
      if (state === 'failed' || state === 'stopped') return;
      const asked = state === 'stopping';
      state = 'failed';
      const error = new AppError('ENGINE_EXITED', `engine exited: ${reason}`);
      calls.fail(error);
      if (!asked) for (const listener of exitListeners) listener(error);
    },
    async close(timeoutMs) {
      if (state !== 'running') return;
      state = 'stopping';
      await withinTime(timeoutMs, client.stop({ timeoutMs }));
      state = 'stopped';
      calls.fail(new AppError('ENGINE_NOT_RUNNING', 'engine: stopped'));
    },
  };
}
