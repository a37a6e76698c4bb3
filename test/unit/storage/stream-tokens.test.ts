// Tokens of fronts: which are known, until when, and a file that is made or mended.
import t from 'tap';
import { chmod, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { firstToken, judgeToken, parseTokens, TokenFile } from '../../../storage/stream-tokens.js';

const [A, B] = ['a'.repeat(32), 'b'.repeat(40)] as const;
const NOON_MS = Date.parse('2026-11-28T12:00:00Z');

void t.test('tokens, some until a day', async (t) => {
  const tokens = parseTokens(`# ours\n${A}\n\n  ${B}   2026-11-28T12:00:00Z\n`, 'f');
  t.equal(tokens.length, 2);
  t.equal(judgeToken(tokens, A, NOON_MS + 1e12), 'valid');
  t.equal(judgeToken(tokens, B, NOON_MS - 1), 'valid');
  t.equal(judgeToken(tokens, B, NOON_MS), 'expired');
  for (const wrong of ['', 'a', `${A} `, A.toUpperCase(), B.slice(1)]) {
    t.equal(judgeToken(tokens, wrong, NOON_MS - 1), 'unknown', wrong);
  }
});

void t.test('a line that is none is named', async (t) => {
  t.throws(() => parseTokens(`${A}\nshort\n`, '/t'), { code: 'STORAGE_FAILED', message: /\/t, line 2: shorter/ });
  t.throws(() => parseTokens(`${A} tomorrow`, '/t'), { message: /line 1: tomorrow is no time/ });
});

void t.test('a file is made once, for its owner only', async (t) => {
  const path = join(t.testdir({}), 'token');
  const file = new TokenFile(path, () => NOON_MS);
  t.equal(await file.make(), true);
  t.equal((await stat(path)).mode & 0o777, 0o600);
  const token = await firstToken(path);
  t.match(token, /^[0-9a-f]{64}$/);
  t.equal(await file.make(), false);
  t.equal(await file.judge(token), 'valid');
  await writeFile(path, `# gone\n${B}\n`);
  t.equal(await file.judge(token), 'unknown', 'it was taken out');
  t.equal(await firstToken(path), B);
});

void t.test('a file without tokens, or none', async (t) => {
  const path = join(t.testdir({ token: '# nothing\n' }), 'token');
  await t.rejects(new TokenFile(path, () => 0).check(), { code: 'STORAGE_FAILED', message: /no token in it/ });
  await t.rejects(firstToken(path), { message: /no token in it/ });
  await t.rejects(new TokenFile('/no/such/token', () => 0).check(), { message: /ENOENT/ });
  await t.rejects(new TokenFile('/no/such/token', () => 0).make(), { code: 'STORAGE_FAILED' });
});

void t.test('a file that other users may read or change', async (t) => {
  const path = join(t.testdir({ token: A }), 'token');
  const modes = [
    { mode: 0o600, isOpen: false },
    { mode: 0o640, isOpen: false },
    { mode: 0o660, isOpen: false },
    { mode: 0o644, isOpen: true },
    { mode: 0o602, isOpen: true },
  ];
  for (const { mode, isOpen } of modes) {
    await chmod(path, mode);
    t.equal(await new TokenFile(path, () => NOON_MS).isOpenToAll(), isOpen, mode.toString(8));
  }
});
