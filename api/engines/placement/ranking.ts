// Which of several engines a new torrent goes to: one with room for it before others, then the one whose disk has the most that is
// not promised to other torrents; where disks are one and the same, the one with the fewest torrents. Pure.

/** A file system, which several candidates may share. */
export interface PlacementVolume {
  /** null: it did not say. */
  readonly freeBytes: number | null;
  /** Bytes of torrents there that are yet to come. */
  readonly promisedBytes: number;
}

export interface PlacementFigures {
  readonly volume: PlacementVolume;
  readonly torrents: number;
}

/** Whether a torrent has room as the disk is now; `unknown` where the disk did not say. */
export type Room = 'fits' | 'unknown' | 'full';

export interface Ranked<Candidate> {
  readonly candidate: Candidate;
  readonly room: Room;
  /** Free bytes that no torrent there is waiting for; negative where more is promised than there is. null: not known. */
  readonly unpromisedBytes: number | null;
}

const ORDER: readonly Room[] = ['fits', 'unknown', 'full'];

/** The best first; of two that are alike the one that was named first. `wantedBytes`: its size, and what is to stay free. */
export function rank<Candidate extends PlacementFigures>(
  candidates: readonly Candidate[],
  wantedBytes: number,
): readonly Ranked<Candidate>[] {
  return candidates.map((candidate) => judge(candidate, wantedBytes)).sort(compare);
}

function judge<Candidate extends PlacementFigures>(candidate: Candidate, wantedBytes: number): Ranked<Candidate> {
  const { freeBytes, promisedBytes } = candidate.volume;
  if (freeBytes === null) return { candidate, room: 'unknown', unpromisedBytes: null };
  const room = freeBytes >= wantedBytes ? 'fits' : 'full';
  return { candidate, room, unpromisedBytes: freeBytes - promisedBytes };
}

function compare(a: Ranked<PlacementFigures>, b: Ranked<PlacementFigures>): number {
  return (
    ORDER.indexOf(a.room) - ORDER.indexOf(b.room) ||
    (b.unpromisedBytes ?? 0) - (a.unpromisedBytes ?? 0) ||
    a.candidate.torrents - b.candidate.torrents
  );
}
