// Torrents as somebody has them who keeps many: of several trackers, categories and states, of which some move. Seeded,
// so that each run has the same.
import type { FileDetail } from '../../shared-protocol/commands/details.js';
import type { TorrentFacts } from '../../shared-protocol/events.js';
import { infoHashFromBytes, parseAccountId } from '../../shared-protocol/ids.js';
import { emptyStats, TORRENT_FLAGS, type TorrentStats } from '../../shared-protocol/stats-table.js';
import type { SeededRandom } from '../support/seeded-random.js';
import { GIB, madeFacts } from './made-facts.js';

const MIB = 1024 ** 2;
const TRACKERS = 12;
/** Names the variable of the environment that says how many there are. */
export const BUSY_TORRENTS = 'SWARMD_BENCH_BUSY_TORRENTS';
export const CHANGED_PER_SECOND = 500;
/** Their ids are given out from 1 on. */
export const BUSY_CATEGORIES = ['Films', 'Series', 'Music', 'Linux', 'Books'];
export const BUSY_FILES = 10_000;

export function busyFacts(
  index: number,
  { row, tag }: { readonly row: number; readonly tag: number },
  random: SeededRandom,
): TorrentFacts {
  return madeFacts({
    index,
    id: infoHashFromBytes(random.bytes(20)),
    row,
    rowTag: tag,
    trackerHost: `tracker${random.below(TRACKERS)}.example.org`,
    ownerId: parseAccountId(1),
    library: { categoryId: random.below(BUSY_CATEGORIES.length + 1) || null },
  });
}

/** Of a torrent at the moment: one in ten rests, the others move; half of all are complete. */
export function busyStats(index: number, random: SeededRandom): TorrentStats {
  const isPaused = index % 10 === 0;
  const isComplete = index % 2 === 0;
  const bytesDone = isComplete ? GIB : random.below(GIB);
  return {
    ...emptyStats(),
    flags: (isPaused ? TORRENT_FLAGS.paused : 0) | (isComplete ? TORRENT_FLAGS.completed : 0),
    queuePosition: index,
    peers: isPaused ? 0 : random.below(100),
    seeds: isPaused ? 0 : random.below(50),
    bytesDone,
    wantedBytes: GIB,
    wantedDone: bytesDone,
    downloadRate: isPaused || isComplete ? 0 : random.below(10_000_000),
    uploadRate: isPaused ? 0 : random.below(10_000_000),
  };
}

/** Of one torrent that is downloading: some of its files are further each time. */
export function busyFiles(random: SeededRandom): FileDetail[] {
  return Array.from({ length: BUSY_FILES }, (_, index) => ({
    index,
    path: `Collection/folder ${index % 97}/file ${index}.bin`,
    sizeBytes: MIB,
    bytesDone: index % 20 === 0 ? random.below(MIB) : MIB,
    priority: 'normal',
  }));
}
