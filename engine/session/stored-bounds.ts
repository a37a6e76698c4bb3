// Rows that were stored with more than a torrent may have (shared-protocol/torrent-bounds.ts), or with another name than
// the one on disk, are set right when they are loaded: a service would come up with lists that it cannot show. What is
// as it may be costs a look.
import {
  MAX_TAGS,
  MAX_TRACKER_CHARS,
  MAX_TRACKERS,
  MAX_WEB_SEED_CHARS,
  MAX_WEB_SEEDS,
} from '../../shared-protocol/torrent-bounds.js';
import type { TorrentRow } from '../../storage/types.js';
import { cleanTiers, cleanWebSeeds, MAX_SELECTED_RANGES, parseInfoDictionary, safeElement } from '../metainfo/index.js';
import { rulesOf } from '../torrent/files/content.js';
import { MAX_PENDING_PRIORITIES } from '../torrent/files/file-priorities.js';

/** The part of the row that has to be stored anew; null: it is as it may be. `infoBytes` is asked for what names it. */
export function trimmedRow(row: TorrentRow, infoBytes: () => Uint8Array | undefined): Partial<TorrentRow> | null {
  const { name, names, trackers, webSeeds, selectOnly, library, pendingPriorities, holders } = row;
  const tagIds = library?.tagIds ?? [];
  const pending = Object.entries(pendingPriorities ?? {});
  const shown = isNameOnDisk(name, names) ? name : nameOnDisk(name, names, infoBytes());
  const change: Partial<TorrentRow> = {
    ...(shown === name ? {} : { name: shown }),
    // Of several holders each has its own, and no row of several was stored without a bound for each.
    ...(holders || fits(trackers.flat(), MAX_TRACKERS, MAX_TRACKER_CHARS) ? {} : { trackers: cleanTiers(trackers) }),
    ...(fits(webSeeds, MAX_WEB_SEEDS, MAX_WEB_SEED_CHARS) ? {} : { webSeeds: cleanWebSeeds(webSeeds) }),
    ...(selectOnly && selectOnly.length > MAX_SELECTED_RANGES
      ? { selectOnly: selectOnly.slice(0, MAX_SELECTED_RANGES) }
      : {}),
    ...(library && tagIds.length > MAX_TAGS ? { library: { ...library, tagIds: tagIds.slice(0, MAX_TAGS) } } : {}),
    ...(pending.length > MAX_PENDING_PRIORITIES
      ? { pendingPriorities: Object.fromEntries(pending.slice(0, MAX_PENDING_PRIORITIES)) }
      : {}),
  };
  return Object.keys(change).length > 0 ? change : null;
}

/** U+FFFD stands for bytes that are no text, which are another character on disk. */
function isNameOnDisk(name: string, names: TorrentRow['names']): boolean {
  return safeElement(name, names) === name && !name.includes('\ufffd');
}

/** The name on disk: a name that was stored may be cut, and cut at other places. */
function nameOnDisk(name: string, names: TorrentRow['names'], infoBytes: Uint8Array | undefined): string {
  try {
    if (infoBytes) return parseInfoDictionary(infoBytes, rulesOf({ names })).name;
  } catch {
    // It is shown as damaged once it is opened.
  }
  return safeElement(name, names);
}

function fits(urls: readonly string[], maxUrls: number, maxChars: number): boolean {
  return urls.length <= maxUrls && urls.reduce((sum, url) => sum + url.length, 0) <= maxChars;
}
