// Which torrents are meant: by info hash, by the beginning of one, or by name.
import type { TorrentDto } from '../../shared-protocol/dto/torrents.js';
import { CommandFailed } from '../exit-codes.js';
import { plain } from '../output/print.js';
import type { ApiClient } from './api-client.js';

const SHORTEST_PREFIX = 4;
/** Matches that are named where several are meant. */
const SHOWN_MATCHES = 5;

/** A torrent, and the remote that has it, if it is one. */
export type ServerTorrent = TorrentDto & { readonly server_id?: number };

/** Torrents of the daemon, or of the remote that is asked for. */
export async function listTorrents(api: ApiClient): Promise<readonly ServerTorrent[]> {
  if (api.server === null) return api.call('GET', '/api/torrents');
  return (await listAll(api)).filter(({ server_id }) => server_id === api.server);
}

/** Torrents of the daemon and of all its remotes. */
export function listAll(api: ApiClient): Promise<readonly ServerTorrent[]> {
  return api.at(null).call('GET', '/api/torrents?servers=all');
}

/** Each once, in the order in which they are named. @throws CommandFailed for what names none or several */
export async function torrentsNamed(api: ApiClient, names: readonly string[]): Promise<readonly TorrentDto[]> {
  const all = await listTorrents(api);
  return [...new Set(names.map((name) => torrentNamed(all, name)))];
}

/** @throws CommandFailed for what names none or several */
export function torrentNamed(all: readonly TorrentDto[], name: string): TorrentDto {
  const wanted = name.toLowerCase();
  const exact = all.find(({ id }) => id === wanted);
  if (exact) return exact;
  const isPrefix = /^[0-9a-f]+$/.test(wanted) && wanted.length >= SHORTEST_PREFIX;
  const byName = all.filter((torrent) => torrent.name === name);
  const found = byName.length > 0 ? byName : all.filter(({ id }) => isPrefix && id.startsWith(wanted));
  if (found.length === 1) return found[0]!;
  if (found.length === 0)
    throw new CommandFailed(`no torrent ${JSON.stringify(plain(name))}: give its info hash or its name`);
  const matches = found.slice(0, SHOWN_MATCHES).map(({ id, name: other }) => `${id} ${plain(other)}`);
  throw new CommandFailed(`${found.length} torrents are called ${JSON.stringify(plain(name))}: ${matches.join(', ')}`);
}

/** The word for what a torrent does now. */
export function stateOf(torrent: TorrentDto): string {
  if (torrent.error) return 'error';
  if (torrent.files_missing) return 'files missing';
  if (torrent.moving) return 'moving';
  if (torrent.verifying) return 'checking';
  if (torrent.paused) return 'paused';
  if (torrent.queued) return 'queued';
  if (torrent.completed) return 'seeding';
  if (torrent.total_bytes === 0) return 'metadata';
  return torrent.download_rate > 0 ? 'downloading' : 'stalled';
}

export const STATES = [
  ...[
    'downloading',
    'seeding',
    'stalled',
    'paused',
    'queued',
    'checking',
    'moving',
    'metadata',
    'error',
    'files missing',
  ],
] as const;
