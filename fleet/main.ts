// `npm run fleet`: starts a fleet on this machine, says where each part of it is, and ends all of it at the first signal. A part
// that ends without being asked to is told of with its last lines, and the others go on, as they would anywhere.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killChildren } from './child-process.js';
import { Fleet } from './fleet.js';
import { parseFleetOptions, type FleetCommandLine } from './options.js';
import { hasPostgres } from './postgres-server.js';
import type { Role } from './role.js';

const EXIT_USAGE = 2;

const parsed = parseFleetOptions(process.argv.slice(2));
if (parsed.kind === 'help') {
  say(parsed.text.trimEnd());
} else if (parsed.kind === 'error') {
  complain(parsed.message);
  process.exitCode = EXIT_USAGE;
} else if (!hasPostgres()) {
  complain('swarmd fleet: PostgreSQL 15 is missing: apt-get install postgresql');
  process.exitCode = 1;
} else {
  await run(parsed.options);
}

async function run({ nodes, fronts, dir }: FleetCommandLine): Promise<void> {
  const directory = dir ?? mkdtempSync(join(tmpdir(), 'swarmd-fleet-'));
  const removeTemporary = (): void => {
    if (dir === null) rmSync(directory, { recursive: true, force: true });
  };
  let ending: Promise<void> | null = null;
  try {
    const fleet = new Fleet({ directory, nodes, fronts, ownGroup: true, onDied: tellOfDeath });
    const end = (): Promise<void> => (ending ??= fleet.stop().finally(removeTemporary));
    onSignals(end, removeTemporary);
    await fleet.start().catch(async (error: unknown) => {
      // What is ended while it starts has not started, and that is no news.
      const isNews = ending === null;
      await end();
      if (isNews) throw error;
    });
    if (!ending) describe(fleet, directory, dir === null);
  } catch (error) {
    if (!ending) removeTemporary();
    complain(`swarmd fleet: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}

/** The first signal ends in order, a second one at once. */
function onSignals(end: () => Promise<void>, removeTemporary: () => void): void {
  let isEnding = false;
  const onSignal = (): void => {
    if (isEnding) {
      killChildren();
      removeTemporary();
      process.exit(1);
    }
    isEnding = true;
    void end();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
}

function describe(fleet: Fleet, directory: string, isTemporary: boolean): void {
  const { postgres, engines, fronts, adminPassword } = fleet;
  const line = ({ name, pid }: Role, where = ''): string => `${name.padEnd(12)}pid ${String(pid).padEnd(10)}${where}`;
  say(
    [
      ...fronts.map((front) => line(front, front.url)),
      ...engines.map((engine) => line(engine)),
      line(postgres),
      `sign in     admin, ${adminPassword} at first`,
      `directory   ${directory}${isTemporary ? ', removed at the end' : ''}; logs in logs/, torrents in engine-N/, and in shared/ those of all`,
      'swarmd fleet ready, Ctrl-C ends it',
    ].join('\n'),
  );
}

function tellOfDeath({ name, lastLines }: Role, status: string): void {
  complain(`swarmd fleet: ${name} has ended by itself (${status}); the last that it said:\n${lastLines.join('\n')}`);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function complain(text: string): void {
  process.stderr.write(`${text}\n`);
}
