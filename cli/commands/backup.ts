// `swarmd backup`: has the daemon write an archive of its state, and fetches it where a file is named (docs/operate/backup.md).
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import type { BackupDto, BackupsDto } from '../../shared-protocol/dto/backups.js';
import type { ApiClient } from '../daemon/api-client.js';
import { saveAnswer } from '../daemon/save-answer.js';
import { CommandFailed } from '../exit-codes.js';
import { printJson, printTable, type Column } from '../output/print.js';
import { bytes, moment } from '../output/quantities.js';
import { command, runs, type Defining } from './define.js';

interface Flags {
  readonly list?: boolean;
}

interface Finished {
  /** The folder of backups. */
  readonly path: string;
  readonly size: number;
  readonly isAutomatic: boolean;
}

const LOOK_EVERY_MS = 200;
const SECRETS = 'it holds digests of passwords and keys, and passkeys of trackers: keep it where nobody else reads it';

const COLUMNS: readonly Column<BackupDto>[] = [
  { title: 'NAME', text: ({ name }) => name },
  { title: 'SIZE', text: ({ size }) => bytes(size), raw: ({ size }) => size, isNumeric: true },
  { title: 'MADE', text: ({ created_at }) => moment(created_at), raw: ({ created_at }) => created_at },
  { title: 'BY', text: ({ automatic }) => (automatic ? 'itself' : 'hand') },
];

export function backupCommand(defining: Defining): Command {
  const made = command(
    'backup [file]',
    'write an archive of the state of the daemon, which goes on; into a new file, or among its own',
  ).option('-l, --list', 'list those that there are');
  return runs<Flags>(made, defining, async (context, [file], { list }) => {
    const api = await context.api();
    const { terminal, isJson } = context;
    if (list) {
      const all = await backupsOf(api);
      return isJson ? printJson(terminal, all) : printTable(terminal, COLUMNS, all.backups);
    }
    const { name } = await api.call<{ readonly name: string }>('POST', '/api/backups');
    const { path, size, isAutomatic } = await finished(api, name);
    const saved = file ?? `${path}/${name}`;
    if (file !== undefined) {
      await saveAnswer(context, api, `/api/backups/${name}`, file);
      // One that the daemon was making by itself just then is its own.
      if (!isAutomatic) await api.call('DELETE', `/api/backups/${name}`);
    }
    if (file === '-') return;
    if (isJson) return printJson(terminal, { file: saved, bytes: size });
    context.say(`written: ${saved}, ${bytes(size)}`);
    context.warn(SECRETS);
  });
}

function backupsOf(api: ApiClient): Promise<BackupsDto> {
  return api.call('GET', '/api/backups');
}

/** @throws CommandFailed where it has come to nothing */
async function finished(api: ApiClient, name: string): Promise<Finished> {
  for (;;) {
    const { running, error, backups, path } = await backupsOf(api);
    const found = backups.find((backup) => backup.name === name);
    if (found && !running) return { path, size: found.size, isAutomatic: found.automatic };
    if (!running) throw new CommandFailed(error ?? 'the backup has gone');
    await pause(LOOK_EVERY_MS);
  }
}
