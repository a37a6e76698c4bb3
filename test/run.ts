// Runs the compiled tests: `npm test` those that decide about a change, `--long` (`npm run test:long`) those that are long
// by nature, `--all` both; `--changed` the unit tests that the change in the working tree can touch. Further arguments
// name test files or folders below test/. Ends with 1 when anything failed, hung, or asserted nothing. What failed beside
// others has a second try alone, unless it was named.
import { parseArgs } from 'node:util';
import { testsOfChange } from './runner/changed.js';
import { Halves } from './runner/halves.js';
import { endAllJobs, runJob } from './runner/job.js';
import { Plan } from './runner/plan.js';
import { runAgain, runAll } from './runner/pool.js';
import { Summary } from './runner/summary.js';
import { allTests, namedTests, NoSuchTest } from './runner/tests.js';

const { values, positionals } = parseArgs({
  options: { long: { type: 'boolean' }, all: { type: 'boolean' }, changed: { type: 'boolean' } },
  allowPositionals: true,
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    endAllJobs();
    process.exit(1);
  });
}

const startedMs = performance.now();
const summary = new Summary((line) => console.log(line));
try {
  const plan = new Plan();
  const tests = chosen(plan);
  if (tests.length === 0 && values.changed) {
    console.log('The change touches no unit test.');
    process.exit(0);
  }
  await runAll(plan.jobs(tests), (job) => runJob(job, (result) => summary.add(result)));
  if (positionals.length === 0) {
    await runAgain(summary.failed, (job) => runJob(job, (result) => summary.again(result)));
  }
} catch (error) {
  if (!(error instanceof NoSuchTest)) throw error;
  console.error(error.message);
  process.exit(1);
}
process.exit(summary.finish(performance.now() - startedMs) ? 0 : 1);

function chosen(plan: Plan): string[] {
  if (positionals.length > 0) return namedTests(positionals);
  if (values.changed) return plan.quick(testsOfChange());
  const half = values.all ? 'both' : values.long ? 'long' : 'short';
  const halves = new Halves();
  process.env = { ...halves.environment(half), ...process.env };
  return halves.of(allTests(), half);
}
