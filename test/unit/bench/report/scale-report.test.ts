import t from 'tap';
import { bytesEach, judgeScale, renderScale, slopes } from '../../../../bench/report/scale-report.js';
import type { ScaleResult, ScaleSample } from '../../../../bench/scale/sample.js';

const EMPTY_BYTES = 100e6;

/** A sample that keeps every promise: 10 KB each. */
function sampleOf(torrents: number, change: Partial<ScaleSample> = {}): ScaleSample {
  const settled = EMPTY_BYTES + 10_000 * torrents;
  return {
    program: 'swarmd',
    torrents,
    addsPerSecond: 500,
    addsPerSecondAtOnce: 900,
    cpuMsPerAdd: 2.5,
    completeSeconds: 20,
    memory: { settled, collected: settled - 20e6, started: settled - 1e6 },
    idleCpuPercent: 1,
    list: { bytes: 600 * torrents, p50Ms: 40, p99Ms: 50 },
    gzipList: { bytes: 60 * torrents, p50Ms: 45, p99Ms: 55 },
    pauseAllMs: 2_000,
    apiP99Ms: 10,
    push: [0, 1, 20].map((sockets) => ({
      frames: sockets === 0 ? ('none' as const) : ('full' as const),
      sockets,
      mainCpuMs: 50 + sockets / 4,
      tickCpuMs: sockets / 4,
      mainLateP99Ms: 1,
      mainLateMaxMs: 2,
      apiP99Ms: 12,
    })),
    stopMs: [500],
    startMs: [1_500, 1_800, 9_000],
    startAfterKillMs: 2_000,
    ...change,
  };
}

function resultOf(...samples: ScaleSample[]): ScaleResult {
  const empty = (['swarmd', 'transmission', 'qbittorrent'] as const).map((program) => ({
    program,
    memoryBytes: EMPTY_BYTES,
    collectedBytes: program === 'swarmd' ? EMPTY_BYTES - 20e6 : null,
    startMs: 400,
  }));
  return { kind: 'scale', scenario: 'scale', setting: ['swarmd 1'], empty, samples, failures: [] };
}

const missed = (result: ScaleResult) => judgeScale(result).flatMap(({ target, isMet }) => (isMet ? [] : [target]));

void t.test('memory counts as it is, from the worse of both ways to come to have torrents', async (t) => {
  const sample = sampleOf(10_000, { memory: { settled: 200e6, started: 230e6, collected: 180e6 } });
  t.strictSame(bytesEach(resultOf(sample), sample), {
    afterAdds: 10_000,
    afterStart: 13_000,
    forced: 10_000,
    counted: 13_000,
  });
});

void t.test('a run that keeps every promise', async (t) => {
  const result = resultOf(
    sampleOf(5_000),
    sampleOf(5_000, { program: 'transmission', startMs: [8_500], list: { bytes: 1, p50Ms: 41, p99Ms: 50 }, push: [] }),
    sampleOf(5_000, { program: 'qbittorrent', memory: { settled: 500e6, started: 400e6, collected: null }, push: [] }),
    sampleOf(10_000),
    sampleOf(100_000),
  );
  t.strictSame(missed(result), []);
  t.equal(judgeScale(result).length, 11);
});

void t.test('each promise can be missed', async (t) => {
  const cases: readonly { readonly change: Partial<ScaleSample>; readonly target: RegExp }[] = [
    { change: { memory: { settled: 221e6, collected: null, started: 0 } }, target: /12 KB/ },
    { change: { memory: { settled: 0, collected: null, started: 221e6 } }, target: /12 KB/ },
    { change: { idleCpuPercent: 2 }, target: /2 % of a core/ },
    { change: { startMs: [1_000, 2_000, 2_000] }, target: /under 2 s/ },
    { change: { list: { bytes: 1, p50Ms: 60, p99Ms: 60 } }, target: /under 60 ms/ },
    { change: { push: [{ ...sampleOf(1).push[2]!, tickCpuMs: 8 }] }, target: /under 8 ms/ },
    { change: { push: [{ ...sampleOf(1).push[2]!, apiP99Ms: 20 }] }, target: /API p99/ },
    { change: { apiP99Ms: 20 }, target: /API p99/ },
    { change: { apiP99Ms: null }, target: /API p99/ },
    { change: { pauseAllMs: 3_000 }, target: /all paused/ },
    { change: { pauseAllMs: null }, target: /all paused/ },
  ];
  for (const { change, target } of cases) {
    const targets = missed(resultOf(sampleOf(10_000, change)));
    t.equal(targets.length, 1, `${target}: ${targets}`);
    t.match(targets[0], target);
  }
  const beside = (other: Partial<ScaleSample>) => missed(resultOf(sampleOf(5_000), sampleOf(5_000, other)));
  t.match(beside({ program: 'transmission', startMs: [1_700] }), [/start in less/, /list in less/]);
  t.match(beside({ program: 'qbittorrent' }), [/less memory/]);
  const hungry = sampleOf(100_000, { memory: { settled: 5e9, collected: null, started: 0 } });
  t.match(missed(resultOf(sampleOf(1_000), hungry)), [/memory linear/]);
});

void t.test('nothing is judged that was not measured', async (t) => {
  t.strictSame(judgeScale(resultOf(sampleOf(1_000))), []);
  t.strictSame(judgeScale(resultOf(sampleOf(5_000))), []);
});

void t.test('growth is that of Swarmd', async (t) => {
  const result = resultOf(sampleOf(1_000), sampleOf(10_000), sampleOf(1_000, { program: 'qbittorrent', startMs: [1] }));
  t.match(
    slopes(result).map(({ slope }) => Math.round(slope * 1e3)),
    [1_000, 0, 0, 0],
    'memory is linear here, the rest constant',
  );
});

void t.test('the report', async (t) => {
  const text = renderScale({ ...resultOf(sampleOf(10_000)), failures: ['qbittorrent, 5000 torrents: exit 1'] });
  for (const line of [
    /^swarmd without torrents: 100\.0 MB, start 0\.40 s$/m,
    /^swarmd +10000 +500 +900 +2\.50 +20\.0 +10\.0 +9\.9 +10\.0 +1\.00 +40\.0 +50\.0 +6\.00 +45\.0 +55\.0 +0\.60 +10\.0 +2\.00 +0\.50 +1\.80 +2\.00$/m,
    /^10000 +20 +full +55\.0 +5\.0 +1\.0 +2\.0 +12\.0$/m,
    /growth of start: N\^-/,
    /met {5}10,000: at most 12 KB each: 10\.00/,
    /FAILED {2}qbittorrent, 5000/,
  ]) {
    t.match(text, line);
  }
});
