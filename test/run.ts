// Runs the compiled tests with tap. `--fast` leaves out those that need other programs or real time; further
// arguments name test files or folders below dist/test.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const sources = fileURLToPath(new URL('../../test', import.meta.url));
const FAST = ['unit', 'contract', 'simulation', 'fuzz'];
/** These wait for timers and for other programs most of the time: they run beside the others. */
const WAITING = ['integration', 'interop'];
/**
 * Of these each is a browser, a daemon and a test that waits for both: together, when the others leave them the machine.
 */
const BROWSING = ['browser'];
const BROWSERS_AT_A_TIME = 3;
/** These measure speeds and memory: they run by themselves, one after another, when the others have ended. */
const MEASURING = ['integration/rate-limits.test.js', 'integration/floods.test.js', 'integration/soak.test.js'];

const args = process.argv.slice(2);
const named = args.filter((arg) => !arg.startsWith('--'));
const roots = named.length > 0 ? named : args.includes('--fast') ? FAST : [...FAST, ...WAITING, ...BROWSING];
const targets = roots.map((root) => join(here, root)).flatMap(testFiles);
const isMeasuring = (path: string) => MEASURING.includes(relative(here, path).split(sep).join('/'));
const isBelow = (folders: readonly string[], path: string) =>
  folders.includes(relative(here, path).split(sep)[0] ?? '');
const isWaiting = (path: string) => !isMeasuring(path) && isBelow(WAITING, path);
const isBrowsing = (path: string) => isBelow(BROWSING, path);
const isComputing = (path: string) => !isMeasuring(path) && !isWaiting(path) && !isBrowsing(path);

const tapPackage = createRequire(import.meta.url).resolve('tap/package.json');
const tap = join(dirname(tapPackage), 'dist', 'esm', 'run.mjs');
/** What passed inside of a file is not worth a line; the last summary of tap's is. */
const PASSED_INSIDE = /^ +(ok |1\.\.|# Subtest)|^# Subtest|^\s*$/;
const SUMMARY = /^# \{ total: (\d+)(?:, pass: (\d+))?(?:, fail: (\d+))?(?:, skip: (\d+))?/;

const ends = [
  ...(await Promise.all([runLane(targets.filter(isComputing)), runLane(targets.filter(isWaiting))])),
  await runLane(targets.filter(isBrowsing), [`--jobs=${BROWSERS_AT_A_TIME}`]),
  await runLane(targets.filter(isMeasuring), ['--jobs=1']),
];
const sum = (count: (end: LaneEnd) => number) => ends.reduce((total, end) => total + count(end), 0);
console.log(
  `${sum(({ passed }) => passed)} passed, ${sum(({ failed }) => failed)} failed, ${sum(({ skipped }) => skipped)} skipped`,
);
process.exit(Math.max(0, ...ends.map(({ code }) => code)));

interface LaneEnd {
  readonly code: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

async function runLane(files: readonly string[], options: readonly string[] = []): Promise<LaneEnd> {
  if (files.length === 0) return { code: 0, passed: 0, failed: 0, skipped: 0 };
  const command = [tap, '--reporter=tap', ...options, ...files];
  const child = spawn(process.execPath, command, { stdio: ['inherit', 'pipe', 'inherit'] });
  let summary: RegExpExecArray | null = null;
  createInterface({ input: child.stdout }).on('line', (line) => {
    summary = SUMMARY.exec(line) ?? summary;
    if (!PASSED_INSIDE.test(line)) console.log(line);
  });
  return new Promise((resolve) => {
    child.on('close', (code, signal) => {
      const [, , passed = 0, failed = 0, skipped = 0] = Array.from(summary ?? [], (figure) => Number(figure ?? 0));
      resolve({ code: signal ? 1 : (code ?? 1), passed, failed, skipped });
    });
  });
}

/** The file itself, or the test files of a folder and those below it. What is left of a source that is gone is no test. */
function testFiles(path: string): string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => name.endsWith('.test.js')).map((name) => join(path, name));
  return files.filter((file) => existsSync(join(sources, relative(here, file)).replace(/\.js$/, '.ts')));
}
