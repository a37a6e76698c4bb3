// The engine's end of a call: finds the handler and turns whatever it throws into a record.
import type { CallOutcome } from './calls.js';
import type { CommandName, CommandParams, CommandResult, EngineHandlers } from './commands.js';
import { toErrorRecord } from './errors.js';

/** Exposed to the main thread by each transport. */
export async function handleCall<Name extends CommandName>(
  handlers: EngineHandlers,
  name: Name,
  params: CommandParams<Name>,
): Promise<CallOutcome<CommandResult<Name>>> {
  try {
    return { kind: 'done', value: await handlers[name](params) };
  } catch (thrown) {
    return { kind: 'failed', error: toErrorRecord(thrown) };
  }
}
