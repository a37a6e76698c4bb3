// Which torrents of a list have which trackers, by address, as `sync/maindata` tells it.
import type { TorrentId } from '../../../../shared-protocol/ids.js';
import type { SliceClock } from '../../../../shared-protocol/slices.js';
import { inSlices } from '../../../torrent-list/in-slices.js';
import { shownTrackers, type ObjectChunk } from './object-chunk.js';
import type { ObjectDelta } from './object-delta.js';
import type { ObjectEntry } from './object-entry.js';
import type { ObjectMoment } from './object-list.js';

const PART_CHARS = 64 * 1024;

export interface TrackersDelta {
  /** By address, all torrents of the list that have it. */
  readonly changed: Map<string, TorrentId[]>;
  readonly removed: string[];
}

/** Ids by address, in the order of the list. `only`: these addresses. */
export async function trackersOf(
  { chunks }: ObjectMoment,
  clock: SliceClock,
  only?: ReadonlySet<string>,
): Promise<Map<string, TorrentId[]>> {
  const ids = new Map<string, TorrentId[]>();
  const add = ({ trackers }: ObjectChunk): void => {
    for (const [url, those] of trackers) {
      if (only && !only.has(url)) continue;
      const known = ids.get(url);
      if (known) known.push(...those);
      else ids.set(url, [...those]);
    }
  };
  await inSlices(chunks, add, clock);
  return ids;
}

/** JSON of ids by address, in parts: an account may have hundreds of thousands of addresses. */
export async function trackersJson(
  ids: ReadonlyMap<string, readonly TorrentId[]>,
  clock: SliceClock,
): Promise<Buffer[]> {
  const parts: Buffer[] = [];
  let [text, separator] = ['{', ''];
  const write = ([url, those]: readonly [string, readonly TorrentId[]]): void => {
    text += `${separator}${JSON.stringify(url)}:${JSON.stringify(those)}`;
    separator = ',';
    if (text.length < PART_CHARS) return;
    parts.push(Buffer.from(text));
    text = '';
  };
  await inSlices(ids, write, clock);
  return [...parts, Buffer.from(`${text}}`)];
}

/** The addresses whose torrents are others, by the torrents that were added, changed and removed. */
export async function trackersDelta(
  { renewed }: ObjectDelta,
  after: ObjectMoment,
  clock: SliceClock,
): Promise<TrackersDelta> {
  const touched = new Set<string>();
  for (const [was, is] of renewed) {
    if (was && is && hasSameTrackers(was, is)) continue;
    for (const entry of [was, is]) if (entry) for (const url of shownTrackers(entry)) touched.add(url);
  }
  if (touched.size === 0) return { changed: new Map(), removed: [] };
  const changed = await trackersOf(after, clock, touched);
  return { changed, removed: [...touched].filter((url) => !changed.has(url)) };
}

/** Whether the account is shown the same addresses of both. */
function hasSameTrackers({ from: was }: ObjectEntry, { from: is }: ObjectEntry): boolean {
  return was.torrent.trackers === is.torrent.trackers && was.access === is.access;
}
