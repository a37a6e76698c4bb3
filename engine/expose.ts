// The worker's end of the transport: commands by comlink, events as messages over the same port.
import * as Comlink from 'comlink';
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs';
import type { MessagePort } from 'node:worker_threads';
import type { CommandName, CommandParams, EngineHandlers } from '../shared-protocol/commands.js';
import type { EngineEvent } from '../shared-protocol/events.js';
import { handleCall } from '../shared-protocol/handle-call.js';

export function exposeEngine(
  port: MessagePort,
  createEngine: (emit: (event: EngineEvent) => void) => EngineHandlers,
): void {
  const handlers = createEngine((event) => port.postMessage({ event }));
  Comlink.expose(
    { call: <Name extends CommandName>(name: Name, params: CommandParams<Name>) => handleCall(handlers, name, params) },
    nodeEndpoint(port),
  );
}
