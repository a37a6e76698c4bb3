// What an engine in a process of its own costs beside the thread that it is by default. Both run the whole time and take
// turns by the transfer, so that a machine that slows down for some seconds slows both; pairs of transfers are compared.
import { createOtherEnd } from '../load/other-end.js';
import { percentile } from '../measure/percentile.js';
import type { RunningProgram } from '../programs/program.js';
import { swarmd, swarmdEngine } from '../programs/swarmd.js';
import type { Figure } from '../report/results.js';
import { makePayload } from '../support/payload.js';
import { createWorkspace } from '../support/workspace.js';
import { LEECHING } from './leech.js';
import type { Scenario } from './scenario.js';
import { SEEDING } from './seed.js';
import { transfer, type Direction, type TransferContext } from './transfers.js';

const DIRECTIONS = { seeding: SEEDING, leeching: LEECHING };
const PROMISE = { atMost: 1.03 };

/** CPU seconds of transfers, the first one first. */
interface Costs {
  readonly thread: readonly number[];
  readonly process: readonly number[];
}

export const ownProcess: Scenario = {
  kind: 'micro',
  what: 'an engine in a process of its own and one in a thread, in turn by the transfer; --runs 20 or more',
  isOnRequest: true,
  async measure({ sizeBytes, pieceBytes, runs }) {
    const workspace = createWorkspace(sizeBytes);
    const payload = makePayload(workspace.folder('payload'), sizeBytes, pieceBytes);
    const context = { workspace, payload, otherEnd: createOtherEnd('raw', workspace) };
    const figures: Figure[] = [];
    try {
      for (const [name, direction] of Object.entries(DIRECTIONS)) {
        figures.push(...figuresOf(name, await measureInTurn(direction, context, runs)));
      }
    } finally {
      workspace.remove(workspace.path);
    }
    return figures;
  },
};

async function measureInTurn(direction: Direction, context: TransferContext, runs: number): Promise<Costs> {
  const thread = await swarmd.start(context.workspace);
  try {
    const process = await swarmdEngine.start(context.workspace);
    try {
      for (const running of [thread, process]) await direction.prepare?.(running, context);
      return await takeTurns(direction, context, { thread, process }, runs);
    } finally {
      await process.stop();
    }
  } finally {
    await thread.stop();
  }
}

/** A, B, B, A, A, B, …: neither is always the one that comes after the other. */
async function takeTurns(
  direction: Direction,
  context: TransferContext,
  both: Readonly<Record<keyof Costs, RunningProgram>>,
  runs: number,
): Promise<Costs> {
  const costs = { thread: [] as number[], process: [] as number[] };
  for (let run = 0; run < runs; run++) {
    for (const name of run % 2 === 0 ? (['thread', 'process'] as const) : (['process', 'thread'] as const)) {
      const { cpuSeconds } = await transfer(direction, both[name], context, { isFirst: false, isObserved: false }, {});
      costs[name].push(cpuSeconds);
      await direction.renew?.(both[name]);
    }
  }
  return costs;
}

function figuresOf(name: string, { thread, process }: Costs): readonly Figure[] {
  const pairs = thread.map((seconds, run) => process[run]! / seconds);
  return [
    { name: `${name}: CPU of the thread`, value: sum(thread), unit: 's' },
    { name: `${name}: CPU of the process`, value: sum(process), unit: 's' },
    { name: `${name}: process to thread, all`, value: sum(process) / sum(thread), unit: '×', promise: PROMISE },
    { name: `${name}: process to thread, median of pairs`, value: percentile(pairs, 50), unit: '×' },
  ];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
