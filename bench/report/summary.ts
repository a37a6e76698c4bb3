// Medians of a program's samples, ratios between programs, and whether the promised ratios hold. Pure.
import { median } from '../measure/percentile.js';
import type { ProgramName } from '../programs/program.js';
import type { MacroResult, MacroSample } from './results.js';

const MB = 1e6;
const GIB = 1024 ** 3;

/** Medians; NaN for what was not measured. */
export interface Summary {
  readonly program: ProgramName;
  /** Connections of the other end. */
  readonly peers: number;
  readonly mbPerSecond: number;
  readonly cpuSecondsPerGib: number;
  /** Of the last transfer of the same process. */
  readonly lastMbPerSecond: number;
  readonly lastCpuSecondsPerGib: number;
  readonly peakMemoryMb: number;
  /** Percent of one core. */
  readonly otherEndBusy: number;
  readonly mainLoopP99Ms: number;
  readonly engineLoopP99Ms: number;
  readonly apiP99Ms: number;
}

/** Programs without a sample are left out. */
export function summarize(result: MacroResult): Summary[] {
  return result.programs
    .filter(({ samples }) => samples.length > 0)
    .map(({ program, peers, samples, observed }) => {
      const of = (figure: (sample: MacroSample) => number) => median(samples.map(figure));
      return {
        program,
        peers,
        mbPerSecond: of(({ bytes, seconds }) => bytes / MB / seconds),
        cpuSecondsPerGib: of(({ cpuSeconds, bytes }) => cpuSeconds / (bytes / GIB)),
        lastMbPerSecond: of(({ bytes, last }) => bytes / MB / (last?.seconds ?? NaN)),
        lastCpuSecondsPerGib: of(({ bytes, last }) => (last?.cpuSeconds ?? NaN) / (bytes / GIB)),
        peakMemoryMb: of(({ peakMemoryBytes }) => peakMemoryBytes / MB),
        otherEndBusy: of(({ otherEndCpuSeconds, seconds }) => (100 * (otherEndCpuSeconds ?? NaN)) / seconds),
        mainLoopP99Ms: observed?.observation?.mainP99Ms ?? NaN,
        engineLoopP99Ms: observed?.observation?.engineP99Ms ?? NaN,
        apiP99Ms: observed?.observation?.apiP99Ms ?? NaN,
      };
    });
}

/** How Swarmd compares: above 1 it is faster (rate) or dearer (CPU). */
export interface Ratios {
  readonly rate: number;
  readonly cpu: number;
}

export function ratios(swarmd: Summary, other: Summary): Ratios {
  return {
    rate: swarmd.mbPerSecond / other.mbPerSecond,
    cpu: swarmd.cpuSecondsPerGib / other.cpuSecondsPerGib,
  };
}

type Target =
  | { readonly scenario: string; readonly kind: 'rate'; readonly against: ProgramName; readonly atLeast: number }
  | { readonly scenario: string; readonly kind: 'cpu'; readonly against: ProgramName; readonly atMost: number }
  | { readonly scenario: string; readonly kind: 'memory'; readonly atMostMb: number };

/** What Swarmd promises of itself on one machine, in one run. */
export const TARGETS: readonly Target[] = [
  { scenario: 'seed', kind: 'cpu', against: 'aria2', atMost: 0.5 },
  { scenario: 'seed', kind: 'rate', against: 'libtorrent', atLeast: 1.6 },
  { scenario: 'seed', kind: 'memory', atMostMb: 250 },
  { scenario: 'leech', kind: 'cpu', against: 'aria2', atMost: 1.1 },
  { scenario: 'leech', kind: 'rate', against: 'libtorrent', atLeast: 1.5 },
  { scenario: 'leech', kind: 'memory', atMostMb: 250 },
  { scenario: 'recheck', kind: 'rate', against: 'aria2', atLeast: 1.3 },
  { scenario: 'recheck', kind: 'memory', atMostMb: 250 },
];

export interface Verdict {
  readonly target: string;
  readonly measured: number;
  readonly isMet: boolean;
}

/** Of the targets that the result has figures for. */
export function judge(scenario: string, summaries: readonly Summary[]): Verdict[] {
  const find = (name: ProgramName) => summaries.find(({ program, peers }) => program === name && peers === 1);
  const swarmd = find('swarmd');
  if (!swarmd) return [];
  const ofMany = summaries.filter(({ program, peers }) => program === 'swarmd' && peers > 1);
  return [...judgeOne(scenario, swarmd, find), ...ofMany.map((many) => judgeMany(swarmd, many))];
}

/** What a GiB may cost with many peers, of what it costs with one. */
const MANY_PEERS_CPU = 1.15;

function judgeMany(one: Summary, many: Summary): Verdict {
  const measured = many.cpuSecondsPerGib / one.cpuSecondsPerGib;
  const target = `CPU with ${many.peers} peers at most ${MANY_PEERS_CPU} × that with one`;
  return { target, measured, isMet: measured <= MANY_PEERS_CPU };
}

function judgeOne(scenario: string, swarmd: Summary, find: (name: ProgramName) => Summary | undefined): Verdict[] {
  return TARGETS.filter((target) => target.scenario === scenario).flatMap((target): Verdict[] => {
    if (target.kind === 'memory') {
      const { atMostMb } = target;
      const measured = swarmd.peakMemoryMb;
      return [{ target: `peak memory at most ${atMostMb} MB`, measured, isMet: measured <= atMostMb }];
    }
    const other = find(target.against);
    if (!other) return [];
    const { rate, cpu } = ratios(swarmd, other);
    return target.kind === 'rate'
      ? [
          {
            target: `rate at least ${target.atLeast} × ${target.against}`,
            measured: rate,
            isMet: rate >= target.atLeast,
          },
        ]
      : [{ target: `CPU at most ${target.atMost} × ${target.against}`, measured: cpu, isMet: cpu <= target.atMost }];
  });
}
