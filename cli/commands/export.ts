// `swarmd export`: the torrents of the account as qBittorrent keeps its own, in an archive (docs/operate/export.md).
import type { Command } from 'commander';
import { saveAnswer } from '../daemon/save-answer.js';
import { printJson } from '../output/print.js';
import { bytes } from '../output/quantities.js';
import { command, runs, type Defining } from './define.js';

export function exportCommand(defining: Defining): Command {
  const made = command(
    'export <file>',
    'write all torrents as qBittorrent keeps them, into a new zip archive; - is standard output',
  );
  return runs(made, defining, async (context, [file = '']) => {
    // Trackers in it may have passkeys in their addresses.
    const size = await saveAnswer(context, await context.api(), '/api/export', file);
    if (file === '-') return;
    if (context.isJson) return printJson(context.terminal, { file, bytes: size });
    context.say(`written: ${file}, ${bytes(size)}`);
  });
}
