// Waiting for torrents, with a bar for each at a terminal.
import { setTimeout as pause } from 'node:timers/promises';
import { MultiBar, type SingleBar } from 'cli-progress';
import type { TorrentDto } from '../../shared-protocol/dto/torrents.js';
import type { Context } from '../context.js';
import type { ApiClient } from '../daemon/api-client.js';
import { listTorrents } from '../daemon/torrents.js';
import { CommandFailed } from '../exit-codes.js';
import { etaOf } from '../commands/list.js';
import { plain } from './print.js';
import { duration, rate } from './quantities.js';

const LOOK_EVERY_MS = 1_000;
const NAME_CHARS = 40;

/** Returns once all are complete. @throws CommandFailed when one fails, or is removed */
export async function showProgress({ terminal }: Context, api: ApiClient, ids: readonly string[]): Promise<void> {
  const format = '{name} {bar} {percentage}% {rate} {left}';
  const bars = new MultiBar({ format, hideCursor: true, stream: terminal.err, barsize: 24 });
  const barOf = new Map<string, SingleBar>();
  try {
    for (let left = new Set(ids); left.size > 0;) {
      const torrents = await listTorrents(api);
      left = new Set(
        [...left].filter(
          (id) =>
            !isDone(
              torrents.find((torrent) => torrent.id === id),
              id,
            ),
        ),
      );
      for (const torrent of torrents.filter(({ id }) => ids.includes(id))) {
        const shown = shownOf(torrent);
        const bar = barOf.get(torrent.id) ?? bars.create(1_000, 0, shown);
        barOf.set(torrent.id, bar);
        bar.update(Math.floor(torrent.progress * 1_000), shown);
      }
      if (left.size > 0) await pause(LOOK_EVERY_MS);
    }
  } finally {
    bars.stop();
  }
}

function isDone(torrent: TorrentDto | undefined, id: string): boolean {
  if (!torrent) throw new CommandFailed(`${id} was removed meanwhile`);
  if (torrent.error) throw new CommandFailed(`${plain(torrent.name)}: ${torrent.error.message}`);
  return torrent.completed;
}

function shownOf(torrent: TorrentDto) {
  const name = plain(torrent.name).slice(0, NAME_CHARS).padEnd(NAME_CHARS);
  return { name, rate: rate(torrent.download_rate), left: duration(etaOf(torrent)) };
}
