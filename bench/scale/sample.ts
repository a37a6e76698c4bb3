// What is measured of one program with so many torrents, as it goes to the JSON file. Null: not of this program.
import type { LibraryName } from '../libraries/library-program.js';
import type { Latencies } from '../measure/requests.js';

/** Bytes of the whole process. */
export interface MemoryFigures {
  /** After the torrents were added and nothing happened for a while. */
  readonly settled: number;
  /** The same process after its lists and ticks, made to collect its garbage. */
  readonly collected: number | null;
  /** After a start with all torrents, listed once, and nothing for a while. */
  readonly started: number;
}

export interface ListFigures extends Latencies {
  readonly bytes: number;
}

/** The push channel while torrents change each second. */
export interface PushFigures {
  /** What the sockets take, deflated; `none`: nobody looks on. */
  readonly frames: 'none' | 'full' | 'deltas';
  readonly sockets: number;
  /** Of the main thread, each second, with all that the changes cost. */
  readonly mainCpuMs: number;
  /** What of it is there only with the sockets: a tick. 0 without. */
  readonly tickCpuMs: number;
  readonly mainLateP99Ms: number;
  readonly mainLateMaxMs: number;
  /** Of `GET /api/healthz`. */
  readonly apiP99Ms: number;
}

export interface FillFigures {
  /** Answered to one client that waits for each answer, whatever is verified later. */
  readonly addsPerSecond: number;
  /** The same with 32 requests under way. */
  readonly addsPerSecondAtOnce: number;
  /** Processor time of the whole process over all of these adds, with what it verifies and announces meanwhile. */
  readonly cpuMsPerAdd: number;
  /** From the first add until all are seeds. */
  readonly completeSeconds: number;
}

export interface ScaleSample extends FillFigures {
  readonly program: LibraryName;
  readonly torrents: number;
  readonly memory: MemoryFigures;
  readonly idleCpuPercent: number;
  readonly list: ListFigures;
  readonly gzipList: ListFigures | null;
  /** `GET /api/healthz` while lists are asked for. */
  readonly apiP99Ms: number | null;
  readonly push: readonly PushFigures[];
  /** One request that pauses all torrents, until it is answered. */
  readonly pauseAllMs: number | null;
  readonly stopMs: readonly number[];
  /** From the spawn until a list had all. */
  readonly startMs: readonly number[];
  readonly startAfterKillMs: number;
}

/** Without torrents, after nothing happened for a while. */
export interface EmptyProgram {
  readonly program: LibraryName;
  readonly memoryBytes: number;
  readonly collectedBytes: number | null;
  readonly startMs: number;
}

export interface ScaleResult {
  readonly kind: 'scale';
  readonly scenario: string;
  readonly setting: readonly string[];
  readonly empty: readonly EmptyProgram[];
  readonly samples: readonly ScaleSample[];
  readonly failures: readonly string[];
}
