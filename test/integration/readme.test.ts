// The README's first look, run as it stands against a daemon: each line that begins with `#>` is what the command before
// it answers; `…` at its end stands for the rest.
import { execFile, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { startDaemon } from '../support/daemon.js';
import { makeScratch } from '../support/peers/scratch.js';

const README = new URL('../../../README.md', import.meta.url);
const hasCurl = spawnSync('curl', ['--version']).status === 0;
const run = promisify(execFile);

interface Shown {
  readonly script: string;
  readonly answers: readonly string[];
}

/** Each command's output ends with a line of its own, so that answers can be told apart. */
function shownIn(readme: string): Shown {
  const section = readme.slice(readme.indexOf('## A first look, with curl'));
  const block = /```sh\n(.*?)```/s.exec(section)?.[1] ?? '';
  const lines = block.split('\n').filter((line) => !/^(URL|PASSWORD)=/.test(line));
  return {
    script: lines.map((line) => (line.startsWith('#>') ? 'echo' : line)).join('\n'),
    answers: lines.filter((line) => line.startsWith('#>')).map((line) => line.slice('#>'.length).trim()),
  };
}

void t.test('what the README shows is what is answered', { skip: hasCurl ? false : 'no curl' }, async (t) => {
  const daemon = await startDaemon();
  const scratch = await makeScratch('readme');
  t.teardown(async () => {
    await daemon.stop();
    await scratch.remove();
  });
  const { script, answers } = shownIn(await readFile(README, 'utf8'));
  t.ok(answers.length > 10);
  const env = { PATH: process.env['PATH'], URL: daemon.url, PASSWORD: daemon.adminPassword };
  const { stdout } = await run('bash', ['-eu', '-c', script], { cwd: join(scratch.path), env });
  const answered = stdout.trimEnd().split('\n');
  t.equal(answered.length, answers.length);
  answers.forEach((expected, i) => {
    const isWhole = !expected.endsWith('…');
    const start = expected.replace(/…$/, '');
    const given = answered[i] ?? '';
    t.equal(isWhole ? given : given.slice(0, start.length), start);
  });
});
