// What a scenario is: a macro one measures programs that may be compared, in turn, so that a machine that slows down
// slows all of them; a micro one measures a part of Swarmd alone, in this process; a library one measures programs that
// hold many torrents.
import type { OtherEnd } from '../load/other-end.js';
import { cpuSeconds, peakMemoryBytes } from '../measure/process-metrics.js';
import type { Program, RunningProgram, StartOptions } from '../programs/program.js';
import type { Figure, MacroResult, MacroSample } from '../report/results.js';
import type { ScaleResult } from '../scale/sample.js';
import type { Payload } from '../support/payload.js';
import { pause } from '../support/wait.js';
import type { Workspace } from '../support/workspace.js';

export interface MacroContext {
  readonly workspace: Workspace;
  readonly payload: Payload;
  readonly otherEnd: OtherEnd;
  readonly programs: readonly Program[];
  readonly runs: number;
  /** Of each process, one after another, where the scenario is transfers. */
  readonly transfers: number;
  /** Connections of the other end, ascending, each measured by itself where the scenario takes them. */
  readonly peers: readonly number[];
  /** Told of each sample as it comes. */
  readonly onSample: (line: string) => void;
}

export type Scenario =
  | {
      readonly kind: 'macro';
      readonly what: string;
      readonly measure: (program: Program, context: MacroContext, run: Run) => Promise<MacroSample>;
      /** Whether the other end may have several connections. @default false */
      readonly takesPeers?: boolean;
      /** Programs it cannot be done with are left out. */
      readonly suits?: (program: Program) => boolean;
      /** Not run unless it is named. @default false */
      readonly isOnRequest?: boolean;
    }
  | {
      readonly kind: 'micro';
      readonly what: string;
      readonly measure: (sizes: Sizes) => Promise<readonly Figure[]>;
      /** As above. */
      readonly isOnRequest?: boolean;
    }
  | LibraryScenario;

/** How much is moved and how often, for those that move something. */
export interface Sizes {
  readonly sizeBytes: number;
  readonly pieceBytes: number;
  readonly runs: number;
  /** For how long memory is watched, where it is. */
  readonly minutes: number;
  /** Numbers of torrents, ascending, where they are chosen; null: the scenario's own. */
  readonly torrents: readonly number[] | null;
}

/** Holds many torrents, without a payload to move. */
export interface LibraryScenario {
  readonly kind: 'library';
  readonly what: string;
  readonly isOnRequest: true;
  readonly measure: (context: LibraryContext) => Promise<ScaleResult>;
}

export interface LibraryContext {
  /** Numbers of torrents, ascending; null: the scenario's own. */
  readonly torrents: readonly number[] | null;
  /** For how long an idle program is watched. */
  readonly idleSeconds: number;
  /** Told of each sample as it comes. */
  readonly onSample: (line: string) => void;
}

export interface Run {
  /** Connections of the other end. */
  readonly peers: number;
  /** Copies are checked against the payload in the first run only. */
  readonly isFirst: boolean;
  readonly isObserved: boolean;
}

export type MacroScenario = Extract<Scenario, { kind: 'macro' }>;

/**
 * A, B, C, A, B, C, … (each with one peer, with 50, … where there are several), then once more those that can be
 * watched. A program that fails is not tried again.
 */
export async function runInterleaved(
  name: string,
  scenario: MacroScenario,
  context: MacroContext,
): Promise<MacroResult> {
  const counts = scenario.takesPeers ? context.peers : [1];
  const entries = context.programs
    .filter((program) => scenario.suits?.(program) ?? true)
    .flatMap((program) => counts.map((peers) => ({ program, peers })))
    .map((entry) => ({
      ...entry,
      samples: [] as MacroSample[],
      failures: [] as string[],
      observed: null as MacroSample | null,
    }));
  for (let run = 0; run <= context.runs; run++) {
    const isObserved = run === context.runs;
    for (const entry of entries) {
      const { program, peers, samples, failures } = entry;
      if (failures.length > 0 || (isObserved && !program.isObservable)) continue;
      const at = `${name} ${isObserved ? 'watched' : `${run + 1}/${context.runs}`} ${program.name}${peers > 1 ? `, ${peers} peers` : ''}`;
      try {
        const sample = await scenario.measure(program, context, { peers, isFirst: run === 0, isObserved });
        if (isObserved) entry.observed = sample;
        else samples.push(sample);
        const rate = sample.bytes / 1e6 / sample.seconds;
        context.onSample(`${at}: ${rate.toFixed(0)} MB/s, ${sample.cpuSeconds.toFixed(2)} CPU s`);
      } catch (error) {
        failures.push(error instanceof Error ? error.message : String(error));
        context.onSample(`${at}: failed`);
      }
    }
  }
  const programs = entries.map(({ program, ...measured }) => ({ program: program.name, ...measured }));
  return { kind: 'macro', scenario: name, programs };
}

/** What a program still does for a transfer after it said that it was done (writing, saving) belongs to its cost. */
const SETTLE_MS = 300;

/** Counts the processor time of processes from now on. */
export function startMeter(pids: readonly number[]): () => Promise<{ cpuSeconds: number; peakMemoryBytes: number }> {
  const sum = () => pids.reduce((seconds, pid) => seconds + cpuSeconds(pid), 0);
  const before = sum();
  return async () => {
    await pause(SETTLE_MS);
    return { cpuSeconds: sum() - before, peakMemoryBytes: Math.max(...pids.map(peakMemoryBytes)) };
  };
}

/** Starts a fresh process, and ends it whatever happens. */
export async function withProgram<Result>(
  program: Program,
  workspace: Workspace,
  options: StartOptions,
  use: (running: RunningProgram) => Promise<Result>,
): Promise<Result> {
  const running = await program.start(workspace, options);
  try {
    return await use(running);
  } finally {
    await running.stop();
  }
}
