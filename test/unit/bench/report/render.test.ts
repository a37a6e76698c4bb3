import t from 'tap';
import { renderResult } from '../../../../bench/report/render.js';
import { figure, table } from '../../../../bench/report/table.js';

void t.test('the first column is on the left, figures are on the right', async (t) => {
  const text = table(
    ['what', 'MB/s'],
    [
      ['a', '5'],
      ['longer', '12345'],
    ],
  );
  t.same(text.split('\n'), ['what     MB/s', '------  -----', 'a           5', 'longer  12345']);
  t.equal(figure(NaN, 2), '-');
  t.equal(figure(1.005, 1), '1.0');
});

void t.test('a program that failed is named with its reason', async (t) => {
  const programs = [
    { program: 'aria2' as const, peers: 1, samples: [], observed: null, failures: ['no first-byte within 5 ms'] },
  ];
  const text = renderResult({ kind: 'macro', scenario: 'seed', programs });
  t.match(text, 'FAILED  aria2: no first-byte within 5 ms');
});

void t.test('a process that did several transfers has its last beside its first', async (t) => {
  const GIB = 1024 ** 3;
  const first = { seconds: 2, bytes: GIB, cpuSeconds: 1.9, peakMemoryBytes: 1e8, otherEndCpuSeconds: 1 };
  const of = (last: { seconds: number; cpuSeconds: number } | null, peers: number) => ({
    ...{ program: 'swarmd' as const, peers, observed: null, failures: [] },
    samples: [{ ...first, observation: null, last }],
  });
  const warm = { seconds: 1, cpuSeconds: 1.4 };
  const text = renderResult({ kind: 'macro', scenario: 'leech', programs: [of(warm, 1), of(warm, 200)] });
  t.match(text, /last MB\/s +last CPU s\/GiB/);
  t.match(text, /\nswarmd +537 +1\.90 .* 1074 +1\.40\n/);
  t.match(text, /\nswarmd, 200 peers +537 /);
  const alone = renderResult({ kind: 'macro', scenario: 'leech', programs: [of(null, 1)] });
  t.notMatch(alone, 'last', 'no empty columns where it did one');
});

void t.test('micro figures keep their units', async (t) => {
  const figures = [{ name: 'haves', value: 1234.5, unit: 'haves/s' }];
  t.match(renderResult({ kind: 'micro', scenario: 'picker', figures }), /haves +1235 +haves\/s/);
});

void t.test('a figure with a promise is judged, and one that was not measured has missed it', async (t) => {
  const figures = [
    { name: 'memory', value: 24, unit: 'KiB', promise: { atMost: 24 } },
    { name: 'rate kept', value: 0.79, unit: '×', promise: { atLeast: 0.8 } },
    { name: 'delay', value: NaN, unit: 'ms', promise: { atMost: 20 } },
    { name: 'CPU', value: 5, unit: '%' },
  ];
  const text = renderResult({ kind: 'micro', scenario: 'connections', figures });
  t.match(text, 'met     memory at most 24 KiB: 24.00');
  t.match(text, 'MISSED  rate kept at least 0.8 ×: 0.79');
  t.match(text, 'MISSED  delay at most 20 ms: -');
  t.equal(text.match(/met {4}|MISSED/g)?.length, 3);
});
