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
/** How many accounts look on, and with how many sockets each. */
const CASES = [
  { accounts: 0, socketsEach: 0 },
  { accounts: 1, socketsEach: 1 },
  { accounts: 5, socketsEach: 4 },
] as const;

export async function measurePush(
  library: SwarmdLibrary,
  torrents: number,
  random: SeededRandom,
): Promise<PushFigures[]> {
  const figures: PushFigures[] = [];
  for (const { accounts, socketsEach } of CASES) {
    const clients = accounts > 0 ? connect(library, library.keys.slice(0, accounts), socketsEach) : null;
    const changes = changeTorrents(library, torrents, random);
    try {
      await clients?.event('connected', CONNECT_TIMEOUT_MS);
      await pause(WARM_UP_MS);
      const { mainCpuMs, ...rest } = await watch(library);
      const tickCpuMs = accounts > 0 ? mainCpuMs - figures[0]!.mainCpuMs : 0;
      figures.push({ sockets: accounts * socketsEach, mainCpuMs, tickCpuMs, ...rest });
    } finally {
      await changes.stop();
      await clients?.stop();
    }
  }
  return figures;
}

function connect({ url }: SwarmdLibrary, keys: readonly string[], socketsEach: number): Child {
  const script = fileURLToPath(new URL('../load/tick-clients.js', import.meta.url));
  const socketUrl = `${url.replace(/^http/, 'ws')}/api/ws`;
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

async function watch(library: SwarmdLibrary): Promise<Omit<PushFigures, 'sockets' | 'tickCpuMs'>> {
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
