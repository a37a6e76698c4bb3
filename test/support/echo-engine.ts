// An engine that answers each command with its sample, after checking that the parameters arrived as they are in the
// samples and emitting every sampled event. Torrent ids steer it: some make it fail, hang or die.
import { deepStrictEqual } from 'node:assert/strict';
import { COMMAND_DEADLINES_MS } from '../../shared-protocol/commands/deadlines.js';
import {
  type CommandName,
  type CommandParams,
  type CommandResult,
  type EngineHandlers,
} from '../../shared-protocol/commands.js';
import { AppError } from '../../shared-protocol/errors.js';
import type { EngineEvent, EventName } from '../../shared-protocol/events.js';
import { parseInfoHash } from '../../shared-protocol/ids.js';
import { COMMAND_SAMPLES, EVENT_SAMPLES } from './samples.js';

/** `pauseTorrent` with one of these does what its name says. */
export const TRICKS = {
  failCoded: parseInfoHash('f0'.repeat(20)),
  throwError: parseInfoHash('f1'.repeat(20)),
  hang: parseInfoHash('f2'.repeat(20)),
  exit: parseInfoHash('f3'.repeat(20)),
  emitAll: parseInfoHash('f4'.repeat(20)),
  emitTwiceThenFail: parseInfoHash('f5'.repeat(20)),
  /** From now on `stop` is not answered. */
  deafToStop: parseInfoHash('f6'.repeat(20)),
  /** From now on the engine dies of `stop`. */
  dieOfStop: parseInfoHash('f7'.repeat(20)),
} as const;

export interface EchoEngineDeps {
  /** Ends the engine's thread. */
  exit(code: number): void;
}

export function createEchoEngine(emit: (event: EngineEvent) => void, deps: EchoEngineDeps): EngineHandlers {
  let onStop: 'answer' | 'hang' | 'die' = 'answer';
  const hang = (): Promise<never> => new Promise(() => undefined);

  function echo<Name extends CommandName>(name: Name, params: CommandParams<Name>): CommandResult<Name> {
    for (const sample of COMMAND_SAMPLES[name]) {
      if (isSame(sample.params, params)) return sample.result;
    }
    throw new AppError('BUG', `bug: ${name} arrived as ${JSON.stringify(params)}`);
  }

  const names = Object.keys(COMMAND_DEADLINES_MS) as CommandName[];
  const echoes = Object.fromEntries(
    names.map((name) => [name, (params: CommandParams<typeof name>) => echo(name, params)]),
    // Object.fromEntries forgets the relation between key and value; the names come from the map of all commands.
  ) as EngineHandlers;

  return {
    ...echoes,
    async pauseTorrent(params) {
      switch (params.id) {
        case TRICKS.failCoded:
          throw new AppError('TORRENT_NOT_FOUND', 'no such torrent', {
            id: params.id,
            tries: 3,
            known: false,
            at: null,
          });
        case TRICKS.throwError:
          throw new RangeError('out of range');
        case TRICKS.hang:
          return hang();
        case TRICKS.exit:
          deps.exit(3);
          return hang();
        case TRICKS.emitAll:
          emitSamples(emit);
          return;
        case TRICKS.emitTwiceThenFail:
          emit({ name: 'torrent.removed', payload: { id: TRICKS.failCoded } });
          await Promise.resolve();
          emit({ name: 'torrent.removed', payload: { id: TRICKS.throwError } });
          throw new AppError('DISK_FULL', 'no space');
        case TRICKS.deafToStop:
          onStop = 'hang';
          return;
        case TRICKS.dieOfStop:
          onStop = 'die';
          return;
        default:
          return echo('pauseTorrent', params);
      }
    },
    async stop(params) {
      if (onStop === 'hang') return hang();
      if (onStop === 'die') {
        deps.exit(4);
        return hang();
      }
      emit({ name: 'log', payload: { level: 'info', message: 'stopping', fields: { timeoutMs: params.timeoutMs } } });
    },
  };
}

function emitSamples(emit: (event: EngineEvent) => void): void {
  for (const name of Object.keys(EVENT_SAMPLES) as EventName[]) {
    // The payloads under a name are that name's.
    for (const payload of EVENT_SAMPLES[name]) emit({ name, payload } as EngineEvent);
  }
}

function isSame(left: unknown, right: unknown): boolean {
  try {
    deepStrictEqual(left, right);
    return true;
  } catch {
    return false;
  }
}
