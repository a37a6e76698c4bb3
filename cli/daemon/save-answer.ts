// An answer of the daemon as a new file, which only its owner may read.
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Context } from '../context.js';
import { CommandFailed } from '../exit-codes.js';
import type { ApiClient } from './api-client.js';

const OWNERS_ALONE = 0o600;

/** `file`: `-` is standard output. Returns the size in bytes. @throws CommandFailed; no half file is left */
export async function saveAnswer({ terminal }: Context, api: ApiClient, path: string, file: string): Promise<number> {
  const { body } = await api.open('GET', path);
  if (!body) throw new CommandFailed('the answer is empty');
  const isFile = file !== '-';
  const target = isFile ? createWriteStream(file, { flags: 'wx', mode: OWNERS_ALONE }) : terminal.out;
  let size = 0;
  const counted = async function* (source: AsyncIterable<Uint8Array>) {
    for await (const chunk of source) {
      size += chunk.length;
      yield chunk;
    }
  };
  try {
    await pipeline(Readable.fromWeb(body), counted, target, { end: isFile });
    return size;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new CommandFailed(`${file} is there already`);
    if (isFile) await rm(file, { force: true });
    throw new CommandFailed(code?.startsWith('E') ? `${file}: ${message}` : `the answer ended early: ${message}`);
  }
}
