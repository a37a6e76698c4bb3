// The engine in its worker thread, commands by comlink. Events come in batches over the same port, so that they
// arrive in order with the answers: a caller that awaited a command has seen every event it caused.
import { Worker } from 'node:worker_threads';
import * as Comlink from 'comlink';
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs';
import { CallTracker, createEngineClient, withinTime, type CallOutcome } from './calls.js';
import type { CommandName, CommandParams, CommandResult } from './commands.js';
import { AppError } from './errors.js';
import type { EngineEvent, EngineEventListener } from './events.js';
import type { EngineTransport, TransportState } from './transport.js';

/** The engine as the worker exposes it (engine/expose.ts). Plain, as Comlink's types lose a generic's parameters. */
interface RemoteEngine {
  call(name: CommandName, params: unknown): Promise<CallOutcome<unknown>>;
}

/** Time for the worker to end by itself after it answered `stop`, before it is terminated. */
const EXIT_GRACE_MS = 500;

/** The engine makes short-lived views by the hundred thousand; a larger nursery only keeps more of them resident. */
const YOUNG_GENERATION_MB = 12;

const stopped = (): AppError => new AppError('ENGINE_NOT_RUNNING', 'engine: stopped');

/** `entry` is the compiled worker module. */
export function createWorkerTransport(entry: URL): EngineTransport {
  const worker = new Worker(entry, {
    name: 'engine',
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  });
  const listeners: EngineEventListener[] = [];
  const exitListeners: ((reason: AppError) => void)[] = [];
  let state: TransportState = 'running';
  let crash = '';

  const remote = Comlink.wrap<RemoteEngine>(nodeEndpoint(worker));
  const calls = new CallTracker(async <Name extends CommandName>(name: Name, params: CommandParams<Name>) => {
    // engine/expose.ts answers each command by the handler of the same name in the same map of commands.
    return (await remote.call(name, params)) as CallOutcome<CommandResult<Name>>;
  });
  const client = createEngineClient(calls);

  worker.on('message', (message: { events?: readonly EngineEvent[] }) => {
    for (const event of message.events ?? []) for (const listener of listeners) listener(event);
  });
  worker.on('error', (error) => (crash = error.message));
  const exited = new Promise<void>((resolve) =>
    worker.on('exit', (code) => {
      resolve();
      if (state === 'stopping' || state === 'stopped') return calls.fail(stopped());
      state = 'failed';
      const reason = new AppError('ENGINE_EXITED', `engine exited (${code}): ${crash || 'no reason given'}`);
      calls.fail(reason);
      for (const listener of exitListeners) listener(reason);
    }),
  );

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
    async close(timeoutMs) {
      if (state !== 'running') return;
      state = 'stopping';
      await withinTime(timeoutMs, client.stop({ timeoutMs }));
      await Promise.race([exited, new Promise((resolve) => setTimeout(resolve, EXIT_GRACE_MS).unref())]);
      await worker.terminate();
      state = 'stopped';
      calls.fail(stopped());
    },
  };
}
