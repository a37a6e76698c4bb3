// `swarmd records …`: carries the records of a data directory into a database that fronts share, and back (docs/operate/fleet.md).
// No daemon is asked: none runs on them meanwhile.
import { Command } from 'commander';
import { messageOf } from '../../shared-protocol/errors.js';
import { databaseFileOf, dataDirOf } from '../daemon/find-daemon.js';
import { CommandFailed, EXIT } from '../exit-codes.js';
import { printJson, printTable, type Column } from '../output/print.js';
import { command, DATABASE_OPTION, runs, type Carried, type Defining } from './define.js';

interface Flags {
  readonly databaseFile?: string;
}

type Row = readonly [kind: string, count: number];

const COLUMNS: readonly Column<Row>[] = [
  { title: 'RECORDS', text: ([kind]) => kind },
  { title: 'NUMBER', text: ([, count]) => String(count), isNumeric: true },
];

export function recordsCommand(defining: Defining): Command {
  const parent = new Command('records').description('accounts, settings and lists: to-database, to-files');
  const toDatabase = command('to-database', 'carry the records of a data directory into an empty database');
  const toFiles = command('to-files', 'carry the records of a database into a data directory without any');
  parent.addCommand(carrying(toDatabase, defining, 'to-database'));
  parent.addCommand(carrying(toFiles, defining, 'to-files'));
  return parent;
}

function carrying(made: Command, defining: Defining, direction: 'to-database' | 'to-files'): Command {
  made.option(...DATABASE_OPTION);
  return runs<Flags>(made, defining, async (context, _args, flags) => {
    const databaseFile = databaseFileOf(flags, context.terminal);
    if (databaseFile === null) {
      throw new CommandFailed(
        '--database-file is needed: it names the file that says where the database is',
        EXIT.usage,
      );
    }
    const dataDir = dataDirOf(flags, context.terminal);
    const carried = await defining.carry(direction, { dataDir, databaseFile }).catch((error: unknown) => {
      throw new CommandFailed(messageOf(error));
    });
    const { counts: records, database, already } = carried;
    if (context.isJson) return printJson(context.terminal, { data_dir: dataDir, database, already, records });
    printTable(context.terminal, COLUMNS, Object.entries(records));
    context.say(said(direction, dataDir, carried));
  });
}

function said(direction: 'to-database' | 'to-files', dataDir: string, { database, already }: Carried): string {
  if (already) return `nothing was left to do: ${dataDir} and ${database} have the same records`;
  const [from, to] = direction === 'to-database' ? [dataDir, database] : [database, dataDir];
  return `carried: from ${from} into ${to}`;
}
