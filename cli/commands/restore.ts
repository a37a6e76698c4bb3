// `swarmd restore`: makes a data directory of an archive. No daemon is asked: none runs on it yet.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { messageOf } from '../../shared-protocol/errors.js';
import { databaseFileOf, dataDirOf } from '../daemon/find-daemon.js';
import { CommandFailed } from '../exit-codes.js';
import { moment } from '../output/quantities.js';
import { printJson } from '../output/print.js';
import { command, DATABASE_OPTION, runs, several, type Defining } from './define.js';
import { mappingOf } from './mapping.js';

interface Flags {
  readonly databaseFile?: string;
  readonly map?: readonly string[];
}

export function restoreCommand(defining: Defining): Command {
  const made = command('restore <file>', 'make a data directory of an archive; it must be empty, or not there yet')
    .option('-m, --map <old=new>', 'the beginning of paths there, and what it is here; may be repeated', several)
    .option(...DATABASE_OPTION);
  return runs<Flags>(made, defining, async (context, [file = ''], flags) => {
    const dataDir = dataDirOf(context.flags, context.terminal);
    const mappings = (flags.map ?? []).map(mappingOf);
    const databaseFile = databaseFileOf(flags, context.terminal);
    const restored = await defining
      .restore({ archive: resolve(file), dataDir, mappings, databaseFile })
      .catch((error: unknown) => {
        throw new CommandFailed(messageOf(error));
      });
    if (context.isJson) return printJson(context.terminal, { data_dir: dataDir, ...restored });
    const shared = databaseFile === null ? '' : ` --database-file ${databaseFile}`;
    context.say(`restored: ${dataDir}, as it was on ${moment(restored.created_at)}`);
    context.say(`start the daemon with --data-dir ${dataDir}${shared}; it compares the files of all torrents first`);
  });
}
