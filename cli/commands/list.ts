// `swarmd list`: the torrents, as many as the key's account sees.
import { Option, type Command } from 'commander';
import type { ApiClient } from '../daemon/api-client.js';
import { remotesOf, THIS_SERVER } from '../daemon/servers.js';
import { listAll, listTorrents, stateOf, STATES, type ServerTorrent } from '../daemon/torrents.js';
import { CommandFailed, EXIT } from '../exit-codes.js';
import { bytes, duration, moment, percent, rate, ratio } from '../output/quantities.js';
import { printJson, printTable, type Column } from '../output/print.js';
import { command, runs, type Defining } from './define.js';

interface Flags {
  readonly server?: string;
  readonly state?: string;
  readonly search?: string;
  readonly category?: string;
  readonly sort: keyof typeof ORDERS;
  readonly reverse?: boolean;
}

/** Shorter ones may be another torrent's. */
const ID_CHARS = 10;

const COLUMNS: readonly Column<ServerTorrent>[] = [
  { title: 'ID', text: ({ id }) => id.slice(0, ID_CHARS), raw: ({ id }) => id },
  { title: 'STATE', text: stateOf },
  { title: 'DONE', text: ({ progress }) => percent(progress), raw: ({ progress }) => progress, isNumeric: true },
  {
    title: 'SIZE',
    text: ({ total_bytes }) => bytes(total_bytes),
    raw: ({ total_bytes }) => total_bytes,
    isNumeric: true,
  },
  {
    title: 'DOWN',
    text: ({ download_rate }) => rate(download_rate),
    raw: ({ download_rate }) => download_rate,
    isNumeric: true,
  },
  { title: 'UP', text: ({ upload_rate }) => rate(upload_rate), raw: ({ upload_rate }) => upload_rate, isNumeric: true },
  { title: 'ETA', text: (torrent) => duration(etaOf(torrent)), isNumeric: true },
  { title: 'RATIO', text: (torrent) => ratio(torrent.ratio), raw: (torrent) => torrent.ratio, isNumeric: true },
  { title: 'ADDED', text: ({ added_at }) => moment(added_at), raw: ({ added_at }) => added_at },
  { title: 'NAME', text: ({ name }) => name },
];

const ALL_SERVERS = 'all';

/** In front: a torrent may be there several times. */
async function serverColumn(api: ApiClient): Promise<Column<ServerTorrent>> {
  const names = new Map((await remotesOf(api)).map(({ id, name }) => [id, name]));
  return {
    title: 'SERVER',
    text: ({ server_id }) => (server_id === undefined ? THIS_SERVER : (names.get(server_id) ?? String(server_id))),
  };
}

type Order = (a: ServerTorrent, b: ServerTorrent) => number;
const ORDERS = {
  added: (a, b) => b.added_at - a.added_at,
  name: (a, b) => a.name.localeCompare(b.name),
  size: (a, b) => b.total_bytes - a.total_bytes,
  progress: (a, b) => b.progress - a.progress,
  down: (a, b) => b.download_rate - a.download_rate,
  up: (a, b) => b.upload_rate - a.upload_rate,
  ratio: (a, b) => b.ratio - a.ratio,
} as const satisfies Record<string, Order>;

export function listCommand(defining: Defining): Command {
  const made = command('list', 'list torrents')
    .alias('ls')
    .addOption(new Option('-s, --state <state>', 'only those in this state').choices(STATES))
    .option('--server <name>', `only those of another server; ${ALL_SERVERS}: of this one and all others`)
    .option('--search <text>', 'only those whose name contains this')
    .option('--category <name>', 'only those of this category')
    .addOption(new Option('--sort <by>', 'order').choices(Object.keys(ORDERS)).default('added'))
    .option('-r, --reverse', 'the other way round');
  return runs<Flags>(made, defining, async (context, _args, flags) => {
    const isOfAll = flags.server === ALL_SERVERS;
    const api = await context.apiOf(isOfAll ? undefined : flags.server);
    const all = await (isOfAll ? listAll(api) : listTorrents(api));
    const inCategory = flags.category === undefined ? () => true : await categoryFilter(api, flags.category);
    const searched = flags.search?.toLowerCase() ?? '';
    const shown = all.filter(
      (torrent) =>
        (flags.state === undefined || stateOf(torrent) === flags.state) &&
        torrent.name.toLowerCase().includes(searched) &&
        inCategory(torrent),
    );
    const sorted = [...shown].sort(ORDERS[flags.sort]);
    if (flags.reverse) sorted.reverse();
    if (context.isJson) return printJson(context.terminal, sorted);
    printTable(context.terminal, isOfAll ? [await serverColumn(api), ...COLUMNS] : COLUMNS, sorted);
  });
}

export function etaOf({ completed, total_bytes, bytes_done, download_rate }: ServerTorrent): number {
  if (completed || total_bytes === 0 || download_rate === 0) return Infinity;
  return (total_bytes - bytes_done) / download_rate;
}

async function categoryFilter(api: ApiClient, name: string) {
  const categories = await api.call<readonly { readonly id: number; readonly name: string }[]>(
    'GET',
    '/api/categories',
  );
  const found = categories.find((category) => category.name === name);
  if (!found) throw new CommandFailed(`no category ${JSON.stringify(name)}`, EXIT.failed);
  return ({ category_id }: ServerTorrent) => category_id === found.id;
}
