// What the torrents in the list come to, by tracker and by category, beside what was moved. Pure.
import type { TrafficDto } from '../../../../../shared-protocol/dto/history.js';
import type { Torrent } from '../../live/messages.js';
import { problemOf } from '../../state/torrent-state.js';

export interface Part {
  /** Host of a tracker, or id of a category; empty: without one. `*`: those beyond as many as are counted apart. */
  readonly id: string;
  torrents: number;
  /** Bytes of torrents that are complete, and of all. */
  seedingBytes: number;
  bytes: number;
  errors: number;
  down: number;
  up: number;
}

type Counted = Parameters<typeof problemOf>[0] & Pick<Torrent, 'trackerHosts' | 'category_id' | 'bytes_done'>;

/** Problems that are the tracker's. */
const OF_TRACKERS: readonly unknown[] = ['tracker', 'unregistered'];

export function byTracker(torrents: Iterable<Counted>, traffic: TrafficDto | null): readonly Part[] {
  const parts = new Parts();
  for (const torrent of torrents) {
    const hosts = torrent.trackerHosts.length > 0 ? torrent.trackerHosts : [''];
    for (const host of hosts) {
      parts.count(host, torrent);
      const isFailing = torrent.tracker_error?.host === host && OF_TRACKERS.includes(problemOf(torrent));
      if (isFailing) parts.of(host).errors++;
    }
  }
  return parts.with(traffic);
}

export function byCategory(torrents: Iterable<Counted>, traffic: TrafficDto | null): readonly Part[] {
  const parts = new Parts();
  for (const torrent of torrents) {
    const id = torrent.category_id === null ? '' : String(torrent.category_id);
    parts.count(id, torrent);
    if (problemOf(torrent)) parts.of(id).errors++;
  }
  return parts.with(traffic);
}

class Parts {
  readonly #parts = new Map<string, Part>();

  of(id: string): Part {
    const part = this.#parts.get(id) ?? {
      ...{ id, torrents: 0, seedingBytes: 0, bytes: 0, errors: 0, down: 0, up: 0 },
    };
    this.#parts.set(id, part);
    return part;
  }

  count(id: string, { completed, total_bytes, bytes_done }: Counted): void {
    const part = this.of(id);
    part.torrents++;
    part.bytes += bytes_done;
    if (completed) part.seedingBytes += total_bytes;
  }

  /** Adds what was moved; parts that moved most come first, then the largest. */
  with(traffic: TrafficDto | null): readonly Part[] {
    for (const { id, down, up } of traffic?.series ?? []) Object.assign(this.of(id), { down, up });
    const moved = ({ down, up }: Part) => down + up;
    return [...this.#parts.values()].sort((a, b) => moved(b) - moved(a) || b.bytes - a.bytes);
  }
}
