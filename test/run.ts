// Runs the compiled tests with tap. `--fast` leaves out those that need other programs or real time; further
// arguments name test files or folders below dist/test.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const FAST = ['unit', 'contract', 'simulation', 'fuzz'];
const ALL = [...FAST, 'integration', 'interop'];

const args = process.argv.slice(2);
const named = args.filter((arg) => !arg.startsWith('--'));
const folders = args.includes('--fast') ? FAST : ALL;
const targets =
  named.length > 0
    ? named.map((name) => join(here, name))
    : folders.map((folder) => join(here, folder)).filter((folder) => existsSync(folder));

const tapPackage = createRequire(import.meta.url).resolve('tap/package.json');
const tap = join(dirname(tapPackage), 'dist', 'esm', 'run.mjs');
const child = spawn(process.execPath, [tap, '--reporter=tap', ...targets], { stdio: 'inherit' });
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
