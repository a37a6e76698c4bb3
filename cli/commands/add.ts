// `swarmd add`: torrent files, magnets, info hashes and URLs.
import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { Command } from 'commander';
import { FormData } from 'undici';
import type { AddingBody } from '../../shared-protocol/dto/adding.js';
import type { Context } from '../context.js';
import type { ApiClient } from '../daemon/api-client.js';
import { CommandFailed, EXIT } from '../exit-codes.js';
import { plain, printJson } from '../output/print.js';
import { showProgress } from '../output/progress.js';
import { command, runs, several, type Defining } from './define.js';

interface Flags {
  readonly server?: string;
  readonly savePath?: string;
  readonly category?: string;
  readonly tag?: readonly string[];
  readonly name?: string;
  readonly paused?: boolean;
  readonly sequential?: boolean;
  readonly skipCheck?: boolean;
  readonly top?: boolean;
  readonly wait?: boolean;
}

interface Added {
  /** The name of the server that it is on, where that was left to the daemon. */
  readonly server?: string;
  readonly existed?: true;
  readonly source: string;
  readonly id?: string;
  readonly error?: string;
}

interface Label {
  readonly id: number;
  readonly name: string;
}

export function addCommand(defining: Defining): Command {
  const made = command(
    'add <sources...>',
    'add torrents: files, magnets, info hashes, URLs; - is a file on standard input',
  )
    .option('-p, --save-path <dir>', 'where their files go, on the machine of the daemon')
    .option(
      '--server <name>',
      'another server that they are added to; auto: the one with the most room, unless one has them',
    )
    .option('-c, --category <name>', 'their category')
    .option('-t, --tag <name>', 'a tag; may be repeated', several)
    .option('--name <name>', 'the name that is shown')
    .option('--paused', 'do not start them')
    .option('--sequential', 'download the earliest pieces first')
    .option('--skip-check', 'take files that lie there on trust; they are hashed before they are served')
    .option('--top', 'put them at the top of the queue')
    .option('-w, --wait', 'wait until they are complete');
  return runs<Flags>(made, defining, async (context, sources, flags) => {
    if (flags.wait && flags.server !== undefined) throw new CommandFailed('--wait: not with --server', EXIT.usage);
    const here = await context.api();
    const api = flags.server === 'auto' ? here.at('auto') : await context.apiOf(flags.server);
    // Labels of a server that is not chosen yet are those of this one.
    const wishes = await wishesOf(flags.server === 'auto' ? here : api, flags);
    const added: Added[] = [];
    for (const source of sources) added.push(await add(context, api, source, wishes));
    const failed = added.filter(({ error }) => error !== undefined).length;
    if (failed > 0) context.exitCode = failed < added.length ? EXIT.partly : EXIT.failed;
    if (context.isJson) printJson(context.terminal, added);
    else for (const one of added) tell(context, one);
    if (flags.wait)
      await showProgress(
        context,
        api,
        added.flatMap(({ id }) => id ?? []),
      );
  });
}

function tell(context: Context, { source, id, error, server, existed }: Added): void {
  const where = server === undefined ? '' : ` (${existed ? 'is on' : 'on'} ${plain(server)})`;
  if (error === undefined)
    context.say(`${existed && server !== undefined ? 'there' : 'added'}: ${id} ${plain(source)}${where}`);
  else context.warn(`${plain(source)}: ${error}`);
}

/** @throws CommandFailed for a category or tag that there is not */
async function wishesOf(api: ApiClient, flags: Flags): Promise<AddingBody> {
  const { savePath, category, tag = [], name, paused, sequential, skipCheck, top } = flags;
  return {
    ...(savePath !== undefined && { save_path: api.daemon.pid === null ? savePath : resolve(savePath) }),
    ...(category !== undefined && { category_id: await labelNamed(api, 'categories', category) }),
    ...(tag.length > 0 && { tags: await Promise.all(tag.map((one) => labelNamed(api, 'tags', one))) }),
    ...(name !== undefined && { name }),
    ...(paused && { paused }),
    ...(sequential && { sequential }),
    ...(skipCheck && { skip_check: true }),
    ...(top && { queue_position: 'top' as const }),
  };
}

async function labelNamed(api: ApiClient, kind: 'categories' | 'tags', name: string): Promise<number> {
  const labels = await api.call<readonly Label[]>('GET', `/api/${kind}`);
  const found =
    labels.find((label) => label.name === name) ??
    labels.find((label) => label.name.toLowerCase() === name.toLowerCase());
  if (found) return found.id;
  const there = labels.map((label) => plain(label.name)).join(', ') || 'none';
  throw new CommandFailed(
    `${kind === 'tags' ? 'tag' : 'category'} ${JSON.stringify(name)} does not exist; there are: ${there}`,
  );
}

async function add(context: Context, api: ApiClient, source: string, wishes: AddingBody): Promise<Added> {
  try {
    if (/^magnet:/i.test(source) || /^(?:[0-9a-f]{40}|[a-z2-7]{32})$/i.test(source)) {
      return {
        source,
        ...(await api.call<{ readonly id: string }>('POST', '/api/torrents/magnet', { magnet: source, ...wishes })),
      };
    }
    if (/^https?:\/\//i.test(source)) return await addUrl(api, source, wishes);
    const bytes = source === '-' ? await context.terminal.readInput() : await fileOf(source);
    const form = new FormData();
    for (const [field, value] of Object.entries(wishes)) {
      form.set(field, typeof value === 'string' ? value : JSON.stringify(value));
    }
    form.set('file', new Blob([new Uint8Array(bytes)]), source === '-' ? 'input.torrent' : basename(source));
    return { source, ...(await api.call<{ readonly id: string }>('POST', '/api/torrents/file', form)) };
  } catch (error) {
    if (!(error instanceof CommandFailed) || error.exitCode === EXIT.unreachable) throw error;
    return { source, error: error.message };
  }
}

/** The route does not say which torrent it was; what is in the file does. */
async function addUrl(api: ApiClient, url: string, wishes: AddingBody): Promise<Added> {
  const looking = api.server === 'auto' ? api.at(null) : api;
  const { id } = await looking.call<{ readonly id: string }>('POST', '/api/torrents/inspect_url', { url });
  const added = await api.call<Pick<Added, 'server' | 'existed'>>('POST', '/api/torrents/url', { url, ...wishes });
  return { source: url, id, ...(added.server !== undefined && { server: added.server, existed: added.existed }) };
}

async function fileOf(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isUnlikely = code === 'ENOENT' && !path.endsWith('.torrent');
    const hint = isUnlikely ? '; a magnet begins with magnet:, an info hash has 40 digits' : '';
    throw new CommandFailed(code === 'ENOENT' ? `no such file${hint}` : message);
  }
}
