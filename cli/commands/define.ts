// What commands are made with: the options that all of them take, and what happens with their failures.
import { Command } from 'commander';
import { Context, type CommonFlags } from '../context.js';
import type { PathMapping } from '../../shared-protocol/path-map.js';
import { CommandFailed } from '../exit-codes.js';
import type { Terminal } from '../terminal.js';

export type Run<Flags> = (context: Context, args: readonly string[], flags: Flags & CommonFlags) => Promise<void>;

export type Restore = (params: {
  readonly archive: string;
  readonly dataDir: string;
  readonly mappings: readonly PathMapping[];
  /** Names the database that takes the records; null: they are files of the data directory. */
  readonly databaseFile: string | null;
}) => Promise<{ readonly created_at: number; readonly program: string }>;

/** Records that a data directory and a database have both. */
export interface Carried {
  /** By kind. */
  readonly counts: Readonly<Record<string, number>>;
  readonly database: string;
  /** Whether they had been carried before. */
  readonly already: boolean;
}

export type Carry = (
  direction: 'to-database' | 'to-files',
  places: { readonly dataDir: string; readonly databaseFile: string },
) => Promise<Carried>;

/** The option of commands that work with a database themselves. */
export const DATABASE_OPTION = [
  '--database-file <file>',
  'holds postgres://…, where fronts share their records (SWARMD_DATABASE_FILE)',
] as const;

export interface Defining {
  readonly terminal: Terminal;
  /** Makes a data directory of an archive. */
  readonly restore: Restore;
  /** Carries records between files and a database. */
  readonly carry: Carry;
  /** Told how a command has ended. */
  readonly onEnd: (code: number) => void;
}

/** A command with the options of all commands; `syntax` as Commander has it: `name <argument>`. */
export function command(syntax: string, about: string): Command {
  const made = new Command(syntax.split(' ')[0]).description(about);
  for (const argument of syntax.split(' ').slice(1)) made.argument(argument);
  return made
    .option('--json', 'answer in JSON')
    .option('--data-dir <dir>', 'data directory of the daemon on this machine (SWARMD_DATA_DIR)')
    .option('--url <url>', 'address of a daemon elsewhere (SWARMD_URL)')
    .option('--key-file <file>', 'file that holds an API key (SWARMD_API_KEY: the key itself)')
    .option('--ca <file>', 'certificates to trust, in PEM');
}

/** Arguments come as one list, those that are repeated among them. */
export function runs<Flags>(made: Command, { terminal, onEnd }: Defining, run: Run<Flags>): Command {
  return made.action(async (...given: unknown[]) => {
    const flags = made.opts<Flags & CommonFlags>();
    const args = given
      .slice(0, -2)
      .flat()
      .filter((argument): argument is string => typeof argument === 'string');
    const context = new Context(terminal, flags);
    try {
      await run(context, args, flags);
      onEnd(context.exitCode);
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error;
      if (flags.json) terminal.err.write(`${JSON.stringify({ error: error.message })}\n`);
      else context.warn(error.message);
      onEnd(error.exitCode);
    }
  });
}

/** For options that may be given several times. */
export function several(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
