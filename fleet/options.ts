// The command line of a fleet for trying: `npm run fleet`. Pure.
import { resolve } from 'node:path';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';

const MOST = 16;
/** A Unix socket has a path of 107 bytes at most, and those of a fleet lie one folder below. */
const MOST_PATH_BYTES = 80;

export interface FleetCommandLine {
  /** Machines with an engine each. */
  readonly nodes: number;
  readonly fronts: number;
  /** null: a temporary one. */
  readonly dir: string | null;
}

export type ParsedFleetOptions =
  | { readonly kind: 'run'; readonly options: FleetCommandLine }
  | { readonly kind: 'help'; readonly text: string }
  /** A line for standard error. */
  | { readonly kind: 'error'; readonly message: string };

export function parseFleetOptions(args: readonly string[]): ParsedFleetOptions {
  const said: string[] = [];
  const command = fleetCommand()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => said.push(text),
      writeErr: (text) => said.push(text),
      outputError: (text, write) => write(text.replace(/^error: /, '')),
    });
  try {
    command.parse([...args], { from: 'user' });
    const { nodes, fronts, dir = null } = command.opts<{ nodes: number; fronts: number; dir?: string }>();
    return { kind: 'run', options: { nodes, fronts, dir } };
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const text = said.join('');
    if (error.code === 'commander.helpDisplayed') return { kind: 'help', text };
    return { kind: 'error', message: `swarmd fleet: ${text.trim()} (see npm run fleet -- --help)` };
  }
}

function fleetCommand(): Command {
  return new Command('npm run fleet --')
    .usage('[options]')
    .description('A fleet on this machine, for trying: PostgreSQL, engines, and fronts that share them.')
    .addOption(new Option('--nodes <N>', `engines, 1 to ${MOST}`).argParser(count).default(2))
    .addOption(new Option('--fronts <N>', `fronts, 1 to ${MOST}`).argParser(count).default(2))
    .addOption(
      new Option('--dir <DIR>', 'all state, which is gone on from (default: a temporary one)').argParser(directory),
    );
}

function count(text: string): number {
  if (!/^\d{1,2}$/.test(text) || Number(text) < 1 || Number(text) > MOST) {
    throw new InvalidArgumentError(`expected a number, 1 to ${MOST}`);
  }
  return Number(text);
}

/** Addresses and lists are made with it. */
function directory(text: string): string {
  const path = resolve(text);
  if (text === '' || Buffer.byteLength(path) > MOST_PATH_BYTES || /[,:?#\0\n]/.test(path)) {
    throw new InvalidArgumentError(`expected a path of ${MOST_PATH_BYTES} bytes at most, without , : ? and #`);
  }
  return path;
}
