// `swarmd show`: one torrent, its trackers and its files.
import type { Command } from 'commander';
import type { TorrentDto } from '../../shared-protocol/dto/torrents.js';
import type { TrackerDto } from '../../shared-protocol/dto/inspector.js';
import { listTorrents, stateOf, torrentNamed } from '../daemon/torrents.js';
import { bytes, duration, moment, percent, rate, ratio } from '../output/quantities.js';
import { plain, printFacts, printJson } from '../output/print.js';
import { command, runs, type Defining } from './define.js';
import { etaOf } from './list.js';

interface Diagnosis {
  readonly code: string | null;
  readonly error: string | null;
}

export function showCommand(defining: Defining): Command {
  const made = command('show <torrent>', 'show a torrent: by info hash, the beginning of it, or name');
  return runs(made, defining, async (context, [name = '']) => {
    const api = await context.api();
    const torrent = torrentNamed(await listTorrents(api), name);
    const trackers = await api.call<readonly TrackerDto[]>('GET', `/api/torrents/${torrent.id}/trackers`);
    const diagnosis = await api.call<Diagnosis>('GET', `/api/torrents/${torrent.id}/diagnosis`);
    if (context.isJson) return printJson(context.terminal, { ...torrent, trackers, diagnosis });
    printFacts(context.terminal, factsOf(torrent, diagnosis));
    for (const { url, status } of trackers) context.say(`  ${plain(url)}  ${plain(status)}`);
  });
}

function factsOf(torrent: TorrentDto, { error }: Diagnosis): (readonly [string, string])[] {
  const { swarm_seeds: seeds, swarm_leechers: leechers } = torrent;
  return [
    ['Name', torrent.name],
    ['Info hash', torrent.id],
    ['State', stateOf(torrent)],
    ['Problem', error ?? torrent.tracker_error?.message ?? ''],
    ['Done', `${percent(torrent.progress)} (${bytes(torrent.bytes_done)} of ${bytes(torrent.total_bytes)})`],
    ['Down', rate(torrent.download_rate)],
    ['Up', rate(torrent.upload_rate)],
    ['ETA', duration(etaOf(torrent))],
    ['Ratio', `${ratio(torrent.ratio)} (${bytes(torrent.total_up)} up, ${bytes(torrent.total_down)} down)`],
    [
      'Peers',
      `${torrent.peers} connected, ${torrent.seeds} of them seeds${seeds < 0 ? '' : `; ${seeds} and ${leechers} in the swarm`}`,
    ],
    ['Added', moment(torrent.added_at)],
    ['Completed', moment(torrent.completed_at)],
    ['Tags', torrent.tags.map(({ name }) => name).join(', ')],
    ['Save path', torrent.save_path],
    ['Access', torrent.access],
  ];
}
