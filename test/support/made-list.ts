// Lists of torrents that have nothing but a name and no numbers yet, one in each chunk.
import { ChunkFields } from '../../api/torrent-list/chunk-fields.js';
import { ListChunk } from '../../api/torrent-list/list-chunk.js';
import { ListSnapshot } from '../../api/torrent-list/list-snapshot.js';
import { TorrentStatsJson } from '../../api/torrent-list/torrent-stats-json.js';
import { emptyStats } from '../../shared-protocol/stats-table.js';

const NO_STATS = new TorrentStatsJson(emptyStats(), 0, 0);

export function madeChunk(name: string): ListChunk {
  return new ListChunk(new ChunkFields([], [`,{"name":${JSON.stringify(name)},`], 0), [NO_STATS], [0]);
}

export function madeList(...chunks: readonly ListChunk[]): ListSnapshot {
  return new ListSnapshot(chunks, String(chunks.length));
}
