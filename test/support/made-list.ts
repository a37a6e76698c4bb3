// Lists of torrents that have nothing but a name and no numbers yet, one in each run.
import { ListSnapshot } from '../../api/torrent-list/list-snapshot.js';
import { ChunkStats } from '../../api/torrent-list/chunk-stats.js';
import { ChunkFields } from '../../api/torrent-list/chunk-fields.js';
import { ListChunk } from '../../api/torrent-list/chunk.js';
import { TorrentStatsJson } from '../../api/torrent-list/torrent-stats-json.js';
import { emptyStats } from '../../shared-protocol/stats-table.js';

const FIGURES = new ChunkStats([new TorrentStatsJson(emptyStats(), 0, 0)], [0]);

export function madeRun(name: string): ListChunk {
  return new ListChunk(new ChunkFields([], [`,{"name":${JSON.stringify(name)},`], 0), FIGURES);
}

export function madeList(...runs: readonly ListChunk[]): ListSnapshot {
  return new ListSnapshot(runs, String(runs.length));
}
