// `swarmd doctor`: looks at what is usually wrong, and says what to do about it. Changes nothing.
import type { Command } from 'commander';
import { findDaemon } from '../daemon/find-daemon.js';
import { ApiClient } from '../daemon/api-client.js';
import { lookAtDaemon } from '../doctor/daemon.js';
import { lookAtMachine } from '../doctor/machine.js';
import type { Finding } from '../doctor/finding.js';
import { lookAtTorrents } from '../doctor/torrents.js';
import { CommandFailed, EXIT } from '../exit-codes.js';
import { plain, printJson } from '../output/print.js';
import { command, runs, type Defining } from './define.js';

const MARKS = { fine: 'ok', worth: 'look', wrong: 'WRONG' } as const;

export function doctorCommand(defining: Defining): Command {
  const made = command(
    'doctor',
    'look at what is usually wrong: ports, descriptors, disks, mounts, clock, permissions, proxies',
  );
  return runs(made, defining, async (context) => {
    const findings: Finding[] = [...(await lookAtMachine(context))];
    try {
      const daemon = await findDaemon(context.flags, context.terminal);
      const api = new ApiClient(daemon);
      findings.push(...(await lookAtDaemon(api)), ...(await lookAtTorrents(api)));
    } catch (error) {
      if (!(error instanceof CommandFailed) || error.exitCode === EXIT.usage) throw error;
      findings.push({ what: 'daemon', how: 'wrong', found: error.message, advice: 'start it, and see its log' });
    }
    if (findings.some(({ how }) => how === 'wrong')) context.exitCode = EXIT.failed;
    if (context.isJson) return printJson(context.terminal, findings);
    for (const { what, how, found, advice } of findings) {
      context.say(`${MARKS[how].padEnd(6)}${what}: ${plain(found)}`);
      if (advice !== undefined && how !== 'fine') context.say(`      → ${advice}`);
    }
  });
}
