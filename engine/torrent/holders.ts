// Who holds a torrent, each with a share of its own, and what the torrent does because of them. Pure. The rules:
//
// - An account that adds a torrent that it may not edit becomes one more holder. No holder's share is another's to see
//   or change.
// - The torrent does the most that any holder asks for: it is paused when all have paused; a file is as wanted as by the
//   one who wants it most; it is sequential or forced, as fast, and has as many peers and slots, as the most generous of
//   those who run it, and super-seeds only where all of these want that. So no holder slows down or stops what another
//   has asked for.
// - It stops where all who run it want it to; who wanted to sooner has paused by then.
// - It is announced to the trackers of those who run it. A tracker is shown to those who brought it.
// - Where the data lie is shown to the owner, and to those who asked for that very folder.
// - Name (as it is shown, and before the metadata), labels, limits, seeding policy and grants are each holder's. Where the data lie, what is
//   there, the place in the queue and the bytes moved are the torrent's; of several holders each may move it forward in
//   the queue only, and have it checked once an hour.
// - Where trackers and web seeds may lead is judged by who brought them, also when that one has left.
// - The first is the owner. Where one leaves, the others stay as they are, and the next is the owner; with the last one
//   the torrent goes. Data go with the last one only.
// - A private torrent (BEP 27) is joined with its torrent file alone. If a magnet turns out to be private, those who
//   brought no tracker for it had only heard its hash: they are put out, unless no holder brought one.
//
// A torrent that one account holds has no list of holders: its row says it all.
import { isDeepStrictEqual } from 'node:util';
import type { RateLimits, TorrentPeerLimits } from '../../shared-protocol/commands/limits.js';
import type { StopPoint } from '../../shared-protocol/commands/adding.js';
import { AppError } from '../../shared-protocol/errors.js';
import type { AccountId } from '../../shared-protocol/ids.js';
import { NEW_LIBRARY_RECORD } from '../../shared-protocol/library-record.js';
import type { HolderRow, TorrentRow } from '../../storage/types.js';
import type { FilePriority } from '../disk/types.js';

export type Holders = readonly [HolderRow, ...(readonly HolderRow[])];

export const UNLIMITED: RateLimits = { downBytesPerSec: 0, upBytesPerSec: 0 };
export const NO_PEER_LIMITS: TorrentPeerLimits = { maxPeers: 0, uploadSlots: 0 };
const RANK: { readonly [Level in FilePriority]: number } = { skip: 0, normal: 1, high: 2, max: 3 };

/** The owner first, then in the order of joining. */
export function holdersOf(row: TorrentRow): Holders {
  const [first, ...others] = row.holders ?? [];
  return first ? [first, ...others] : [soleHolder(row)];
}

/** @throws AppError `TORRENT_NOT_FOUND` */
export function holderOf(row: TorrentRow, by: AccountId): HolderRow {
  const holder = holdersOf(row).find(({ accountId }) => accountId === by);
  if (!holder) throw notHeld(row);
  return holder;
}

/** Others do as well. @throws AppError `TORRENT_NOT_FOUND` where `by` does not */
export function isHeldBySeveral(row: TorrentRow, by: AccountId): boolean {
  holderOf(row, by);
  return holdersOf(row).length > 1;
}

/** Accounts that brought the tracker: each holder that has it, or the account that typed it into that one's share. */
export function bringersOf(row: TorrentRow, url: string): AccountId[] {
  const having = holdersOf(row).filter(({ trackers }) => trackers.some((tier) => tier.includes(url)));
  return having.map(
    ({ accountId, addedTrackers = [] }) => addedTrackers.find((added) => added.url === url)?.accountId ?? accountId,
  );
}

/** The account that brought the web seeds; the owner may be another one. */
export function seedsBringerOf({ seedsBy, ownerId }: Pick<TorrentRow, 'seedsBy' | 'ownerId'>): AccountId {
  return seedsBy ?? ownerId;
}

/** The share that an account is shown as its own. */
export interface ShareShown {
  readonly filePriorities: TorrentRow['filePriorities'];
  /** In their tiers; null: all that it is announced to. */
  readonly ownTrackers: TorrentRow['trackers'] | null;
  /** Others may run it meanwhile, which is not shown. */
  readonly isPaused: boolean;
}

/** @throws AppError `TORRENT_NOT_FOUND` where `by` holds nothing of it */
export function shareShown(row: TorrentRow, by: AccountId | undefined): ShareShown {
  if (by === undefined || !isHeldBySeveral(row, by)) {
    const { filePriorities, holders } = row;
    const everybodys = holders ? joinTiers(holders.map(({ trackers }) => trackers)) : null;
    return { filePriorities, ownTrackers: everybodys, isPaused: false };
  }
  const { filePriorities, trackers, paused } = holderOf(row, by);
  return { filePriorities, ownTrackers: trackers, isPaused: paused };
}

/**
 * The change of the row where a share changes; without `by` all shares do.
 * @throws AppError `TORRENT_NOT_FOUND` where `by` holds nothing of it
 */
export function editShare(
  row: TorrentRow,
  by: AccountId | undefined,
  edit: (holder: HolderRow) => Partial<HolderRow>,
): Partial<TorrentRow> {
  if (by !== undefined) holderOf(row, by);
  const edited = (holder: HolderRow) =>
    by === undefined || holder.accountId === by ? { ...holder, ...edit(holder) } : holder;
  const [first, ...others] = holdersOf(row);
  return heldBy(row, [edited(first), ...others.map(edited)]);
}

/** The change of the row that makes these its holders. */
export function heldBy(row: TorrentRow, holders: Holders): Partial<TorrentRow> {
  const now = { ...united(row, holders), holders: holders.length > 1 ? holders : null };
  const before: Readonly<Record<string, unknown>> = { ...row, ...soleHolder(row), holders: row.holders ?? null };
  const changed = Object.entries(now).filter(([field, value]) => !isDeepStrictEqual(value, before[field]));
  // Some of the fields of `now`, each with its value.
  return Object.fromEntries(changed) as Partial<TorrentRow>;
}

/** Holders that stay when the torrent turns out to be private; `sure` has brought its torrent file. */
export function withoutHearsay(holders: Holders, sure: AccountId | null): Holders {
  const [first, ...others] = holders.filter(({ accountId, trackers }) => accountId === sure || trackers.length > 0);
  return first ? [first, ...others] : [holders[0]];
}

/** The accounts that run it, all where none does. */
export function runBy({ ownerId, holders }: TorrentRow): readonly AccountId[] {
  if (!holders) return [ownerId];
  const running = holders.filter(({ paused }) => !paused);
  return (running.length > 0 ? running : holders).map(({ accountId }) => accountId);
}

/** Each as wanted as by who wants it most. */
export function mostWanted(choices: readonly HolderRow['filePriorities'][]): HolderRow['filePriorities'] {
  const [first = null, ...others] = choices;
  if (others.length === 0) return first;
  const longest = choices.find((choice) => choice !== null);
  if (!longest) return null;
  const levels = longest.map((_, index) =>
    choices.reduce<FilePriority>((most, choice) => {
      const level = choice?.[index] ?? 'normal';
      return RANK[level] > RANK[most] ? level : most;
    }, 'skip'),
  );
  return levels.every((level) => level === 'normal') ? null : levels;
}

/** Tiers of several, one's after another's; no tracker twice. */
export function joinTiers(lists: readonly TorrentRow['trackers'][]): TorrentRow['trackers'] {
  const [first = [], ...others] = lists;
  if (others.length === 0) return first;
  const known = new Set<string>();
  const isNew = (url: string): boolean => !known.has(url) && known.add(url).size > 0;
  return lists.flatMap((tiers) => tiers.map((tier) => tier.filter(isNew))).filter((tier) => tier.length > 0);
}

/** The row's own fields, as those of one holder. */
function soleHolder(row: TorrentRow): HolderRow {
  const { ownerId: accountId, savePath, addedAt, name, paused, sequential, forceStart = false, trackers } = row;
  const { filePriorities, selectOnly, pendingPriorities = null, excludedNames = null } = row;
  const { firstLastFirst = false, stopAfter = null } = row;
  const { rateLimits = UNLIMITED, peerLimits, superSeeding, library = NEW_LIBRARY_RECORD, addedTrackers = [] } = row;
  const wanted = { filePriorities, selectOnly, pendingPriorities, excludedNames };
  const announced = { trackers, addedTrackers };
  return {
    accountId,
    savePath,
    addedAt,
    name,
    paused,
    sequential,
    firstLastFirst,
    stopAfter,
    forceStart,
    ...announced,
    ...wanted,
    rateLimits,
    ...(peerLimits && { peerLimits }),
    ...(superSeeding !== undefined && { superSeeding }),
    library,
  };
}

function united(row: TorrentRow, holders: Holders): Partial<TorrentRow> {
  const [{ accountId, addedAt, name, addedTrackers = [], library, ...first }] = holders;
  const { selectOnly, pendingPriorities, excludedNames = null } = first;
  const running = holders.filter(({ paused }) => !paused);
  const active = running.length > 0 ? running : holders;
  return {
    ownerId: accountId,
    ...(accountId === seedsBringerOf(row) ? {} : { seedsBy: seedsBringerOf(row) }),
    addedAt,
    library,
    name: row.summary ? row.name : name,
    paused: running.length === 0,
    sequential: active.some(({ sequential }) => sequential),
    firstLastFirst: active.some(({ firstLastFirst = false }) => firstLastFirst),
    stopAfter: latestStop(active),
    forceStart: active.some(({ forceStart }) => forceStart),
    trackers: joinTiers(active.map(({ trackers }) => trackers)),
    addedTrackers,
    filePriorities: mostWanted(holders.map(({ filePriorities }) => filePriorities)),
    selectOnly,
    pendingPriorities,
    excludedNames,
    rateLimits: {
      downBytesPerSec: mostGenerous(active.map(({ rateLimits }) => rateLimits.downBytesPerSec)),
      upBytesPerSec: mostGenerous(active.map(({ rateLimits }) => rateLimits.upBytesPerSec)),
    },
    ...(isSuperSeedingNamed(row, holders) && {
      superSeeding: active.every(({ superSeeding = false }) => superSeeding),
    }),
    ...(hasPeerLimits(row, holders) && {
      peerLimits: {
        maxPeers: mostGenerous(active.map(({ peerLimits = NO_PEER_LIMITS }) => peerLimits.maxPeers)),
        uploadSlots: mostGenerous(active.map(({ peerLimits = NO_PEER_LIMITS }) => peerLimits.uploadSlots)),
      },
    }),
  };
}

/** Most rows have none, and stay as they are. */
function hasPeerLimits(row: TorrentRow, holders: Holders): boolean {
  return row.peerLimits !== undefined || holders.some(({ peerLimits }) => peerLimits !== undefined);
}

function isSuperSeedingNamed(row: TorrentRow, holders: Holders): boolean {
  return row.superSeeding !== undefined || holders.some(({ superSeeding }) => superSeeding !== undefined);
}

/** null: one at least goes on. */
function latestStop(active: readonly HolderRow[]): StopPoint | null {
  const points = active.map(({ stopAfter = null }) => stopAfter);
  if (points.includes(null)) return null;
  return points.includes('check') ? 'check' : 'metadata';
}

/** 0 is no limit. */
function mostGenerous(limits: readonly number[]): number {
  return limits.includes(0) ? 0 : Math.max(...limits);
}

function notHeld({ id }: TorrentRow): AppError {
  return new AppError('TORRENT_NOT_FOUND', 'torrent not found', { id });
}
