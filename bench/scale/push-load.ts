// What the push channel costs a daemon with so many torrents, of which a hundred change each second: their `sequential`
// is turned on and off through REST, which costs the main thread as well; what that costs alone is measured in turn with
// it, and what the sockets add to it is the tick.
import { fileURLToPath } from 'node:url';
import type { SwarmdLibrary } from '../libraries/index.js';
import { probeLatency } from '../measure/latency-probe.js';
import { readLoopDelays } from '../measure/loop-delay.js';
import { median } from '../measure/percentile.js';
import { mainThreadCpuMsOf } from '../measure/thread-cpu.js';
import { Child } from '../support/child.js';
import type { SeededRandom } from '../support/seeded-random.js';
import { pause } from '../support/wait.js';
import type { PushFigures } from './sample.js';

const CHANGES_PER_SECOND = 100;
/** In turn, so that a daemon that goes on getting faster, or a machine that gets slower, counts for all cases alike. */
const ROUNDS = 5;
const SECONDS = 6;
const WARM_UP_MS = 3_000;
const CONNECT_TIMEOUT_MS = 60_000;
/** How many accounts look on, and with how many sockets each; `deltas` as the browser interface takes them. */
const CASES = [
  { frames: 'none', accounts: 0, socketsEach: 0 },
  { frames: 'full', accounts: 1, socketsEach: 1 },
  { frames: 'full', accounts: 5, socketsEach: 4 },
  { frames: 'deltas', accounts: 5, socketsEach: 4 },
] as const;

type Case = (typeof CASES)[number];
type Watched = Omit<PushFigures, 'frames' | 'sockets' | 'tickCpuMs'>;

export async function measurePush(
  library: SwarmdLibrary,
  torrents: number,
  random: SeededRandom,
): Promise<PushFigures[]> {
  const rounds: Watched[][] = [];
  const measure = (each: Case) => measureCase(library, torrents, random, each);
  for (let round = 0; round < ROUNDS; round++) {
    const watched: Watched[] = [];
    for (const each of CASES) watched.push(await measure(each));
    rounds.push(watched);
  }
  // Nobody looks on before and after each round.
  const alone = [...rounds.map(([first]) => first!), await measure(CASES[0])].map(({ mainCpuMs }) => mainCpuMs);
  const aloneMs = (round: number) => (alone[round]! + alone[round + 1]!) / 2;
  return CASES.map(({ frames, accounts, socketsEach }, index) => {
    const watched = rounds.map((round) => round[index]!);
    const tickCpuMs = frames === 'none' ? 0 : median(watched.map(({ mainCpuMs }, round) => mainCpuMs - aloneMs(round)));
    return { frames, sockets: accounts * socketsEach, tickCpuMs, ...typical(watched) };
  });
}

async function measureCase(
  library: SwarmdLibrary,
  torrents: number,
  random: SeededRandom,
  { frames, accounts, socketsEach }: Case,
): Promise<Watched> {
  const clients = frames === 'none' ? null : connect(library, library.keys.slice(0, accounts), socketsEach, frames);
  const changes = changeTorrents(library, torrents, random);
  try {
    await clients?.event('connected', CONNECT_TIMEOUT_MS);
    await pause(WARM_UP_MS);
    return await watch(library);
  } finally {
    await changes.stop();
    await clients?.stop();
  }
}

/** Of all rounds, the median; of how late it was at worst, the worst. */
function typical(watched: readonly Watched[]): Watched {
  return {
    mainCpuMs: median(watched.map(({ mainCpuMs }) => mainCpuMs)),
    mainLateP99Ms: median(watched.map(({ mainLateP99Ms }) => mainLateP99Ms)),
    mainLateMaxMs: Math.max(...watched.map(({ mainLateMaxMs }) => mainLateMaxMs)),
    apiP99Ms: median(watched.map(({ apiP99Ms }) => apiP99Ms)),
  };
}

function connect(
  { url }: SwarmdLibrary,
  keys: readonly string[],
  socketsEach: number,
  frames: 'full' | 'deltas',
): Child {
  const script = fileURLToPath(new URL('../load/tick-clients.js', import.meta.url));
  const socketUrl = `${url.replace(/^http/, 'ws')}/api/ws${frames === 'deltas' ? '?frames=delta' : ''}`;
  return new Child(process.execPath, [script, socketUrl, 'deflated', String(socketsEach), ...keys]);
}

function changeTorrents(library: SwarmdLibrary, torrents: number, random: SeededRandom): { stop(): Promise<void> } {
  const pending = new Set<Promise<void>>();
  let failure: unknown = null;
  const timer = setInterval(() => {
    const index = random.below(torrents);
    const change = library
      .touch(index)
      .catch((error: unknown) => (failure = error))
      .then(() => void pending.delete(change));
    pending.add(change);
  }, 1_000 / CHANGES_PER_SECOND);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(pending);
      if (failure !== null) throw failure;
    },
  };
}

async function watch(library: SwarmdLibrary): Promise<Watched> {
  const probe = await probeLatency(library.url);
  const readDelays = () => readLoopDelays(library.loopDir, () => library.child.signal('SIGUSR2'));
  await readDelays();
  const [cpuBeforeMs, startMs] = [mainThreadCpuMsOf(library.pid), performance.now()];
  await pause(SECONDS * 1_000);
  const cpuMs = mainThreadCpuMsOf(library.pid) - cpuBeforeMs;
  const seconds = (performance.now() - startMs) / 1_000;
  const { mainP99Ms, mainMaxMs } = await readDelays();
  const apiP99Ms = await probe.stop();
  return { mainCpuMs: cpuMs / seconds, mainLateP99Ms: mainP99Ms, mainLateMaxMs: mainMaxMs, apiP99Ms };
}
