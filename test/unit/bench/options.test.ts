import t from 'tap';
import { parseBenchOptions } from '../../../bench/options.js';
import { DEFAULT_SCENARIO_NAMES, SCENARIO_NAMES } from '../../../bench/scenarios/index.js';

void t.test('without arguments all but what runs on request is run', async (t) => {
  const parsed = parseBenchOptions([]);
  t.match(parsed, {
    kind: 'run',
    options: {
      scenarios: DEFAULT_SCENARIO_NAMES,
      sizeBytes: 2 * 1024 ** 3,
      pieceBytes: 1024 ** 2,
      runs: 5,
      transfers: 4,
      peers: [1],
      programs: ['swarmd', 'aria2', 'libtorrent'],
      otherEnd: 'libtorrent',
      torrents: null,
      idleSeconds: 30,
      minutes: 2,
      jsonFile: null,
    },
  });
});

void t.test('scenarios by name, in the order given, and options between them', async (t) => {
  const args = ['leech', '--size', '256MiB', 'seed', '--runs', '2', '--programs', 'aria2', '--other-end', 'raw'];
  t.match(parseBenchOptions(args), {
    kind: 'run',
    options: { scenarios: ['leech', 'seed'], sizeBytes: 2 ** 28, runs: 2, programs: ['aria2'], otherEnd: 'raw' },
  });
});

void t.test('sizes of scale ascend, each once', async (t) => {
  t.match(parseBenchOptions(['scale', '--torrents', '3000,10,3000', '--idle', '2']), {
    kind: 'run',
    options: { scenarios: ['scale'], torrents: [10, 3_000], idleSeconds: 2 },
  });
});

void t.test('numbers of peers ascend, each once', async (t) => {
  t.match(parseBenchOptions(['seed', '--peers', '200,1,50,1', '--other-end', 'raw', '--transfers', '2']), {
    kind: 'run',
    options: { peers: [1, 50, 200], transfers: 2, otherEnd: 'raw' },
  });
});

void t.test('the page is measured only when it is named', async (t) => {
  t.notOk(DEFAULT_SCENARIO_NAMES.includes('ui'));
  t.match(parseBenchOptions(['ui', '--minutes', '10']), { kind: 'run', options: { scenarios: ['ui'], minutes: 10 } });
});

void t.test('bad arguments are one clear line', async (t) => {
  const cases = [
    { args: ['sed'], message: /scenario: "sed" is none of seed, / },
    { args: ['--size', '2 GB'], message: /--size: expected a size like/ },
    { args: ['--size', '0MiB'], message: /--size/ },
    { args: ['--piece', '3MiB'], message: /--piece: expected a power of two/ },
    { args: ['--piece', '32MiB'], message: /--piece: expected a power of two/ },
    { args: ['--size', '1025KiB'], message: /--size: expected whole blocks/ },
    { args: ['--runs', '0'], message: /--runs/ },
    { args: ['ui', '--minutes', '0.5'], message: /--minutes: expected a whole number/ },
    { args: ['--programs', 'utorrent'], message: /--programs: "utorrent"/ },
    { args: ['--other-end', 'aria2'], message: /--other-end/ },
    { args: ['--torrents', '1000,'], message: /--torrents: expected whole numbers/ },
    { args: ['--torrents', '0'], message: /--torrents/ },
    { args: ['--transfers', '0'], message: /--transfers/ },
    { args: ['--peers', '1,50'], message: /--peers: more than one connection needs --other-end raw/ },
    { args: ['--peers', '1000', '--other-end', 'raw'], message: /--peers: expected whole numbers from 1 to 999 / },
    { args: ['--idle', '1.5'], message: /--idle/ },
    { args: ['--fast'], message: /--fast/ },
  ];
  for (const { args, message } of cases) {
    const parsed = parseBenchOptions(args);
    t.equal(parsed.kind, 'error', args.join(' '));
    if (parsed.kind === 'error') t.match(parsed.message, message);
  }
});

void t.test('help names every scenario', async (t) => {
  const parsed = parseBenchOptions(['--help']);
  if (parsed.kind !== 'help') throw new Error(`expected help, got ${parsed.kind}`);
  for (const name of SCENARIO_NAMES) t.match(parsed.text, name);
});
