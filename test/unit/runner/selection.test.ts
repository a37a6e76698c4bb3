// Which tests a command line means, and which of them a change can touch.
import t from 'tap';
import { testsOfChange } from '../../runner/changed.js';
import { Halves } from '../../runner/halves.js';
import { Plan } from '../../runner/plan.js';
import { runAgain, runAll } from '../../runner/pool.js';
import { Summary } from '../../runner/summary.js';
import { allTests, namedTests, NoSuchTest } from '../../runner/tests.js';

const THIS = 'unit/runner/selection.test.js';

void t.test('names', (t) => {
  for (const name of [THIS, `test/${THIS}`, `dist/test/${THIS}`, THIS.replace('.js', '.ts')]) {
    t.same(namedTests([name]), [THIS], name);
  }
  t.ok(namedTests(['unit/runner', THIS]).includes(THIS), 'a folder');
  t.equal(namedTests([THIS, 'unit/runner']).filter((test) => test === THIS).length, 1, 'once');
  for (const name of ['unit/no-such-folder', 'unit/runner/no-such.test.js', 'support', 'run.js', '../api']) {
    t.throws(() => namedTests([THIS, name]), new NoSuchTest(`"${name}" names no test below test/`), name);
  }
  t.end();
});

void t.test('each test is in a half, and in one job', (t) => {
  const halves = new Halves();
  const tests = allTests();
  const [short, long] = [halves.of(tests, 'short'), halves.of(tests, 'long')];
  t.same([...new Set([...short, ...long])].sort(), tests.toSorted());
  const inBoth = short.filter((test) => long.includes(test));
  t.ok(inBoth.length > 0 && inBoth.every((test) => /^(simulation|fuzz)\//.test(test)), 'more of what chance chooses');
  t.same(halves.environment('short'), {});
  t.equal(halves.environment('long')['SWARMD_SIMULATIONS'], 'all');
  t.same(halves.of(tests, 'both'), tests);
  t.ok(short.includes(THIS) && long.length > 0);
  const files = new Plan().jobs(tests).flatMap((job) => job.files);
  t.same(files.toSorted(), tests.toSorted());
  t.end();
});

void t.test('the unit tests of a change', (t) => {
  const all = allTests().filter((test) => test.startsWith('unit/'));
  t.same(testsOfChange([]), all, 'nothing has changed');
  t.same(testsOfChange(['README.md']), [], 'nothing that a test reads');
  t.same(testsOfChange(['README.md', 'package.json']), all, 'what all may depend on');
  t.same(testsOfChange([`test/${THIS.replace('.js', '.ts')}`]), [THIS], 'a test itself');
  const touched = testsOfChange(['test/runner/summary.ts']);
  t.ok(touched.includes(THIS), 'what imports it');
  t.notOk(touched.includes('unit/storage/detached.test.js'), 'and not the others');
  t.ok(testsOfChange(['shared-protocol/gone.ts']).length === 0, 'of a file that is gone and imported by nobody');
  t.end();
});

void t.test('no more jobs of a kind at a time than it may have, and those that measure by themselves', async (t) => {
  const underWay: string[] = [];
  let most = 0;
  const kinds = ['computing', 'computing', 'computing', 'waiting', 'browsing', 'measuring', 'measuring'] as const;
  const ended: string[] = [];
  const jobs = kinds.map((kind, i) => ({ kind, files: [`${kind} ${i}`] }));
  await runAll(jobs, async ({ kind, files }) => {
    underWay.push(kind);
    most = Math.max(most, underWay.length);
    t.ok(underWay.filter((other) => other === 'computing').length <= 2);
    t.ok(kind !== 'measuring' || underWay.length === 1);
    await new Promise((resolve) => setImmediate(resolve));
    underWay.splice(underWay.indexOf(kind), 1);
    ended.push(files[0]!);
  });
  t.equal(ended.length, jobs.length);
  t.equal(most, 4);
});

void t.test('a run says what failed, and fails without assertions', (t) => {
  const lines: string[] = [];
  const result = { passed: 2, failed: 0, skipped: 0, assertions: 2, ms: 1, isOk: true, reason: null, lines: [] };
  const empty = new Summary((line) => lines.push(line));
  t.notOk(empty.finish(0));
  const good = new Summary((line) => lines.push(line));
  good.add({ ...result, file: 'a.test.js' });
  t.ok(good.finish(0));
  const bad = new Summary((line) => lines.push(line));
  bad.add({ ...result, file: 'a.test.js' });
  bad.add({ ...result, file: 'hung.test.js', isOk: false, reason: 'has not ended', lines: ['what it wrote'] });
  t.notOk(bad.finish(0));
  t.match(lines.join('\n'), /what it wrote\nFAILED 2 - hung\.test\.js.*has not ended/);
  t.equal(lines.at(-1), '4 passed, 1 failed, 0 skipped');
  t.end();
});

void t.test('a failure beside others counts when it is one alone as well, and is named when it is none', async (t) => {
  const lines: string[] = [];
  const result = { passed: 1, failed: 0, skipped: 0, assertions: 1, ms: 1, isOk: true, reason: null, lines: [] };
  const files = ['now-and-then.test.js', 'always.test.js'];
  const recovered = new Summary((line) => lines.push(line));
  for (const file of files) recovered.add({ ...result, file, isOk: false, failed: 1 });
  const tried: string[] = [];
  await runAgain(recovered.failed, async ({ files: [file = ''] }) => {
    tried.push(file);
    recovered.again({ ...result, file, isOk: file !== 'always.test.js' });
  });
  t.same(tried, files);
  t.notOk(recovered.finish(0));
  t.match(
    lines.join('\n'),
    /Failed:\n {2}always\.test\.js\n\nFailed beside others and passed alone.*\n {2}now-and-then/,
  );
  recovered.again({ ...result, file: 'always.test.js' });
  t.ok(recovered.finish(0));
  t.equal(lines.at(-1), '2 passed, 0 failed, 0 skipped');
  await runAgain([...'abcdefghi'], () => Promise.reject(new Error('so many are no chance')));
});
