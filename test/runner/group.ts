// The process of several unit tests: loads one after another, each when the tests of the one before have ended. Node,
// tap and most of the modules are loaded once. Each file's beginning and its figures are written as comments among the
// TAP, for the job that started this process.
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { beginLine, endLine, judgedLine } from './markers.js';
import { TESTS } from './tests.js';

const SECOND_MS = 1_000;
/** The limit of a file, as tap is told it; here tap would take it for that of all files. */
const FILE_LIMIT_MS = Number(process.env['TAP_TIMEOUT']) * SECOND_MS;
/** What a file has closed may take so long to be gone; after that it is something that the file forgot. */
const CLOSING_LIMIT_MS = Math.min(10 * SECOND_MS, FILE_LIMIT_MS / 4);
const CLOSING_LOOK_MS = 20;
/** Listed as active, and yet a process ends beside it: what measures the delay of the event loop. */
const KEEPS_NOTHING_ALIVE: ReadonlySet<string> = new Set(['IntervalHistogram']);
const HOUR_MS = 3_600_000;

// A test that waits for something which does not keep the process alive would end it, and tap with it.
// A pause between two files is no end either, as tap would have it after the first teardown.
t.removeAllListeners('idle');
const staysAlive = setInterval(() => undefined, HOUR_MS);

for (const file of process.argv.slice(2)) {
  const before = { ...t.counts };
  const open = openResources();
  const startedMs = performance.now();
  // Folders of `t.testdir()` are named by the program and the test; here the program is the same for all.
  t.testdirName = resolve('.tap/fixtures', file.replaceAll('/', '-'));
  t.setTimeout(FILE_LIMIT_MS);
  t.comment(beginLine(file));
  let trouble: string | null = null;
  try {
    await import(pathToFileURL(resolve(TESTS, file)).href);
  } catch (error) {
    trouble = 'cannot be loaded';
    t.comment(error instanceof Error ? error.stack : error);
  }
  while (!t.idle) await once(t, 'idle');
  const left = await leftOpen(open);
  if (left.length > 0) trouble ??= `leaves open: ${left.join(', ')}`;
  // A result is counted when what stands behind it shows that nothing more belongs to it.
  await t.test(judgedLine(file), async (t) => void t.pass());
  const { total, pass, fail, skip, todo } = t.counts;
  t.comment(
    endLine(file, {
      passed: pass - before.pass - 1,
      failed: fail - before.fail,
      skipped: skip + todo - before.skip - before.todo,
      assertions: total - before.total - 1,
      ms: Math.round(performance.now() - startedMs),
      trouble,
    }),
  );
}
clearInterval(staysAlive);

/** Of those that keep a process alive, how many of each kind. */
function openResources(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) {
    if (!KEEPS_NOTHING_ALIVE.has(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

async function leftOpen(before: ReadonlyMap<string, number>): Promise<string[]> {
  const limitMs = performance.now() + CLOSING_LIMIT_MS;
  // A socket that a file forgot to await is only there after a turn.
  await turn();
  for (;;) {
    const left = [...openResources()].filter(([kind, count]) => count > (before.get(kind) ?? 0)).map(([kind]) => kind);
    if (left.length === 0 || performance.now() > limitMs) return left;
    // The timer of this wait is none of the file's.
    await delay(CLOSING_LOOK_MS, undefined, { ref: true });
  }
}
