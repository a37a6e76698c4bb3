// One seed and six leechers of the same program on one machine, each connected to all before it. From the first
// connection until the last leecher is complete; the bytes are those that all leechers got together.
import type { Program, RunningProgram } from '../programs/program.js';
import { transferTimeoutMs } from '../programs/program.js';
import { checkCopy, makePayload, type Payload } from '../support/payload.js';
import { monotonicMs } from '../support/wait.js';
import { startMeter, type MacroContext, type Run, type Scenario } from './scenario.js';
import type { MacroSample } from '../report/results.js';

const LEECHERS = 6;
const MIB = 1024 * 1024;
/** Every leecher writes a copy. */
const LARGEST_PAYLOAD_BYTES = 256 * MIB;

export const swarm: Scenario = {
  kind: 'macro',
  what: `1 seed and ${LEECHERS} leechers of one program, at most ${LARGEST_PAYLOAD_BYTES / MIB} MiB`,
  // The others cannot be told whom to connect to.
  suits: ({ name }) => name === 'swarmd' || name === 'libtorrent',
  async measure(program, context, run) {
    const { workspace } = context;
    const folder = workspace.folder('swarm');
    const { bytes, pieceLength } = context.payload;
    const payload = makePayload(folder, Math.min(bytes, LARGEST_PAYLOAD_BYTES), pieceLength);
    const members: RunningProgram[] = [];
    try {
      return await measureSwarm(program, context, payload, members, run);
    } finally {
      await Promise.all(members.map((member) => member.stop()));
      workspace.remove(folder);
    }
  },
};

async function measureSwarm(
  program: Program,
  { workspace }: MacroContext,
  payload: Payload,
  members: RunningProgram[],
  run: Run,
): Promise<MacroSample> {
  for (let i = 0; i <= LEECHERS; i++) members.push(await program.start(workspace));
  const [seeder, ...leechers] = members;
  if (!seeder) throw new Error('bug: a swarm without members');
  const folders = leechers.map(() => workspace.folder('copy'));
  try {
    await seeder.seed(payload);
    await Promise.all(leechers.map((leecher, i) => leecher.leech(payload, folders[i]!)));
    const stopMeter = startMeter(members.flatMap(({ pids }) => pids));
    const observer = run.isObserved ? await seeder.observe?.() : undefined;
    const startMs = monotonicMs();
    const ports = members.map(({ peerPort }) => peerPort);
    await Promise.all(leechers.map((leecher, i) => leecher.connect?.(ports.slice(0, i + 1))));
    const timeoutMs = transferTimeoutMs(payload.bytes * LEECHERS);
    const ends = await Promise.all(leechers.map((leecher) => leecher.finished(timeoutMs)));
    const observation = (await observer?.stop()) ?? null;
    const cost = await stopMeter();
    if (run.isFirst) for (const folder of folders) checkCopy(payload, folder);
    const seconds = (Math.max(...ends) - startMs) / 1_000;
    return { seconds, bytes: payload.bytes * LEECHERS, ...cost, otherEndCpuSeconds: null, observation };
  } finally {
    for (const folder of folders) workspace.remove(folder);
  }
}
