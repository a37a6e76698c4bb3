// `swarmd pause`, `resume`, `recheck`, `announce` and `remove`: one thing done to torrents, in one request for all of them.
import type { Command } from 'commander';
import type { BatchAction } from '../../shared-protocol/dto/batch.js';
import type { BatchOutcome } from '../../shared-protocol/dto/batch-outcome.js';
import type { TorrentDto } from '../../shared-protocol/dto/torrents.js';
import type { Context } from '../context.js';
import type { ApiClient } from '../daemon/api-client.js';
import { listTorrents, torrentNamed } from '../daemon/torrents.js';
import { CommandFailed, EXIT } from '../exit-codes.js';
import { bytes } from '../output/quantities.js';
import { plain, printJson } from '../output/print.js';
import { command, runs, type Defining } from './define.js';

interface Flags {
  readonly server?: string;
  readonly all?: boolean;
}

interface RemoveFlags extends Flags {
  readonly withData?: boolean;
  readonly yes?: boolean;
}

/** Torrents of one request. */
const MAX_BATCH = 20_000;

const PLAIN = [
  ['pause', 'pause torrents', 'paused'],
  ['resume', 'resume torrents', 'resumed'],
  ['recheck', 'verify the data of torrents again', 'to be checked'],
  ['announce', 'announce torrents to their trackers now', 'announced'],
] as const;

export function actCommands(defining: Defining): Command[] {
  const plainOnes = PLAIN.map(([action, about, done]) => {
    const made = command(`${action} [torrents...]`, about)
      .option('--all', 'all torrents')
      .option('--server <name>', 'of another server');
    return runs<Flags>(made, defining, async (context, names, flags) => {
      const api = await context.apiOf(flags.server);
      await act(context, api, await chosen(api, names, flags), { action }, done);
    });
  });
  return [...plainOnes, removeCommand(defining)];
}

function removeCommand(defining: Defining): Command {
  const made = command('remove [torrents...]', 'remove torrents')
    .alias('rm')
    .option('--all', 'all torrents')
    .option('--server <name>', 'of another server')
    .option('--with-data', 'delete their files from disk as well')
    .option('-y, --yes', 'do not ask');
  return runs<RemoveFlags>(made, defining, async (context, names, flags) => {
    const api = await context.apiOf(flags.server);
    const torrents = await chosen(api, names, flags);
    const withData = flags.withData === true;
    if (!flags.yes) await confirm(context, torrents, withData);
    await act(context, api, torrents, { action: 'remove', delete_data: withData }, 'removed');
  });
}

async function chosen(api: ApiClient, names: readonly string[], { all }: Flags): Promise<readonly TorrentDto[]> {
  if (all && names.length > 0) throw new CommandFailed('--all: name no torrents besides', EXIT.usage);
  const torrents = await listTorrents(api);
  if (all) return torrents;
  if (names.length === 0) throw new CommandFailed('name torrents, or give --all', EXIT.usage);
  return [...new Set(names.map((name) => torrentNamed(torrents, name)))];
}

async function confirm({ terminal }: Context, torrents: readonly TorrentDto[], withData: boolean): Promise<void> {
  const size = bytes(torrents.reduce((sum, { bytes_done }) => sum + bytes_done, 0));
  const what = torrents.length === 1 ? plain(torrents[0]!.name) : `${torrents.length} torrents`;
  const answer = await terminal.ask(`Remove ${what}${withData ? ` and ${size} of files` : ''}? [y/N] `);
  if (answer === null) throw new CommandFailed('nobody is there to ask: give --yes', EXIT.usage);
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new CommandFailed('nothing was removed');
}

async function act(
  context: Context,
  api: ApiClient,
  torrents: readonly TorrentDto[],
  action: BatchAction,
  done: string,
): Promise<void> {
  const outcomes: BatchOutcome[] = [];
  for (let from = 0; from < torrents.length; from += MAX_BATCH) {
    const ids = torrents.slice(from, from + MAX_BATCH).map(({ id }) => id);
    const answer = await api.call<{ readonly outcomes: readonly BatchOutcome[] }>('POST', '/api/torrents/batch', {
      ids,
      ...action,
    });
    outcomes.push(...answer.outcomes);
  }
  const failed = outcomes.filter(({ ok }) => !ok);
  if (failed.length > 0) context.exitCode = failed.length < outcomes.length ? EXIT.partly : EXIT.failed;
  if (context.isJson) return printJson(context.terminal, outcomes);
  const names = new Map(torrents.map(({ id, name }) => [id, name]));
  for (const { id, ok, error } of outcomes) {
    const name = plain(names.get(id) ?? id);
    if (ok) context.say(`${done}: ${name}`);
    else context.warn(`${name}: ${error ?? 'not done'}`);
  }
}
