// What each account is shown of a torrent that several hold (engine/torrent/holders.ts): its own share, or that of the
// holder who shared it, as if no other account had the torrent. A torrent that one account holds is its own only share.
import { isDeepStrictEqual } from 'node:util';
import type { ShareRef } from '../../../shared-protocol/commands/shares.js';
import type { Access } from '../../../shared-protocol/dto/torrents.js';
import type { HolderFacts, TorrentFacts } from '../../../shared-protocol/events.js';
import type { AccountId } from '../../../shared-protocol/ids.js';
import { TORRENT_FLAGS, type TorrentStats } from '../../../shared-protocol/stats-table.js';

/** The holder's own, in place of what the torrent does and has done because of all holders. */
export interface OwnFlags extends Pick<
  HolderFacts,
  'addedAt' | 'paused' | 'sequential' | 'forceStart' | 'firstLastFirst'
> {
  /** Places of all holders' trackers among the holder's own, -1 where it has them not. */
  readonly trackerPlaces: readonly number[];
}

/** A torrent as the main thread lists it: whole, or one share of it, in which `ownerId` is the holder. */
export interface ListedTorrent extends TorrentFacts {
  /** Flags of a share beside which there are others. */
  readonly own?: OwnFlags;
  /** The holder as the engine knows it, where that account is gone and account 1 stands for it. */
  readonly heldBy?: AccountId;
}

const ACCESS_RANK: { readonly [Level in Access]: number } = { owner: 2, editor: 1, viewer: 0 };
const OWN_FLAGS =
  TORRENT_FLAGS.paused | TORRENT_FLAGS.sequential | TORRENT_FLAGS.forceStart | TORRENT_FLAGS.firstLastFirst;

/** Figures of a torrent that does nothing. */
const AT_REST = {
  downloadRate: 0,
  uploadRate: 0,
  peers: 0,
  seeds: 0,
  swarmSeeds: -1,
  swarmLeechers: -1,
  availabilityPerMille: -1,
  workingTracker: -1,
  lastActivityAt: 0,
  countedSince: 0,
};

/** Shares of torrents that several hold, by the torrent's facts. */
const known = new WeakMap<TorrentFacts, readonly ListedTorrent[]>();

/** Whether an access includes what is needed. */
export function includesAccess(has: Access, needed: Access): boolean {
  return ACCESS_RANK[has] >= ACCESS_RANK[needed];
}

/** The shares of a torrent, the owner's first. The same objects for the same facts. */
export function sharesOf(torrent: ListedTorrent): readonly ListedTorrent[] {
  if (!torrent.holders) return [torrent];
  const shares = known.get(torrent) ?? torrent.holders.map((holder) => shareOf(torrent, holder));
  known.set(torrent, shares);
  return shares;
}

/** Keeps shares that others' doings have not changed: the same objects as `before`, so that no account sees that there were any. */
export function carryOver(before: ListedTorrent, now: ListedTorrent): void {
  if (!now.holders) return;
  const old = sharesOf(before);
  const same = (share: ListedTorrent) => old.find((each) => isDeepStrictEqual(each, share)) ?? share;
  known.set(now, sharesOf(now).map(same));
}

/** The share that each account is shown: its own, else the one with which it may do most. */
export function sharesByAccount(torrent: ListedTorrent): Map<AccountId, ListedTorrent> {
  const shown = new Map<AccountId, ListedTorrent>();
  const shares = sharesOf(torrent);
  const levels = new Map<AccountId, Access>();
  for (const share of shares) {
    for (const { accountId, access } of share.library.shares) {
      const level = levels.get(accountId);
      if (level && includesAccess(level, access)) continue;
      levels.set(accountId, access);
      shown.set(accountId, share);
    }
  }
  for (const share of shares) shown.set(share.ownerId, share);
  return shown;
}

/** The access of the account with a share; null: it must not even know of it. */
export function accessToShare(accountId: AccountId, { ownerId, library }: ListedTorrent): Access | null {
  if (ownerId === accountId) return 'owner';
  return library.shares.find((share) => share.accountId === accountId)?.access ?? null;
}

/** The share as commands to the engine name it. */
export function refOf({ id, ownerId, heldBy = ownerId }: ListedTorrent): Required<ShareRef> {
  return { id, by: heldBy };
}

/**
 * The numbers as the holder sees them: of what others run meanwhile nothing but what is done of it, and no time of before it
 * came. `nowS`: Unix seconds.
 */
export function statsOfShare(
  stats: Readonly<TorrentStats>,
  { own }: Pick<ListedTorrent, 'own'>,
  nowS = Date.now() / 1_000,
): TorrentStats {
  if (!own) return { ...stats };
  const { paused, sequential, forceStart, firstLastFirst } = TORRENT_FLAGS;
  const flags =
    (stats.flags & ~OWN_FLAGS) |
    (own.paused ? paused : 0) |
    (own.sequential ? sequential : 0) |
    (own.forceStart ? forceStart : 0) |
    (own.firstLastFirst ? firstLastFirst : 0);
  const since = { ...stats, ...timesSince(own.addedAt, stats, nowS) };
  if (!own.paused) return { ...since, flags, workingTracker: own.trackerPlaces[stats.workingTracker] ?? -1 };
  return { ...since, ...AT_REST, flags: flags & ~TORRENT_FLAGS.queued };
}

/** Times of a torrent that has been there for as long as a share. What was counted when is not known: it is at most all since then. */
function timesSince(
  addedAt: number,
  { lastActivityAt, activeSeconds, seedingSeconds, countedSince }: Readonly<TorrentStats>,
  nowS: number,
): Pick<TorrentStats, 'lastActivityAt' | 'activeSeconds' | 'seedingSeconds' | 'countedSince'> {
  const isCounting = countedSince > 0;
  const mostSeconds = Math.max(0, (isCounting ? countedSince : nowS) - addedAt);
  return {
    lastActivityAt: lastActivityAt < addedAt ? 0 : lastActivityAt,
    activeSeconds: Math.min(activeSeconds, mostSeconds),
    seedingSeconds: Math.min(seedingSeconds, mostSeconds),
    countedSince: isCounting ? Math.max(countedSince, addedAt) : 0,
  };
}

/** By place in the one list, the place in the other; -1: it is not there. */
function placesOf(announcedTo: string, trackers: string): readonly number[] {
  const own = trackers.split('\n');
  return announcedTo.split('\n').map((url) => own.indexOf(url));
}

function shareOf(torrent: ListedTorrent, holder: HolderFacts): ListedTorrent {
  const { holders: _holders, superSeeding: _everybodys, rateLimits: _inForce, trackerError: _any, ...facts } = torrent;
  const { accountId, savePath, name, trackers, addedAt, paused, sequential, forceStart, library, firstLastFirst } =
    holder;
  return {
    ...facts,
    ownerId: accountId,
    // The folder of another account may be named after its user, or lie in a home: an account that did not ask for it is not told.
    savePath: savePath === torrent.savePath || accountId === torrent.ownerId ? torrent.savePath : '',
    name: torrent.hasMetadata ? torrent.name : name,
    trackers,
    addedAt,
    // When others had it before is theirs.
    completedAt: torrent.completedAt === null ? null : Math.max(torrent.completedAt, addedAt),
    library,
    ...(holder.superSeeding && { superSeeding: true as const }),
    ...(holder.rateLimits && { rateLimits: holder.rateLimits }),
    ...(holder.trackerError && !paused && { trackerError: holder.trackerError }),
    own: {
      addedAt,
      paused,
      sequential,
      forceStart,
      trackerPlaces: placesOf(torrent.trackers, trackers),
      ...(firstLastFirst && { firstLastFirst }),
    },
  };
}
