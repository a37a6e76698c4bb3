// `swarmd server …`: the remotes of a daemon.
import { Command } from 'commander';
import type { RemoteDto, RemoteTestDto } from '../../shared-protocol/dto/remotes.js';
import type { Context } from '../context.js';
import { remoteNamed, remotesOf } from '../daemon/servers.js';
import { userNamed } from '../daemon/users.js';
import { bytes, moment } from '../output/quantities.js';
import { plain, printJson, printTable, type Column } from '../output/print.js';
import { command, runs, several, type Defining } from './define.js';

interface AddFlags {
  readonly user?: readonly string[];
  readonly pin?: string;
}

const COLUMNS: readonly Column<RemoteDto>[] = [
  { title: 'ID', text: ({ id }) => String(id), isNumeric: true },
  { title: 'NAME', text: ({ name }) => name },
  { title: 'STATE', text: ({ state }) => state },
  { title: 'SINCE', text: ({ since }) => moment(since), raw: ({ since }) => since },
  { title: 'TORRENTS', text: ({ torrents }) => String(torrents), isNumeric: true },
  { title: 'URL', text: ({ url }) => url ?? '' },
  { title: 'REASON', text: ({ reason }) => reason ?? '' },
];

export function serverCommand(defining: Defining): Command {
  const add = command(
    'add <name> <address>',
    'set a server up; an API key of it is asked for, or read from standard input',
  )
    .option('-u, --user <name>', 'an account that sees it; may be repeated; without it: the caller', several)
    .option('--pin <sha256>', 'the one certificate that is taken');
  const parent = new Command('server').description(
    'other servers whose torrents are listed here: list, add, test, remove',
  );
  for (const made of [
    runs(command('list', 'list servers').alias('ls'), defining, async (context) => {
      const remotes = await remotesOf(await context.api());
      if (context.isJson) return printJson(context.terminal, remotes);
      printTable(context.terminal, COLUMNS, remotes);
    }),
    runs<AddFlags>(add, defining, addServer),
    runs(command('test <name>', 'ask a server now'), defining, testServer),
    runs(
      command('remove <name>', 'forget a server; nothing changes there').alias('rm'),
      defining,
      async (context, [name = '']) => {
        const api = await context.api();
        const { id } = await remoteNamed(api, name);
        await api.call('DELETE', `/api/remotes/${id}`);
        context.say(`forgotten: ${plain(name)}`);
      },
    ),
  ]) {
    parent.addCommand(made);
  }
  return parent;
}

async function addServer(context: Context, [name = '', url = '']: readonly string[], flags: AddFlags): Promise<void> {
  const { user, pin } = flags;
  const api = await context.api();
  const user_ids = user && (await Promise.all(user.map(async (one) => (await userNamed(api, one)).id)));
  const made = await api.call<{ readonly id: number }>('POST', '/api/remotes', {
    name,
    url,
    api_key: await context.secret('API key of an account there: '),
    ...(user_ids && { user_ids }),
    ...(pin !== undefined && { tls: `pin:${pin.replaceAll(':', '')}` }),
  });
  if (context.isJson) return printJson(context.terminal, made);
  context.say(`made: ${plain(name)}`);
}

async function testServer(context: Context, [name = '']: readonly string[]): Promise<void> {
  const api = await context.api();
  const { id } = await remoteNamed(api, name);
  const test = await api.call<RemoteTestDto>('POST', `/api/remotes/${id}/test`);
  if (context.isJson) return printJson(context.terminal, test);
  const adds = test.perm_add_torrents || test.role === 'admin' ? 'may add torrents' : 'may not add torrents';
  const room = test.free_bytes === null ? '' : `, ${bytes(test.free_bytes)} free`;
  context.say(
    `${plain(name)}: Swarmd ${plain(test.version)}, as ${plain(test.username)} (${test.role}, ${adds})${room}`,
  );
}
