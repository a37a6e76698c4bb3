// The commands for a daemon that runs: what they are called, and how the program ends. The daemon itself is started without
// a command (api/cli/options.ts).
import { Command, CommanderError } from 'commander';
import { actCommands } from './commands/act.js';
import { addCommand } from './commands/add.js';
import { backupCommand } from './commands/backup.js';
import { completionCommand } from './commands/completion.js';
import type { Defining } from './commands/define.js';
import { doctorCommand } from './commands/doctor.js';
import { exportCommand } from './commands/export.js';
import { importCommand } from './commands/import.js';
import { listCommand } from './commands/list.js';
import { moveCommand } from './commands/move.js';
import { recordsCommand } from './commands/records.js';
import { restoreCommand } from './commands/restore.js';
import { serverCommand } from './commands/server.js';
import { showCommand } from './commands/show.js';
import { userCommand } from './commands/user.js';
import { EXIT } from './exit-codes.js';
import type { Terminal } from './terminal.js';

/** Runs what the command line says, without the program's own name. Resolves to the exit code. */
export async function runCommand(
  args: readonly string[],
  terminal: Terminal,
  onStorage: Pick<Defining, 'restore' | 'carry'>,
): Promise<number> {
  let exitCode: number = EXIT.done;
  const root = programOf({ terminal, ...onStorage, onEnd: (code) => (exitCode = code) });
  try {
    await root.parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    exitCode = error.exitCode === 0 ? EXIT.done : EXIT.usage;
  }
  return exitCode;
}

function programOf(defining: Defining): Command {
  const { terminal } = defining;
  const root = new Command('swarmd').description('Without a command it runs the daemon: see swarmd --help.');
  const commands = [
    addCommand(defining),
    listCommand(defining),
    showCommand(defining),
    ...actCommands(defining),
    moveCommand(defining),
    importCommand(defining),
    exportCommand(defining),
    backupCommand(defining),
    restoreCommand(defining),
    recordsCommand(defining),
    userCommand(defining),
    serverCommand(defining),
    doctorCommand(defining),
    completionCommand(defining, () => root),
  ];
  for (const made of commands) root.addCommand(made);
  root.helpCommand('help [command]', 'show the commands, or what one of them takes');
  for (const made of [root, ...allOf(root)]) {
    made.exitOverride().configureOutput({
      writeOut: (text) => void terminal.out.write(text),
      writeErr: (text) => void terminal.err.write(text.replace(/^error: /, 'swarmd: ')),
    });
  }
  return root;
}

function allOf(made: Command): Command[] {
  return made.commands.flatMap((inner) => [inner, ...allOf(inner)]);
}
