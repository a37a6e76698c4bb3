// Stats in which every field says the same number, in its own way.
import type { TorrentStats } from '../../shared-protocol/stats-table.js';

export function statsOf(counter: number): TorrentStats {
  const small = counter & 0x7fff_ffff;
  return {
    flags: small,
    peers: small,
    seeds: small,
    queuePosition: small,
    swarmSeeds: small,
    swarmLeechers: small,
    availabilityPerMille: small,
    workingTracker: counter & 0xfffff,
    checkedPerMille: counter & 0x3ff,
    bytesDone: counter,
    wantedBytes: counter + 1,
    wantedDone: counter + 2,
    downloadRate: counter + 3,
    uploadRate: counter / 2,
    totalDown: -counter,
    totalUp: counter * 4096,
    lastActivityAt: counter + 4,
    activeSeconds: counter + 5,
    seedingSeconds: counter + 6,
    countedSince: counter + 7,
  };
}

/** Whether it was written in one piece. */
export function isWhole(stats: TorrentStats): boolean {
  const expected = statsOf(stats.bytesDone);
  return (Object.keys(expected) as (keyof TorrentStats)[]).every((field) => stats[field] === expected[field]);
}
