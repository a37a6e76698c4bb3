// What the push channel costs a daemon with so many torrents, of which a hundred change each second: their `sequential`
// is turned on and off through REST, which costs the main thread as well; what that costs alone is measured first, and
// what the sockets add to it is the tick.
import { fileURLToPath } from 'node:url';
import type { SwarmdLibrary } from '../libraries/index.js';
import { probeLatency } from '../measure/latency-probe.js';
import { readLoopDelays } from '../measure/loop-delay.js';
import { mainThreadCpuMsOf } from '../measure/thread-cpu.js';
import { Child } from '../support/child.js';
import type { SeededRandom } from '../support/seeded-random.js';
import { pause } from '../support/wait.js';
import type { PushFigures } from './sample.js';

const CHANGES_PER_SECOND = 100;
const SECONDS = 15;
const WARM_UP_MS = 3_000;
const CONNECT_TIMEOUT_MS = 60_000;
/**
 * How many accounts look on, and with how many sockets each; `deltas` as the browser interface takes them. First and last
 * nobody does: a daemon that goes on getting faster, or a machine that gets slower, counts for half.
 */
const CASES = [
  { frames: 'none', accounts: 0, socketsEach: 0 },
  { frames: 'full', accounts: 1, socketsEach: 1 },
  { frames: 'full', accounts: 5, socketsEach: 4 },
  { frames: 'deltas', accounts: 5, socketsEach: 4 },
  { frames: 'none', accounts: 0, socketsEach: 0 },
] as const;

export async function measurePush(
  library: SwarmdLibrary,
  torrents: number,
  random: SeededRandom,
): Promise<PushFigures[]> {
  const figures: Omit<PushFigures, 'tickCpuMs'>[] = [];
  for (const { frames, accounts, socketsEach } of CASES) {
    const keys = library.keys.slice(0, accounts);
    const clients = frames === 'none' ? null : connect(library, keys, socketsEach, frames);
    const changes = changeTorrents(library, torrents, random);
    try {
      await clients?.event('connected', CONNECT_TIMEOUT_MS);
      await pause(WARM_UP_MS);
      figures.push({ frames, sockets: accounts * socketsEach, ...(await watch(library)) });
    } finally {
      await changes.stop();
      await clients?.stop();
    }
  }
  const alone = figures.filter(({ frames }) => frames === 'none').map(({ mainCpuMs }) => mainCpuMs);
  const aloneMs = alone.reduce((sum, ms) => sum + ms, 0) / alone.length;
  return figures.map((each) => ({ ...each, tickCpuMs: each.frames === 'none' ? 0 : each.mainCpuMs - aloneMs }));
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

async function watch(library: SwarmdLibrary): Promise<Omit<PushFigures, 'frames' | 'sockets' | 'tickCpuMs'>> {
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
