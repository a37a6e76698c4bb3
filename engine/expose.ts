// The worker's end of the transport: commands by comlink, events as messages over the same port.
import * as Comlink from 'comlink';
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs';
import type { MessagePort } from 'node:worker_threads';
import type { CallOutcome } from '../shared-protocol/calls.js';
import type { CommandName, CommandParams, EngineHandlers } from '../shared-protocol/commands.js';
import type { EngineEvent } from '../shared-protocol/events.js';
import { handleCall } from '../shared-protocol/handle-call.js';

export function exposeEngine(
  port: MessagePort,
  createEngine: (emit: (event: EngineEvent) => void) => EngineHandlers,
): void {
  const handlers = createEngine((event) => port.postMessage({ event }));
  Comlink.expose(
    {
      call: async <Name extends CommandName>(name: Name, params: CommandParams<Name>) => {
        const outcome = await handleCall(handlers, name, params);
        return Comlink.transfer(outcome, name === 'readFile' ? bytesOf(outcome) : []);
      },
    },
    nodeEndpoint(port),
  );
}

/** Bytes of a file were read for this answer alone: they are handed over, not copied. */
function bytesOf(outcome: CallOutcome<unknown>): ArrayBuffer[] {
  if (outcome.kind === 'failed' || !(outcome.value instanceof Uint8Array)) return [];
  const { buffer, byteLength } = outcome.value;
  return buffer instanceof ArrayBuffer && byteLength > 0 ? [buffer] : [];
}
