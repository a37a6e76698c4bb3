// `swarmd export`: the torrents of the account as qBittorrent keeps its own, in an archive (docs/operate/export.md).
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { CommandFailed } from '../exit-codes.js';
import { printJson } from '../output/print.js';
import { bytes } from '../output/quantities.js';
import { command, runs, type Defining } from './define.js';

export function exportCommand(defining: Defining): Command {
  const made = command(
    'export <file>',
    'write all torrents as qBittorrent keeps them, into a new zip archive; - is standard output',
  );
  return runs(made, defining, async (context, [file = '']) => {
    const api = await context.api();
    const { body } = await api.open('GET', '/api/export');
    if (!body) throw new CommandFailed('the answer is empty');
    const { terminal } = context;
    // Trackers in it may have passkeys in their addresses.
    const target = file === '-' ? terminal.out : createWriteStream(file, { flags: 'wx', mode: 0o600 });
    let size = 0;
    const counted = async function* (source: AsyncIterable<Uint8Array>) {
      for await (const chunk of source) {
        size += chunk.length;
        yield chunk;
      }
    };
    try {
      await pipeline(Readable.fromWeb(body), counted, target, { end: file !== '-' });
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') throw new CommandFailed(`${file} is there already`);
      if (file !== '-') await rm(file, { force: true });
      throw new CommandFailed(code?.startsWith('E') ? `${file}: ${message}` : `the answer ended early: ${message}`);
    }
    if (file === '-') return;
    if (context.isJson) return printJson(terminal, { file, bytes: size });
    context.say(`written: ${file}, ${bytes(size)}`);
  });
}
