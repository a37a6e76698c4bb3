// The trackers of one share of a torrent: adding to them, putting others in their place, and who brought which. Pure.
import { AppError } from '../../shared-protocol/errors.js';
import type { AccountId } from '../../shared-protocol/ids.js';
import { because } from '../../shared-protocol/reasons.js';
import { MAX_TRACKER_CHARS, MAX_TRACKERS } from '../../shared-protocol/torrent-bounds.js';
import type { HolderRow, TorrentRow } from '../../storage/types.js';
import { TrackerSet } from '../metainfo/index.js';
import { readTrackerUrl } from '../tracker/tracker-url.js';

const FULL = `the torrent has no room for it: at most ${MAX_TRACKERS} trackers, of ${MAX_TRACKER_CHARS} characters in all`;
const NO_ROOM = because('QUOTA_EXCEEDED', { of: 'trackers', max: MAX_TRACKERS });

/** @throws AppError `TRACKER_INVALID`, with the name of the field, for what no announce can go to */
export function refuseUnspoken(text: string, field: string): void {
  const { transport, refusal } = readTrackerUrl(text.trim());
  if (refusal !== null) throw trackerInvalid(refusal, field);
  if (transport === 'none') throw trackerInvalid('expected http, https or udp', field);
}

/** The share with one tracker more; as it is where the address is there. @throws AppError `TRACKER_INVALID` */
export function withTracker(holder: HolderRow, accountId: AccountId, text: string): Partial<HolderRow> {
  return withTrackers(holder, accountId, (known) => {
    const offer = known.offer(text);
    if (offer.kind === 'unusable') throw trackerInvalid('not a URL', 'url');
    if (offer.kind === 'full') throw trackerInvalid(FULL, 'url', NO_ROOM);
    return offer.kind === 'taken' ? [offer.url] : [];
  });
}

/**
 * The share with these tiers; what `accountId` brings into another account's share is noted as its.
 * @throws AppError `TRACKER_INVALID` that names the first address that cannot be kept by its place
 */
export function rearranged(
  { trackers: before, addedTrackers = [], accountId: holder }: HolderRow,
  accountId: AccountId,
  tiers: TorrentRow['trackers'],
): Partial<HolderRow> {
  const trackers = usableTiers(tiers, new Set(before.flat()));
  const kept = new Set(trackers.flat());
  const brought = accountId === holder ? [] : notIn(before, trackers).map((url) => ({ url, accountId }));
  return { trackers, addedTrackers: [...addedTrackers.filter(({ url }) => kept.has(url)), ...brought] };
}

/** Tiers as they may be stored, without empty ones; what is `known` may stay, whatever it is. */
function usableTiers(tiers: TorrentRow['trackers'], known: ReadonlySet<string>): TorrentRow['trackers'] {
  const set = new TrackerSet();
  const usable = tiers.map((tier, i) =>
    tier.map((text, j) => {
      const place = `tiers[${i}][${j}]`;
      if (!known.has(text)) refuseUnspoken(text, place);
      const offer = set.offer(text);
      if (offer.kind === 'taken') return offer.url;
      if (offer.kind === 'full') throw trackerInvalid(FULL, place, NO_ROOM);
      if (offer.kind === 'unusable') throw trackerInvalid('not a URL', place);
      throw trackerInvalid('it leads where another one does', place, because('TRACKER_KNOWN'));
    }),
  );
  return usable.filter((tier) => tier.length > 0);
}

/** Each that is new in a tier of its own, behind the others. */
function withTrackers(
  holder: HolderRow,
  accountId: AccountId,
  choose: (known: TrackerSet) => readonly string[],
): Partial<Pick<HolderRow, 'trackers' | 'addedTrackers'>> {
  const { trackers, addedTrackers = [] } = holder;
  const added = choose(new TrackerSet(trackers));
  if (added.length === 0) return {};
  const noted = accountId === holder.accountId ? [] : added.map((url) => ({ url, accountId }));
  return {
    trackers: [...trackers, ...added.map((url) => [url])],
    ...(noted.length > 0 && { addedTrackers: [...addedTrackers, ...noted] }),
  };
}

/** The share with the trackers of a second add, as far as there is room. */
export function withFurther(
  holder: HolderRow,
  accountId: AccountId,
  tiers: TorrentRow['trackers'],
): Partial<Pick<HolderRow, 'trackers' | 'addedTrackers'>> {
  return withTrackers(holder, accountId, (known) =>
    tiers.flat().flatMap((text) => {
      const offer = known.offer(text);
      return offer.kind === 'taken' ? [offer.url] : [];
    }),
  );
}

/** Tiers of the second list without what the first one has. */
export function notIn(tiers: TorrentRow['trackers'], others: TorrentRow['trackers']): string[] {
  const known = new Set(tiers.flat());
  return others.flat().filter((url) => !known.has(url));
}

function trackerInvalid(why: string, field: string, data = because('TRACKER_INVALID', { detail: why })): AppError {
  return new AppError('TRACKER_INVALID', `${field}: ${why}`, data);
}
