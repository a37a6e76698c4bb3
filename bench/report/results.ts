// What a run yields, as it goes to the JSON file: every single sample, and what it was measured with.
import type { OtherEndName } from '../load/other-end.js';
import type { Observation, ProgramName } from '../programs/program.js';
import type { ScaleResult } from '../scale/sample.js';

/** One transfer, recheck or swarm. */
export interface MacroSample {
  readonly seconds: number;
  /** Payload moved or verified. */
  readonly bytes: number;
  /** User and system, whole process; the sum where there are several. */
  readonly cpuSeconds: number;
  /** Of the process; the largest where there are several. */
  readonly peakMemoryBytes: number;
  /** Null where there is no other end. Near `seconds` it was the bottleneck. */
  readonly otherEndCpuSeconds: number | null;
  /** Of the extra run only. */
  readonly observation: Observation | null;
  /** The last of the transfers of the same bytes that the process did after this one; null: it did this one alone. */
  readonly last?: Pick<MacroSample, 'seconds' | 'cpuSeconds'> | null;
}

export interface ProgramSamples {
  readonly program: ProgramName;
  /** Connections of the other end. */
  readonly peers: number;
  readonly samples: readonly MacroSample[];
  /** One run more, watched from outside and inside: watching costs, so its other figures do not count. */
  readonly observed: MacroSample | null;
  /** Why there are fewer samples than runs. */
  readonly failures: readonly string[];
}

export interface MacroResult {
  readonly kind: 'macro';
  readonly scenario: string;
  readonly programs: readonly ProgramSamples[];
}

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly promise?: Promised;
}

/** What a figure is to be, in its unit. */
export type Promised = { readonly atMost: number } | { readonly atLeast: number };

export interface MicroResult {
  readonly kind: 'micro';
  readonly scenario: string;
  readonly figures: readonly Figure[];
}

export type ScenarioResult = MacroResult | MicroResult | ScaleResult;

export interface ProgramInfo {
  readonly name: ProgramName;
  readonly version: string;
  readonly settings: string;
  /** See Program. */
  readonly rc4Settings: string | null;
}

export interface RunReport {
  readonly startedAt: string;
  readonly machine: string;
  readonly payloadBytes: number;
  readonly pieceLength: number;
  readonly runs: number;
  /** Of each process in seed and leech. */
  readonly transfers: number;
  readonly otherEnd: { readonly name: OtherEndName; readonly version: string; readonly settings: string };
  readonly programs: readonly ProgramInfo[];
  readonly results: readonly ScenarioResult[];
}
