// `npm run check`, when the types are right: the lint rules and the format, and beside them the unit tests that the change
// can touch. What fails is said by both before it ends.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const RUN = fileURLToPath(new URL('run.js', import.meta.url));

const codes = await Promise.all([code('npm', ['run', 'lint', '--silent']), code(process.execPath, [RUN, '--changed'])]);
process.exit(codes.every((code) => code === 0) ? 0 : 1);

function code(command: string, args: readonly string[]): Promise<number | null> {
  const child = spawn(command, args, { stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
}
