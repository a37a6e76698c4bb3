// `swarmd move`: torrents that go from one server to another.
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import type { ServerMoveDto } from '../../shared-protocol/dto/server-moves.js';
import type { Context } from '../context.js';
import type { ApiClient } from '../daemon/api-client.js';
import { serverNamed, THIS_SERVER } from '../daemon/servers.js';
import { torrentsNamed } from '../daemon/torrents.js';
import { CommandFailed, EXIT } from '../exit-codes.js';
import { percent } from '../output/quantities.js';
import { plain, printJson, printTable, type Column } from '../output/print.js';
import { command, runs, type Defining } from './define.js';

interface Flags {
  readonly from: string;
  readonly to?: string;
  readonly keepData?: boolean;
  readonly overlap?: boolean;
  readonly savePath?: string;
  readonly wait?: boolean;
}

interface Begun {
  readonly infohash: string;
  readonly name: string;
  readonly id?: number;
  readonly error?: string;
}

const LOOK_EVERY_MS = 1_000;

const COLUMNS: readonly Column<ServerMoveDto>[] = [
  { title: 'STATE', text: ({ state }) => state },
  { title: 'DONE', text: (move) => percent(partOf(move)), raw: partOf, isNumeric: true },
  { title: 'NAME', text: ({ name }) => name },
  { title: 'REASON', text: ({ reason }) => reason ?? '' },
];

export function moveCommand(defining: Defining): Command {
  const made = command('move [torrents...]', 'move torrents to another server; without any: how the moves go')
    .option('--to <server>', `the server that they go to; ${THIS_SERVER}: the daemon`)
    .option('--from <server>', 'the server that they are on', THIS_SERVER)
    .option('-p, --save-path <dir>', 'where their files go there')
    .option('--keep-data', 'leave the files where they are')
    .option('--overlap', 'both announce themselves for a while')
    .option('-w, --wait', 'wait until they are there');
  return runs<Flags>(made, defining, async (context, names, flags) => {
    const api = await context.api();
    if (names.length === 0) return show(context, await movesOf(api));
    if (flags.to === undefined) throw new CommandFailed('--to: say which server they go to', EXIT.usage);
    const [from, to] = [await serverNamed(api, flags.from), await serverNamed(api, flags.to)];
    const body = {
      ...{ from, to, delete_data: !flags.keepData, politeness: flags.overlap ? 'overlap' : 'one_location' },
      ...(flags.savePath !== undefined && { save_path: flags.savePath }),
    };
    const begun: Begun[] = [];
    for (const { id: infohash, name } of await torrentsNamed(api.at(from), names)) {
      begun.push({ infohash, name, ...(await begin(api, { ...body, infohash })) });
    }
    const failed = begun.filter(({ error }) => error !== undefined).length;
    if (failed > 0) context.exitCode = failed < begun.length ? EXIT.partly : EXIT.failed;
    if (flags.wait) return wait(context, api, begun);
    if (context.isJson) return printJson(context.terminal, begun);
    for (const { name, error } of begun) tell(context, name, error ?? null);
  });
}

async function begin(api: ApiClient, body: object): Promise<Pick<Begun, 'id' | 'error'>> {
  try {
    return { id: (await api.call<{ readonly id: number }>('POST', '/api/server_moves', body)).id };
  } catch (error) {
    if (!(error instanceof CommandFailed) || error.exitCode === EXIT.unreachable) throw error;
    return { error: error.message };
  }
}

async function wait(context: Context, api: ApiClient, begun: readonly Begun[]): Promise<void> {
  for (const { name, error } of begun) if (error !== undefined) tell(context, name, error);
  const ids = new Set(begun.flatMap(({ id }) => id ?? []));
  const mine = async () => (await movesOf(api)).filter(({ id }) => ids.has(id));
  let moves = await mine();
  for (; moves.some(({ ended_at }) => ended_at === 0); moves = await mine()) await pause(LOOK_EVERY_MS);
  const failed = moves.filter(({ state }) => state === 'failed');
  if (failed.length > 0) context.exitCode = failed.length < begun.length ? EXIT.partly : EXIT.failed;
  if (context.isJson) return printJson(context.terminal, moves);
  for (const { name, state, reason } of moves) {
    if (state === 'done') context.say(`moved: ${plain(name)}`);
    else tell(context, name, reason ?? 'not moved');
  }
}

function show(context: Context, moves: readonly ServerMoveDto[]): void {
  if (context.isJson) return printJson(context.terminal, moves);
  printTable(context.terminal, COLUMNS, moves);
}

function tell(context: Context, name: string, error: string | null): void {
  if (error === null) context.say(`moving: ${plain(name)}`);
  else context.warn(`${plain(name)}: ${error}`);
}

function movesOf(api: ApiClient): Promise<readonly ServerMoveDto[]> {
  return api.call('GET', '/api/server_moves');
}

function partOf({ bytes_done, bytes_total }: ServerMoveDto): number {
  return bytes_total === 0 ? 0 : bytes_done / bytes_total;
}
