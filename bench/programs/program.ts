// What the bench needs of a BitTorrent program. Each driver starts a fresh process with settings of its own, holds the
// payload as a seed, a leecher or something to recheck, and says by itself when it is done. Peers come to it: the other
// end of a transfer connects to `peerPort`, so no tracker is needed.
import type { LoopDelays } from '../measure/loop-delay.js';
import type { Payload } from '../support/payload.js';
import type { Workspace } from '../support/workspace.js';

export const PROGRAM_NAMES = ['swarmd', 'swarmd-engine', 'aria2', 'libtorrent', 'transmission'] as const;
export type ProgramName = (typeof PROGRAM_NAMES)[number];

/** Of all connections of a program: without message stream encryption (MSE), or RC4 and nothing else, both ways. */
export type Encryption = 'plain' | 'rc4';

export interface StartOptions {
  /** @default plain */
  readonly encryption?: Encryption;
  /** Connections that its torrent must have room for. @default what the program has room for */
  readonly peers?: number;
}

export interface Program {
  readonly name: ProgramName;
  /** What it is started with, for the report. */
  readonly settings: string;
  /** What is added, or said instead, for RC4; null where the bench does not measure that. */
  readonly rc4Settings: string | null;
  /** Whether its processes can be watched: see RunningProgram.observe. */
  readonly isObservable: boolean;
  /** Null where it is not installed. */
  version(): Promise<string | null>;
  start(workspace: Workspace, options?: StartOptions): Promise<RunningProgram>;
}

/** A program with one torrent at a time. */
export interface RunningProgram {
  /** All of its processes: what it costs is what they cost together. */
  readonly pids: readonly number[];
  /** On 127.0.0.1. */
  readonly peerPort: number;
  /** Seeds what lies in the payload's folder; resolves once peers are served. */
  seed(payload: Payload): Promise<void>;
  /** Downloads into the folder, which is empty; resolves once peers are welcome. */
  leech(payload: Payload, folder: string): Promise<void>;
  /** Resolves at the monotonic time at which the program says that everything is there and verified. */
  finished(timeoutMs: number): Promise<number>;
  /** Drops its torrent with what it downloaded, as if it had never had it. */
  forget(): Promise<void>;
  /** Verifies what lies in the payload's folder; `onStart` is called the moment the program is told to. */
  recheck(payload: Payload, onStart: () => void): Promise<void>;
  /** Connects to peers on 127.0.0.1; absent where a program cannot be told to. */
  connect?(ports: readonly number[]): Promise<void>;
  /** Watches the program from now on; absent for those without an API worth watching. */
  observe?(): Promise<Observer>;
  stop(): Promise<void>;
}

export interface Observer {
  stop(): Promise<Observation>;
}

export interface Observation extends LoopDelays {
  /** 99th percentile of `GET /api/healthz`, in milliseconds. */
  readonly apiP99Ms: number;
}

/** Generous: the slowest program measured moves 17 MB/s. */
const SLOWEST_BYTES_PER_MS = 5_000;
const LEAST_TIMEOUT_MS = 60_000;

export function transferTimeoutMs(bytes: number): number {
  return LEAST_TIMEOUT_MS + bytes / SLOWEST_BYTES_PER_MS;
}
