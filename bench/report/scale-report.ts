// The tables of the scale scenario, how costs grow with the number of torrents, and whether what is promised holds. Pure.
import type { LibraryName } from '../libraries/library-program.js';
import { median } from '../measure/percentile.js';
import { logLogSlope } from '../measure/slope.js';
import type { ScaleResult, ScaleSample } from '../scale/sample.js';
import type { Verdict } from './summary.js';
import { figure, table } from './table.js';

const KB = 1e3;
const MB = 1e6;
const SECOND_MS = 1_000;
const HEAD = [
  ...[
    'program',
    'torrents',
    'adds/s',
    '32 at once',
    'CPU ms',
    'seeds s',
    'KB each',
    'started',
    'forced',
    'idle %',
    'list p50',
    'p99 ms',
    'MB',
  ],
  ...['gzip p50', 'p99 ms', 'MB', 'API p99', 'pause s', 'stop s', 'start s', 'killed s'],
];
const PUSH_HEAD = ['torrents', 'sockets', 'frames', 'main ms/s', 'tick ms', 'late p99', 'max ms', 'API p99 ms'];
/** Memory counts as linear below. */
const LINEAR = 1.05;

/** Bytes of each torrent over the empty program. The larger of both ways to come to have them is what counts. */
export function bytesEach({ empty }: Pick<ScaleResult, 'empty'>, sample: ScaleSample) {
  const base = empty.find(({ program }) => program === sample.program);
  const each = (bytes: number, without: number) => (bytes - without) / sample.torrents;
  const { settled, started, collected } = sample.memory;
  const [afterAdds, afterStart] = [each(settled, base?.memoryBytes ?? NaN), each(started, base?.memoryBytes ?? NaN)];
  const forced = each(collected ?? NaN, base?.collectedBytes ?? NaN);
  return { afterAdds, afterStart, forced, counted: Math.max(afterAdds, afterStart) };
}

/** Of all sockets, with full lists: deltas cost less. */
export function tickMs({ push }: ScaleSample): number {
  return push.findLast(({ frames }) => frames === 'full')?.tickCpuMs ?? NaN;
}

export function renderScale(result: ScaleResult): string {
  const { empty, samples, setting, failures } = result;
  const rows = samples.map((sample) => scaleRow(result, sample));
  const pushRows = samples.flatMap(({ torrents, push }) =>
    push.map((at) => [
      String(torrents),
      String(at.sockets),
      at.frames,
      ...[at.mainCpuMs, at.tickCpuMs, at.mainLateP99Ms, at.mainLateMaxMs, at.apiP99Ms].map((ms) => figure(ms, 1)),
    ]),
  );
  return [
    ...setting,
    ...empty.map(
      ({ program, memoryBytes, startMs }) =>
        `${program} without torrents: ${figure(memoryBytes / MB, 1)} MB, start ${figure(startMs / SECOND_MS, 2)} s`,
    ),
    table(HEAD, rows),
    '',
    table(PUSH_HEAD, pushRows),
    ...slopes(result).map(({ what, slope }) => `  growth of ${what}: N^${figure(slope, 2)}`),
    ...judgeScale(result).map(
      ({ target, measured, isMet }) => `  ${isMet ? 'met   ' : 'MISSED'}  ${target}: ${figure(measured, 2)}`,
    ),
    ...failures.map((failure) => `  FAILED  ${failure}`),
  ].join('\n');
}

function scaleRow(result: ScaleResult, sample: ScaleSample): string[] {
  const { afterAdds, afterStart, forced } = bytesEach(result, sample);
  const { list, gzipList } = sample;
  return [
    sample.program,
    String(sample.torrents),
    ...[sample.addsPerSecond, sample.addsPerSecondAtOnce].map((adds) => figure(adds, 0)),
    figure(sample.cpuMsPerAdd, 2),
    figure(sample.completeSeconds, 1),
    ...[afterAdds, afterStart, forced].map((bytes) => figure(bytes / KB, 1)),
    figure(sample.idleCpuPercent, 2),
    ...[list.p50Ms, list.p99Ms].map((ms) => figure(ms, 1)),
    figure(list.bytes / MB, 2),
    ...[gzipList?.p50Ms, gzipList?.p99Ms].map((ms) => figure(ms ?? NaN, 1)),
    figure((gzipList?.bytes ?? NaN) / MB, 2),
    figure(sample.apiP99Ms ?? NaN, 1),
    figure((sample.pauseAllMs ?? NaN) / SECOND_MS, 2),
    ...[median(sample.stopMs), median(sample.startMs), sample.startAfterKillMs].map((ms) => figure(ms / SECOND_MS, 2)),
  ];
}

/** Of Swarmd; 1 is linear, 0 is independent of N. */
export function slopes(result: ScaleResult): { readonly what: string; readonly slope: number }[] {
  const swarmd = result.samples.filter(({ program }) => program === 'swarmd');
  const growth = (what: string, y: (sample: ScaleSample) => number) => ({
    what,
    slope: logLogSlope(swarmd.map((sample) => ({ x: sample.torrents, y: y(sample) }))),
  });
  return [
    growth('memory over the empty daemon', (sample) => bytesEach(result, sample).counted * sample.torrents),
    growth('start', (sample) => median(sample.startMs)),
    growth('list p50', ({ list }) => list.p50Ms),
    growth('tick with all sockets', tickMs),
  ];
}

/** Of the promises that there are figures for. */
export function judgeScale(result: ScaleResult): Verdict[] {
  const find = (name: LibraryName, torrents: number) =>
    result.samples.find((sample) => sample.program === name && sample.torrents === torrents);
  const below = (target: string, measured: number, limit: number): Verdict => ({
    target,
    measured,
    isMet: measured < limit,
  });
  const verdicts: Verdict[] = [];
  const many = find('swarmd', 10_000);
  if (many) {
    const api = Math.max(many.apiP99Ms ?? NaN, ...many.push.map(({ apiP99Ms }) => apiP99Ms));
    const each = bytesEach(result, many).counted / KB;
    verdicts.push(
      { target: '10,000: at most 12 KB each', measured: each, isMet: each <= 12 },
      below('10,000: idle under 2 % of a core', many.idleCpuPercent, 2),
      below('10,000: start until listed under 2 s', median(many.startMs) / SECOND_MS, 2),
      below('10,000: list p50 under 60 ms', many.list.p50Ms, 60),
      below('10,000: tick of 20 sockets under 8 ms', tickMs(many), 8),
      below('10,000: API p99 under 20 ms', api, 20),
      below('10,000: all paused by one request in under 3 s', (many.pauseAllMs ?? NaN) / SECOND_MS, 3),
    );
  }
  const ours = find('swarmd', 5_000);
  const transmission = find('transmission', 5_000);
  const qbittorrent = find('qbittorrent', 5_000);
  if (ours && transmission) {
    const [start, list] = [
      median(ours.startMs) / median(transmission.startMs),
      ours.list.p50Ms / transmission.list.p50Ms,
    ];
    verdicts.push(
      below('5,000: start in less than Transmission takes (1 ×)', start, 1),
      below('5,000: list in less than Transmission takes (1 ×)', list, 1),
    );
  }
  if (ours && qbittorrent) {
    const memory = bytesEach(result, ours).counted / bytesEach(result, qbittorrent).counted;
    verdicts.push(below('5,000: less memory each than qBittorrent (1 ×)', memory, 1));
  }
  if (find('swarmd', 100_000)) {
    const slope = slopes(result)[0]?.slope ?? NaN;
    verdicts.push({ target: `100,000: memory linear (at most N^${LINEAR})`, measured: slope, isMet: slope <= LINEAR });
  }
  return verdicts;
}
