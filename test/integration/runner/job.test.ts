// What a run of tests says of files that fail, hang, die or assert nothing: each is named with what it wrote, and hides
// none of the others; alone, and among several in one process.
import { relative } from 'node:path';
import t, { type Test } from 'tap';
import { runJob, type FileResult } from '../../runner/job.js';
import { TESTS } from '../../runner/tests.js';

const LIMITS = { fileMs: 10_000, graceMs: 1_000, lastWordsMs: 500 };

const PASSES = `import t from 'tap';\nt.test('a test', async (t) => { t.ok(1); t.ok(1); });\n`;
const FILES = {
  'passes.test.js': PASSES,
  'throws-or-not.test.js': `import t from 'tap';\nt.test('nothing is thrown', async () => undefined);\n`,
  'fails.test.js': `import t from 'tap';\nt.test('a test', async (t) => { t.ok(1); t.equal(1, 2, 'one is two'); });\n`,
  'dies.test.js': `import t from 'tap';\nt.test('a test', async (t) => { t.ok(1); console.error('last words'); process.exit(3); });\n`,
  'computes.test.js': `import t from 'tap';\nt.test('a test', async () => { console.error('still here'); for (;;); });\n`,
  'waits.test.js': `import t from 'tap';\nt.test('a test', () => new Promise(() => setInterval(() => {}, 1_000)));\n`,
  'leaves.test.js': `import t from 'tap';\nimport { createServer } from 'node:net';\nt.test('a test', async (t) => { createServer().listen(0, '127.0.0.1'); t.ok(1); });\n`,
  'empty.test.js': '',
  'broken.test.js': `import './no-such-file.js';\n`,
  'last.test.js': PASSES,
};

void t.test('several in one process', async (t) => {
  const names = Object.keys(FILES).filter((name) => name !== 'waits.test.js');
  t.match(await outcomes(t, names), [
    { name: 'passes', isOk: true, assertions: 2, passed: 2, failed: 0, reason: null },
    { name: 'throws-or-not', isOk: true, failed: 0, reason: null },
    { name: 'fails', isOk: false, assertions: 2, passed: 1, failed: 1, text: /one is two/ },
    { name: 'dies', isOk: false, reason: 'ended with code 1', text: /last words/ },
    { name: 'computes', isOk: false, reason: /has not ended within 10 s/, text: /still here/ },
    { name: 'leaves', isOk: false, reason: /leaves open: TCPServerWrap/ },
    { name: 'empty', isOk: false, reason: 'asserts nothing' },
    { name: 'broken', isOk: false, reason: 'cannot be loaded', text: /no-such-file/ },
    { name: 'last', isOk: true, assertions: 2 },
  ]);
});

void t.test('each by itself', async (t) => {
  t.jobs = 6;
  const names = [
    'passes.test.js',
    'fails.test.js',
    'dies.test.js',
    'computes.test.js',
    'waits.test.js',
    'empty.test.js',
  ];
  const alone = await Promise.all(names.map((name) => t.test(name, { buffered: true }, (t) => oneAlone(t, name))));
  t.equal(alone.length, names.length);
});

async function oneAlone(t: Test, name: string): Promise<void> {
  const expected: Record<string, object> = {
    'passes.test.js': { isOk: true, assertions: 2, reason: null },
    'fails.test.js': { isOk: false, assertions: 2, failed: 1, text: /one is two/ },
    'dies.test.js': { isOk: false, failed: 1, text: /last words/ },
    'computes.test.js': { isOk: false, reason: /has not ended within 10 s/, text: /still here/ },
    'waits.test.js': { isOk: false, reason: /has not ended within 10 s/, text: /timeout/ },
    'empty.test.js': { isOk: false, reason: 'asserts nothing' },
  };
  t.match(await outcomes(t, [name]), [expected[name]]);
}

type Outcome = FileResult & { readonly name: string; readonly text: string };

async function outcomes(t: Test, names: readonly string[]): Promise<Outcome[]> {
  const folder = relative(TESTS, t.testdir(FILES));
  const results: Outcome[] = [];
  await runJob(
    { kind: 'computing', files: names.map((name) => `${folder}/${name}`) },
    (result) => {
      const name = result.file.replace(/^.*\/(.*)\.test\.js$/, '$1');
      results.push({ ...result, name, text: result.lines.join('\n') });
    },
    LIMITS,
  );
  return results;
}
