// The report for people, one block for each scenario, and before them what was measured with what.
import type { MacroResult, MicroResult, RunReport, ScenarioResult } from './results.js';
import { renderScale } from './scale-report.js';
import { judge, ratios, summarize } from './summary.js';
import { figure, table } from './table.js';

const MIB = 1024 * 1024;
const HEAD = ['program', 'MB/s', 'CPU s/GiB', 'peak MB', 'loop p99 ms', 'API p99 ms', 'other end', 'rate ×', 'CPU ×'];
/** Only where a process did several transfers. */
const LAST_HEAD = ['last MB/s', 'last CPU s/GiB'];

export function renderSetting(report: Omit<RunReport, 'results'>): string {
  const { payloadBytes, pieceLength, runs, transfers, otherEnd, programs, machine } = report;
  return [
    machine,
    `payload ${payloadBytes / MIB} MiB in pieces of ${pieceLength / MIB} MiB in /dev/shm; medians of ${runs} interleaved runs; delays from one run more`,
    `seed and leech: ${transfers} transfers of each process, of which the first and the last are shown`,
    `other end: ${otherEnd.name} ${otherEnd.version}: ${otherEnd.settings}`,
    ...programs.map(({ name, version, settings }) => `${name} ${version}: ${settings}`),
  ].join('\n');
}

export function renderResult(result: ScenarioResult): string {
  return `\n${result.scenario}\n${renderFigures(result)}`;
}

function renderFigures(result: ScenarioResult): string {
  switch (result.kind) {
    case 'macro':
      return renderMacro(result);
    case 'micro':
      return renderMicro(result);
    case 'scale':
      return renderScale(result);
  }
}

function renderMacro(result: MacroResult): string {
  const summaries = summarize(result);
  const hasLast = summaries.some(({ lastMbPerSecond }) => Number.isFinite(lastMbPerSecond));
  const rows = summaries.map((summary) => {
    const swarmd = summaries.find(({ program, peers }) => program === 'swarmd' && peers === summary.peers);
    const ratio = swarmd && swarmd !== summary ? ratios(swarmd, summary) : { rate: NaN, cpu: NaN };
    const { mainLoopP99Ms, engineLoopP99Ms, otherEndBusy } = summary;
    return [
      summary.peers > 1 ? `${summary.program}, ${summary.peers} peers` : summary.program,
      figure(summary.mbPerSecond, 0),
      figure(summary.cpuSecondsPerGib, 2),
      figure(summary.peakMemoryMb, 0),
      Number.isFinite(mainLoopP99Ms) ? `${figure(mainLoopP99Ms, 1)} / ${figure(engineLoopP99Ms, 1)}` : '-',
      figure(summary.apiP99Ms, 1),
      Number.isFinite(otherEndBusy) ? `${figure(otherEndBusy, 0)} %` : '-',
      figure(ratio.rate, 2),
      figure(ratio.cpu, 2),
      ...(hasLast ? [figure(summary.lastMbPerSecond, 0), figure(summary.lastCpuSecondsPerGib, 2)] : []),
    ];
  });
  const verdicts = judge(result.scenario, summaries).map(({ target, measured, isMet }) =>
    verdict(target, measured, isMet),
  );
  const failures = result.programs.flatMap(({ program, failures }) =>
    failures.map((failure) => `  FAILED  ${program}: ${failure}`),
  );
  return [table(hasLast ? [...HEAD, ...LAST_HEAD] : HEAD, rows), ...verdicts, ...failures].join('\n');
}

function renderMicro({ figures }: MicroResult): string {
  const rows = figures.map(({ name, value, unit }) => [name, figure(value, value < 100 ? 2 : 0), unit]);
  const verdicts = figures.flatMap(({ name, value, unit, promise }) => {
    if (!promise) return [];
    const isMet = 'atMost' in promise ? value <= promise.atMost : value >= promise.atLeast;
    const limit = 'atMost' in promise ? `at most ${promise.atMost}` : `at least ${promise.atLeast}`;
    return [verdict(`${name} ${limit} ${unit}`, value, isMet)];
  });
  return [table(['what', 'median', 'unit'], rows), ...verdicts].join('\n');
}

function verdict(target: string, measured: number, isMet: boolean): string {
  return `  ${isMet ? 'met   ' : 'MISSED'}  ${target}: ${figure(measured, 2)}`;
}
