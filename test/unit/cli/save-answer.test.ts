// A file that is saved of the daemon has its name when it is whole, not before: a kill leaves no half one that looks like one.
import t, { type Test } from 'tap';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Response } from 'undici';
import { saveAnswer } from '../../../cli/daemon/save-answer.js';
import type { Terminal } from '../../../cli/terminal.js';
import { waitUntil } from '../../support/peers/wait-until.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const TIMEOUT_MS = 10_000;

/** An answer whose bytes are sent by hand. */
async function saving(t: Test, name: string) {
  const folder = await temporaryDirectory();
  const file = join(folder, name);
  const bytes = new TransformStream<Uint8Array, Uint8Array>();
  const writer = bytes.writable.getWriter();
  const api = { open: () => Promise.resolve(new Response(bytes.readable)) };
  const terminal = { out: process.stdout } as unknown as Terminal; // of which nothing else is used
  const begin = () => saveAnswer({ terminal }, api, '/anything', file);
  const send = (text: string) => writer.write(Buffer.from(text));
  t.teardown(() => writer.abort().catch(() => undefined));
  return { folder, file, begin, send, writer };
}

void t.test('it has its name when it is whole', async (t) => {
  const { folder, file, begin, send, writer } = await saving(t, 'state.tar.gz');
  const saved = begin();
  await send('half of it, ');
  await waitUntil('bytes written', TIMEOUT_MS, async () => {
    const sizes = await Promise.all((await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size));
    return sizes.some((size) => size > 0) || undefined;
  });
  t.notOk(existsSync(file), 'what is there by now has another name');
  await send('and the rest');
  await writer.close();
  t.equal(await saved, 24);
  t.equal(await readFile(file, 'utf8'), 'half of it, and the rest');
  t.equal((await stat(file)).mode & 0o777, 0o600);
  t.same(await readdir(folder), ['state.tar.gz']);
});

void t.test('one that is cut off leaves nothing', async (t) => {
  const { folder, begin, send, writer } = await saving(t, 'state.tar.gz');
  const saved = begin();
  await send('half of it');
  await writer.abort(new Error('the daemon has gone'));
  await t.rejects(saved, /the answer ended early/);
  t.same(await readdir(folder), []);
});

void t.test('what has the name already stays as it is', async (t) => {
  const { folder, file, begin, send, writer } = await saving(t, 'state.tar.gz');
  await writeFile(file, 'of somebody');
  const saved = begin();
  await send('new');
  await writer.close();
  await t.rejects(saved, /state\.tar\.gz is there already/);
  t.equal(await readFile(file, 'utf8'), 'of somebody');
  t.same(await readdir(folder), ['state.tar.gz']);
});
