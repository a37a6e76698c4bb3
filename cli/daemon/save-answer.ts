// An answer of the daemon as a new file, which only its owner may read. It has its name when it is whole and on stable storage: what
// the daemon has of it may be deleted then.
import { createWriteStream } from 'node:fs';
import { link, lstat, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Context } from '../context.js';
import { CommandFailed } from '../exit-codes.js';
import type { ApiClient } from './api-client.js';

const OWNERS_ALONE = 0o600;
const UNFINISHED = '.unfinished';

/** `file`: `-` is standard output. Returns the size in bytes. @throws CommandFailed; no half file is left */
export async function saveAnswer(
  { terminal }: Pick<Context, 'terminal'>,
  api: Pick<ApiClient, 'open'>,
  path: string,
  file: string,
): Promise<number> {
  const { body } = await api.open('GET', path);
  if (!body) throw new CommandFailed('the answer is empty');
  const source = Readable.fromWeb(body);
  if (file === '-') return received(source, terminal.out, false).catch((error: unknown) => failed(file, error));
  const unfinished = `${file}${UNFINISHED}`;
  try {
    await rm(unfinished, { force: true });
    const target = createWriteStream(unfinished, { flags: 'wx', mode: OWNERS_ALONE, flush: true });
    const size = await received(source, target, true);
    await takeName(unfinished, file);
    return size;
  } catch (error) {
    source.destroy();
    await rm(unfinished, { force: true }).catch(() => undefined);
    return failed(file, error);
  }
}

async function received(source: Readable, target: NodeJS.WritableStream, end: boolean): Promise<number> {
  let size = 0;
  const counted = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      size += chunk.length;
      yield chunk;
    }
  };
  await pipeline(source, counted, target, { end });
  return size;
}

/** Durable when it resolves. @throws NodeJS.ErrnoException EEXIST: something has the name already */
async function takeName(unfinished: string, file: string): Promise<void> {
  try {
    await link(unfinished, file);
    await rm(unfinished);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' || (await lstat(file).catch(() => null))) throw error;
    // Not every file system has a second name for a file.
    await rename(unfinished, file);
  }
  const folder = await open(dirname(file), 'r');
  await folder.sync().finally(() => folder.close());
}

function failed(file: string, error: unknown): never {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EEXIST') throw new CommandFailed(`${file} is there already`);
  throw new CommandFailed(code?.startsWith('E') ? `${file}: ${message}` : `the answer ended early: ${message}`);
}
