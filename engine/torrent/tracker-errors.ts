// Why a torrent's trackers do not work, as its facts tell it: for the torrent, and for each share of it, which knows of its
// own trackers only. Pure.
import { isDeepStrictEqual } from 'node:util';
import type { TrackerError } from '../../shared-protocol/events.js';
import type { TorrentRow } from '../../storage/types.js';
import type { SwarmHeard } from '../tracker/types.js';

export interface TrackerErrors {
  readonly ofAll: TrackerError | undefined;
  /** In the order of the row's holders. */
  readonly ofHolders: readonly (TrackerError | undefined)[];
}

/** The same object for all torrents that are well. */
export const NO_TRACKER_ERRORS: TrackerErrors = { ofAll: undefined, ofHolders: [] };

/** The errors by what trackers told last; `before`, where they are what they were. */
export function trackerErrorsOf(
  { trackers, holders }: Pick<TorrentRow, 'trackers' | 'holders'>,
  heard: Pick<SwarmHeard, 'working' | 'failed'>,
  before: TrackerErrors,
): TrackerErrors {
  if (heard.failed.size === 0) return NO_TRACKER_ERRORS;
  const ofHolders = (holders ?? []).map((holder) => trackerErrorOf(holder.trackers, heard));
  const now = { ofAll: trackerErrorOf(trackers, heard), ofHolders };
  if (!now.ofAll && ofHolders.every((error) => !error)) return NO_TRACKER_ERRORS;
  return isDeepStrictEqual(now, before) ? before : now;
}

function trackerErrorOf(
  tiers: TorrentRow['trackers'],
  { working, failed }: Pick<SwarmHeard, 'working' | 'failed'>,
): TrackerError | undefined {
  const urls = tiers.flat();
  if (urls.some((url) => working.has(url))) return undefined;
  const url = urls.find((url) => failed.has(url));
  const failure = url === undefined ? undefined : failed.get(url);
  return url !== undefined && failure ? { url, ...failure } : undefined;
}
