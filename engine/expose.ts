// The worker's end of the transport: commands by comlink, events as messages over the same port.
import * as Comlink from 'comlink';
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs';
import type { MessagePort } from 'node:worker_threads';
import type { CallOutcome } from '../shared-protocol/calls.js';
import type { CommandName, CommandParams, EngineHandlers } from '../shared-protocol/commands.js';
import type { EngineEvent } from '../shared-protocol/events.js';
import { handleCall } from '../shared-protocol/handle-call.js';
import { EventBatch } from '../shared-protocol/event-batch.js';

export function exposeEngine(
  port: MessagePort,
  createEngine: (emit: (event: EngineEvent) => void) => EngineHandlers,
): void {
  const batch = new EventBatch((events) => port.postMessage({ events }));
  const handlers = createEngine((event) => batch.add(event));
  Comlink.expose(
    {
      call: async <Name extends CommandName>(name: Name, params: CommandParams<Name>) => {
        const outcome = await handleCall(handlers, name, params);
        // No further command will come: the thread ends as soon as the answer is out and nothing of the engine is open.
        if (name === 'stop') port.unref();
        return Comlink.transfer(outcome, name === 'readFile' ? bytesOf(outcome) : []);
      },
    },
    afterEvents(port, batch),
  );
}

/** The port's end for answers: the events that came before an answer go out before it. */
function afterEvents(port: MessagePort, batch: EventBatch): Comlink.Endpoint {
  const endpoint = nodeEndpoint(port);
  return {
    ...endpoint,
    postMessage: (...answer) => {
      batch.flush();
      endpoint.postMessage(...answer);
    },
  };
}

/** Bytes of a file were read for this answer alone: they are handed over, not copied. */
function bytesOf(outcome: CallOutcome<unknown>): ArrayBuffer[] {
  if (outcome.kind === 'failed' || !(outcome.value instanceof Uint8Array)) return [];
  const { buffer, byteLength } = outcome.value;
  return buffer instanceof ArrayBuffer && byteLength > 0 ? [buffer] : [];
}
