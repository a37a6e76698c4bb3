// A torrent as others see it: its facts for the main thread, its figures for trackers, and what its state machine
// derives everything from. Pure.
import type { RateLimits } from '../../shared-protocol/commands/limits.js';
import type { ErrorRecord } from '../../shared-protocol/errors.js';
import type { HolderFacts, TorrentFacts, TrackerError } from '../../shared-protocol/events.js';
import { NEW_LIBRARY_RECORD } from '../../shared-protocol/library-record.js';
import type { HolderRow, TorrentRow } from '../../storage/types.js';
import type { AnnounceFigures } from '../tracker/types.js';
import { joinTiers } from './holders.js';
import type { TorrentProgress } from './pieces/progress.js';
import { stopsHere } from './stop-points.js';
import { contentBytesOf, metadataBytesOf } from './summary.js';
import type { TorrentFactsOfState } from './state.js';
import type { ErrorState } from './error-state.js';
import { NO_TRACKER_ERRORS, type TrackerErrors } from './tracker-errors.js';

/** Announced peers wanted while downloading (docs/limits.md, "Starting values"). */
const NUM_WANT = 100;

export function factsOf(
  row: TorrentRow,
  slot: { readonly row: number; readonly tag: number },
  error: ErrorRecord | null,
  trackerErrors: TrackerErrors = NO_TRACKER_ERRORS,
): TorrentFacts {
  const { id, name, topNames, savePath, summary, addedAt, completedAt, ownerId, holders } = row;
  return {
    id,
    row: slot.row,
    rowTag: slot.tag,
    name,
    ...(topNames && { contentName: topNames.length === 1 ? topNames[0]! : '' }),
    trackers: linesOf(shownTrackers(row)),
    savePath,
    totalBytes: contentBytesOf(summary),
    isPrivate: summary?.isPrivate ?? false,
    hasMetadata: summary !== null,
    metadataBytes: metadataBytesOf(summary),
    addedAt,
    completedAt,
    ownerId,
    library: row.library ?? NEW_LIBRARY_RECORD,
    error,
    ...(trackerErrors.ofAll && { trackerError: trackerErrors.ofAll }),
    ...(row.superSeeding && { superSeeding: true as const }),
    ...ownLimits(row),
    ...(holders ? { holders: holders.map((holder, i) => holderFacts(holder, trackerErrors.ofHolders[i])) } : {}),
  };
}

function holderFacts(holder: HolderRow, trackerError: TrackerError | undefined): HolderFacts {
  const { accountId, savePath, name, trackers, addedAt, paused, sequential, forceStart, library } = holder;
  const order = { sequential, ...(holder.firstLastFirst && { firstLastFirst: true }) };
  const flags = {
    paused,
    ...order,
    forceStart,
    ...(holder.superSeeding && { superSeeding: true as const }),
    ...ownLimits(holder),
    ...(trackerError && { trackerError }),
  };
  return { accountId, savePath, name, trackers: linesOf(trackers), addedAt, ...flags, library };
}

function ownLimits({ rateLimits }: { readonly rateLimits?: RateLimits }): Pick<TorrentFacts, 'rateLimits'> {
  const hasOwn = rateLimits && rateLimits.downBytesPerSec + rateLimits.upBytesPerSec > 0;
  return hasOwn ? { rateLimits } : {};
}

/** All that holders have, in the order in which people are told of them. */
export function shownTrackers({ holders, trackers }: TorrentRow): TorrentRow['trackers'] {
  return holders ? joinTiers(holders.map((holder) => holder.trackers)) : trackers;
}

function linesOf(trackers: TorrentRow['trackers']): string {
  return trackers.flat().join('\n');
}

/** Whether the facts of both rows are the same: a row that was written has other parts only where it was changed. */
export function haveSameFacts(a: TorrentRow, b: TorrentRow): boolean {
  return (
    a.name === b.name &&
    a.topNames === b.topNames &&
    a.trackers === b.trackers &&
    a.savePath === b.savePath &&
    a.summary === b.summary &&
    a.addedAt === b.addedAt &&
    a.completedAt === b.completedAt &&
    a.ownerId === b.ownerId &&
    a.library === b.library &&
    a.superSeeding === b.superSeeding &&
    a.rateLimits === b.rateLimits &&
    a.holders === b.holders
  );
}

export function figuresOf(row: TorrentRow, ledger: TorrentProgress, peerCount: number): AnnounceFigures {
  const { uploaded, downloaded, wantedLeft, isComplete } = ledger;
  // A magnet does not know what is left; anything but 0 says that it is no seed.
  const left = row.summary ? wantedLeft : 1;
  return { uploaded, downloaded, left, numWant: isComplete && peerCount > NUM_WANT / 2 ? 0 : NUM_WANT };
}

export function stateOf(
  row: TorrentRow,
  { isComplete: complete, wantsNothing }: TorrentProgress,
  { filesMissing, writesFail }: ErrorState,
  rest: Pick<TorrentFactsOfState, 'check' | 'queued' | 'moving'>,
): TorrentFactsOfState {
  const { paused, summary, forceStart = false } = row;
  // Field by field: with a spread this costs ten microseconds, at each look at each torrent.
  return {
    check: rest.check,
    queued: rest.queued,
    moving: rest.moving,
    paused: paused || stopsHere(row, rest.check),
    hasMetadata: summary !== null,
    complete,
    wantsNothing,
    filesMissing,
    writesFail,
    forceStart,
  };
}
