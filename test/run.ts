// Runs the compiled tests with tap. `--fast` leaves out those that need other programs or real time; further
// arguments name test files or folders below dist/test.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const FAST = ['unit', 'contract', 'simulation', 'fuzz'];
const ALL = [...FAST, 'integration', 'interop'];

const args = process.argv.slice(2);
const named = args.filter((arg) => !arg.startsWith('--'));
const folders = args.includes('--fast') ? FAST : ALL;
const roots = named.length > 0 ? named : folders;
const targets = roots.map((root) => join(here, root)).flatMap(testFiles);

/** The file itself, or the test files of a folder and those below it. */
function testFiles(path: string): string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.test.js')).map((name) => join(path, name));
}

const tapPackage = createRequire(import.meta.url).resolve('tap/package.json');
const tap = join(dirname(tapPackage), 'dist', 'esm', 'run.mjs');
const child = spawn(process.execPath, [tap, '--reporter=tap', ...targets], { stdio: ['inherit', 'pipe', 'inherit'] });

/** What passed inside of a file is not worth a line; the last summary of tap's is. */
const PASSED_INSIDE = /^ +(ok |1\.\.|# Subtest)|^# Subtest|^$/;
const SUMMARY = /^# \{ total: (\d+)(?:, pass: (\d+))?(?:, fail: (\d+))?(?:, skip: (\d+))?/;
let summary: RegExpExecArray | null = null;
createInterface({ input: child.stdout }).on('line', (line) => {
  summary = SUMMARY.exec(line) ?? summary;
  if (!PASSED_INSIDE.test(line)) console.log(line);
});

child.on('close', (code, signal) => {
  const [, , passed = '0', failed = '0', skipped = '0'] = summary ?? [];
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  process.exit(signal ? 1 : (code ?? 1));
});
