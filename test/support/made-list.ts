// Lists of torrents that have nothing but a name and no numbers yet, one in each run.
import { ListSnapshot } from '../../api/torrent-list/list-snapshot.js';
import { RunFigures } from '../../api/torrent-list/chunk-stats.js';
import { RunIdentity } from '../../api/torrent-list/chunk-fields.js';
import { RunText } from '../../api/torrent-list/chunk.js';
import { ShownFigures } from '../../api/torrent-list/torrent-stats-json.js';
import { emptyStats } from '../../shared-protocol/stats-table.js';

const FIGURES = new RunFigures([new ShownFigures(emptyStats(), 0, 0)], [0]);

export function madeRun(name: string): RunText {
  return new RunText(new RunIdentity([], [`,{"name":${JSON.stringify(name)},`], 0), FIGURES);
}

export function madeList(...runs: readonly RunText[]): ListSnapshot {
  return new ListSnapshot(runs, String(runs.length));
}
