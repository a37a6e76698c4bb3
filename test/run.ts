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
const WAITING_AT_A_TIME = 3;
/** Of those, what takes one to three minutes: begun first, or the lane would wait for it at its end. */
const LONG = [
  'integration/chaos.test.js',
  'integration/engine/discovery/port-mapping.test.js',
  'interop/encryption.test.js',
  'interop/seed.test.js',
  'integration/restart.test.js',
  'interop/download.test.js',
  'interop/magnet.test.js',
];
/** Of these each is a browser, a daemon and a test that waits for both: they take the place of what computes. */
const BROWSING = ['browser'];
const BROWSERS_AT_A_TIME = 3;
/** These measure speeds and memory: they run by themselves, one after another, when the others have ended. */
const MEASURING = ['integration/rate-limits.test.js', 'integration/floods.test.js', 'integration/soak.test.js'];

const args = process.argv.slice(2);
const named = args.filter((arg) => !arg.startsWith('--'));
const roots = named.length > 0 ? named : args.includes('--fast') ? FAST : [...FAST, ...WAITING, ...BROWSING];
const targets = roots.map((root) => join(here, root)).flatMap(testFiles);
const isOneOf = (names: readonly string[], path: string) => names.includes(relative(here, path).split(sep).join('/'));
const isMeasuring = (path: string) => isOneOf(MEASURING, path);
const isLong = (path: string) => isOneOf(LONG, path);
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
  ...(await Promise.all([runComputing(), runWaiting()])).flat(),
  await runLane(targets.filter(isMeasuring), ['--jobs=1']),
];
const sum = (count: (end: LaneEnd) => number) => ends.reduce((total, end) => total + count(end), 0);
console.log(
  `${sum(({ passed }) => passed)} passed, ${sum(({ failed }) => failed)} failed, ${sum(({ skipped }) => skipped)} skipped`,
);
process.exit(Math.max(0, ...ends.map(({ code }) => code)));

async function runComputing(): Promise<LaneEnd[]> {
  const computed = await runLane(targets.filter(isComputing));
  return [computed, await runLane(targets.filter(isBrowsing), [`--jobs=${BROWSERS_AT_A_TIME}`])];
}

async function runWaiting(): Promise<LaneEnd[]> {
  const waiting = targets.filter(isWaiting);
  const longFirst = [...waiting.filter(isLong), ...waiting.filter((path) => !isLong(path))];
  return [await runLane(longFirst, [`--jobs=${WAITING_AT_A_TIME}`])];
}

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
