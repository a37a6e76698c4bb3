import t from 'tap';
import type { ProgramName } from '../../../../bench/programs/program.js';
import type { MacroResult, MacroSample } from '../../../../bench/report/results.js';
import { judge, ratios, summarize } from '../../../../bench/report/summary.js';

const GIB = 1024 ** 3;

/** A transfer of one GiB. */
function sample(mbPerSecond: number, cpuSeconds: number, peakMb = 100): MacroSample {
  const seconds = GIB / 1e6 / mbPerSecond;
  const peakMemoryBytes = peakMb * 1e6;
  return { seconds, bytes: GIB, cpuSeconds, peakMemoryBytes, otherEndCpuSeconds: null, observation: null };
}

function result(scenario: string, samples: Partial<Record<ProgramName, MacroSample[]>>): MacroResult {
  const names: ProgramName[] = ['swarmd', 'aria2', 'libtorrent'];
  const programs = names.map((program) => ({
    program,
    peers: 1,
    samples: samples[program] ?? [],
    observed: null,
    failures: [],
  }));
  return { kind: 'macro', scenario, programs };
}

void t.test('each figure is a median of its own', async (t) => {
  const samples = [sample(900, 0.5), sample(1_000, 0.4), sample(100, 9)];
  const [swarmd, ...others] = summarize(result('seed', { swarmd: samples }));
  t.same(others, [], 'programs without samples are left out');
  t.equal(Math.round(swarmd?.mbPerSecond ?? 0), 900);
  t.equal(swarmd?.cpuSecondsPerGib, 0.5);
  t.ok(Number.isNaN(swarmd?.otherEndBusy));
});

void t.test('ratios are Swarmd over the other', async (t) => {
  const [swarmd, aria2] = summarize(result('seed', { swarmd: [sample(800, 0.4)], aria2: [sample(400, 1)] }));
  if (!swarmd || !aria2) throw new Error('no summaries');
  const { rate, cpu } = ratios(swarmd, aria2);
  t.equal(rate.toFixed(3), '2.000');
  t.equal(cpu, 0.4);
});

void t.test('targets are judged against the programs that ran', async (t) => {
  const cases = [
    { name: 'all met', swarmd: sample(800, 0.5), aria2: sample(500, 1), met: [true, true, true] },
    { name: 'too dear', swarmd: sample(800, 0.51), aria2: sample(500, 1), met: [false, true, true] },
    { name: 'too slow', swarmd: sample(639, 0.5), aria2: sample(500, 1), met: [true, false, true] },
    { name: 'too large', swarmd: sample(800, 0.5, 251), aria2: sample(500, 1), met: [true, true, false] },
    { name: 'without aria2', swarmd: sample(800, 0.5), aria2: null, met: [true, true] },
  ];
  for (const { name, swarmd, aria2, met } of cases) {
    const libtorrent = [sample(400, 2)];
    const measured = result('seed', { swarmd: [swarmd], libtorrent, ...(aria2 ? { aria2: [aria2] } : {}) });
    const verdicts = judge('seed', summarize(measured));
    t.same(
      verdicts.map(({ isMet }) => isMet),
      met,
      name,
    );
  }
  t.same(judge('seed', summarize(result('seed', { aria2: [sample(1, 1)] }))), [], 'nothing to judge without Swarmd');
});

void t.test('with many peers a GiB may cost little more than with one', async (t) => {
  const withMany = (cpuSeconds: number) => {
    const one = result('leech', { swarmd: [sample(800, 1)] });
    const many = {
      program: 'swarmd' as const,
      peers: 200,
      samples: [sample(800, cpuSeconds)],
      observed: null,
      failures: [],
    };
    return judge('leech', summarize({ ...one, programs: [...one.programs, many] }));
  };
  const target = 'CPU with 200 peers at most 1.15 × that with one';
  t.strictSame(withMany(1.15).at(-1), { target, measured: 1.15, isMet: true });
  t.match(withMany(1.16).at(-1), { target, isMet: false });
});
