// Many torrents that nobody wants: what adding, keeping, listing and starting them costs as they grow in number, and what
// a tick costs while a hundred of them change. Transmission and qBittorrent beside it up to the number that they can be
// asked for, in turn at each size, with the same data in the same folder and the same HTTP tracker. Every data directory is
// in memory as well.
import {
  LIBRARIES,
  LIBRARY_NAMES,
  SwarmdLibrary,
  type LibraryProgram,
  type RunningLibrary,
} from '../libraries/index.js';
import { proportionalBytes } from '../measure/private-memory.js';
import { probeLatency } from '../measure/latency-probe.js';
import { timeRequests } from '../measure/requests.js';
import { collectGarbage } from '../../test/support/thread-inspector.js';
import { measurePush } from '../scale/push-load.js';
import { allComplete, fill, idleCpuPercent, memoryAtRest, startAndList, stopTimed } from '../scale/runs.js';
import type { EmptyProgram, ListFigures, ScaleResult, ScaleSample } from '../scale/sample.js';
import { Child } from '../support/child.js';
import { compiledFile } from '../support/project.js';
import { SeededRandom } from '../support/seeded-random.js';
import { FILE_BYTES, makeTorrentSet, type TorrentSet } from '../support/torrent-set.js';
import { createWorkspace, type Workspace } from '../support/workspace.js';
import type { LibraryScenario } from './scenario.js';

/**
 * Beyond it a list of qBittorrent's takes seconds, and Transmission, which verifies ten torrents a second, half an hour.
 * They are measured at the smallest and at the largest size up to it.
 */
const MOST_OF_OTHERS = 5_000;
const STARTS = 3;
/** Longer than V8 waits before it gives back what an idle program does not need (measured: 25 to 40 s). */
const REST_TO_IDLE_RATIO = 2;
const SEED = 17;
const TRACKER_TIMEOUT_MS = 10_000;

type Filled = Omit<ScaleSample, 'memory' | 'stopMs' | 'startMs' | 'startAfterKillMs'> & {
  readonly settledBytes: number;
  readonly collectedBytes: number | null;
};

interface Entry {
  readonly program: LibraryProgram;
  readonly home: string;
  readonly filled: Filled;
  readonly startMs: number[];
  readonly stopMs: number[];
  startedBytes: number;
}

const SIZES = [1_000, 3_000, 5_000, 10_000, 30_000, 100_000];

export const scale: LibraryScenario = {
  kind: 'library',
  what: 'up to 100,000 idle torrents beside Transmission and qBittorrent; an hour',
  isOnRequest: true,
  async measure({ torrents, idleSeconds, onSample }) {
    const sizes = torrents ?? SIZES;
    const most = Math.max(...sizes);
    const workspace = createWorkspace(most * FILE_BYTES);
    const tracker = new Child(process.execPath, [compiledFile('bench/load/idle-tracker.js')]);
    const port = await tracker.line((line) => line, 'tracker: its port', TRACKER_TIMEOUT_MS);
    const announce = `http://127.0.0.1:${port}/announce`;
    const all = await makeTorrentSet(`${workspace.folder('torrents')}/data`, most, announce);
    const run = new ScaleRun(workspace, all, idleSeconds, onSample);
    await run.openPrograms();
    const feasible = sizes.filter((size) => size <= MOST_OF_OTHERS);
    for (const size of sizes) await run.measureSize(size, size === feasible[0] || size === feasible.at(-1));
    await tracker.stop();
    return run.result();
  },
};

class ScaleRun {
  readonly #programs: LibraryProgram[] = [];
  readonly #empty: EmptyProgram[] = [];
  readonly #samples: ScaleSample[] = [];
  readonly #failures: string[] = [];
  readonly #setting: string[] = [];

  constructor(
    private readonly workspace: Workspace,
    private readonly all: TorrentSet,
    private readonly idleSeconds: number,
    private readonly onSample: (line: string) => void,
  ) {}

  result(): ScaleResult {
    return {
      kind: 'scale',
      scenario: 'scale',
      setting: this.#setting,
      empty: this.#empty,
      samples: this.#samples,
      failures: this.#failures,
    };
  }

  /** Those that are installed, each without torrents first. */
  async openPrograms(): Promise<void> {
    for (const name of LIBRARY_NAMES) {
      const program = LIBRARIES[name];
      const version = await program.version();
      this.#setting.push(`${name} ${version ?? 'is not installed, left out'}: ${program.settings}`);
      if (version !== null) await this.#guard(program, 0, () => this.#measureEmpty(program));
    }
  }

  async measureSize(torrents: number, withOthers: boolean): Promise<void> {
    const set = { ...this.all, torrents: this.all.torrents.slice(0, torrents) };
    const entries: Entry[] = [];
    for (const program of this.#programs) {
      if (program.name !== 'swarmd' && !withOthers) continue;
      const home = this.workspace.folder(`${program.name}-${torrents}`);
      await this.#guard(program, torrents, async () => {
        const filled = await this.#measureFilled(program, home, set);
        entries.push({ program, home, filled, startMs: [], stopMs: [], startedBytes: NaN });
      });
    }
    // A, B, C, A, B, C: a machine that slows down slows the starts of all.
    for (let turn = 0; turn < STARTS; turn++) {
      for (const entry of entries) {
        await this.#guard(entry.program, torrents, () => this.#measureStart(entry, set, turn === 0));
      }
    }
    for (const entry of entries) await this.#guard(entry.program, torrents, () => this.#measureKilled(entry, set));
    for (const { home } of entries) this.workspace.remove(home);
  }

  async #measureEmpty(program: LibraryProgram): Promise<void> {
    const home = this.workspace.folder(`${program.name}-empty`);
    const { library, startMs } = await startAndList(program, home, { ...this.all, torrents: [] }, 0);
    try {
      const memoryBytes = await memoryAtRest(library, this.#restSeconds);
      const collectedBytes = await collected(library);
      this.#empty.push({ program: program.name, memoryBytes, collectedBytes, startMs });
      this.#programs.push(program);
      this.onSample(`${program.name} empty: ${(memoryBytes / 1e6).toFixed(1)} MB, start ${startMs.toFixed(0)} ms`);
    } finally {
      await library.stop();
    }
  }

  async #measureFilled(program: LibraryProgram, home: string, set: TorrentSet): Promise<Filled> {
    const torrents = set.torrents.length;
    const { library } = await startAndList(program, home, set, 0);
    try {
      const added = await fill(library, torrents);
      this.#tell(
        program,
        torrents,
        `${added.addsPerSecond.toFixed(0)} adds/s, ${added.cpuMsPerAdd.toFixed(2)} ms of CPU each`,
      );
      const settledBytes = await memoryAtRest(library, this.#restSeconds);
      const idle = await idleCpuPercent(library, this.idleSeconds);
      const swarmd = library instanceof SwarmdLibrary ? library : null;
      const random = new SeededRandom(SEED);
      const touch = async () => swarmd?.touch(random.below(torrents));
      const probe = swarmd && (await probeLatency(swarmd.url));
      const list = await listFigures(() => library.list(), touch);
      const gzipList = swarmd && (await listFigures(() => swarmd.list('gzip'), touch));
      const apiP99Ms = (await probe?.stop()) ?? null;
      this.#tell(program, torrents, `list p50 ${list.p50Ms.toFixed(1)} ms`);
      const push = swarmd ? await measurePush(swarmd, torrents, random) : [];
      const pauseAllMs = swarmd && (await swarmd.pauseAll(torrents));
      return {
        program: program.name,
        torrents,
        ...added,
        settledBytes,
        collectedBytes: await collected(library),
        idleCpuPercent: idle,
        list,
        gzipList,
        apiP99Ms,
        push,
        pauseAllMs,
      };
    } finally {
      await library.stop();
    }
  }

  async #measureStart(entry: Entry, set: TorrentSet, isWeighed: boolean): Promise<void> {
    const { library, startMs } = await startAndList(entry.program, entry.home, set, set.torrents.length);
    entry.startMs.push(startMs);
    if (isWeighed) entry.startedBytes = await memoryAtRest(library, this.#restSeconds);
    await allComplete(library, set.torrents.length);
    entry.stopMs.push(await stopTimed(library));
    this.#tell(entry.program, set.torrents.length, `start ${startMs.toFixed(0)} ms`);
  }

  async #measureKilled({ program, home, filled, ...entry }: Entry, set: TorrentSet): Promise<void> {
    const torrents = set.torrents.length;
    const { library } = await startAndList(program, home, set, torrents);
    await allComplete(library, torrents);
    await library.kill();
    const again = await startAndList(program, home, set, torrents);
    await again.library.stop();
    const { settledBytes, collectedBytes, ...rest } = filled;
    const memory = { settled: settledBytes, collected: collectedBytes, started: entry.startedBytes };
    const { startMs, stopMs } = entry;
    this.#samples.push({ ...rest, memory, startMs, stopMs, startAfterKillMs: again.startMs });
  }

  get #restSeconds(): number {
    return this.idleSeconds * REST_TO_IDLE_RATIO;
  }

  /** What fails leaves out that program at that size, and nothing else. */
  async #guard(program: LibraryProgram, torrents: number, measure: () => Promise<void>): Promise<void> {
    try {
      await measure();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#failures.push(`${program.name}, ${torrents} torrents: ${reason}`);
      this.#tell(program, torrents, 'failed');
    }
  }

  #tell({ name }: LibraryProgram, torrents: number, what: string): void {
    this.onSample(`scale ${torrents} ${name}: ${what}`);
  }
}

/** Memory after both threads were made to collect their garbage; null where there is no way to. */
async function collected(library: RunningLibrary): Promise<number | null> {
  if (!(library instanceof SwarmdLibrary)) return null;
  // Node opens its inspector.
  library.child.signal('SIGUSR1');
  await collectGarbage(() => library.child.stderr, 'engine');
  return proportionalBytes(library.pid);
}

async function listFigures(
  list: () => Promise<{ readonly bytes: number }>,
  touch: () => Promise<void>,
): Promise<ListFigures> {
  let bytes = 0;
  const latencies = await timeRequests(async () => (bytes = (await list()).bytes), touch);
  return { ...latencies, bytes };
}
