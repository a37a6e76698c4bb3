// The info dictionary of a magnet has come, from its peers or with a torrent file: understand it, store it durably, open
// what it describes, and go on from what is there.
import type { AccountId } from '../../shared-protocol/ids.js';
import type { HolderRow, TorrentRow } from '../../storage/types.js';
import type { Reservation } from '../claims/index.js';
import { laidOut, parseInfoDictionary, refuseSmallPieces, type TorrentInfo } from '../metainfo/index.js';
import { pointAt, type LieAtDeps } from './move/lie-at.js';
import { contentFrom, rulesOf, type Content } from './files/content.js';
import { changedPriorities, exclusionChange, selectionChange } from './files/file-priorities.js';
import { liesComplete } from './move/complete-place.js';
import { hasAnyFile } from './check/found-files.js';
import { takeOnTrust } from './check/trusted-files.js';
import { heldBy, holdersOf, withoutHearsay, type Holders } from './holders.js';
import type { DiskFailures } from './disk-failures.js';
import { Bitfield } from './pieces/bitfield.js';
import type { TorrentProgress } from './pieces/progress.js';
import type { Recheck } from './check/recheck.js';
import type { SwarmManager } from './swarm/swarm-manager.js';
import type { TorrentServices } from './session-interface.js';
import { stoppedAt } from './stop-points.js';
import { summaryOf } from './summary.js';

interface StoredMetadata {
  /** Changes of the row that have been stored. */
  readonly change: Partial<TorrentRow>;
  readonly content: Content;
  /** Files are there already and have to be verified first. */
  readonly filesFound: boolean;
  /** The pieces that are there on trust; null: none. */
  readonly trusted: Bitfield | null;
  /** Holds its place until it claims that itself. */
  readonly reservation: Reservation;
}

export interface MetadataDeps extends Omit<LieAtDeps, 'swarmManager'> {
  readonly progress: TorrentProgress;
  readonly swarmManager: Pick<SwarmManager, 'setContent' | 'giveContent' | 'onPrivate'> & LieAtDeps['swarmManager'];
  readonly recheck: Pick<Recheck, 'queue'>;
  readonly diskFailures: Pick<DiskFailures, 'onFailed'>;
  readonly isPrivate: boolean;
  readonly hasEnded: boolean;
  /** A fact that decides what the torrent does is changed within `mutate`. */
  change(mutate: () => void): void;
  /** Claims the torrent's place on disk, which is known. */
  claimPlace(): void;
}

/**
 * In a turn of the record's `edits`. Several peers may deliver it; the first one counts. `sure`: the holder whose
 * torrent file it is, if it came with one. Never rejects.
 */
export function takeMetadata(deps: MetadataDeps, infoBytes: Uint8Array, sure: AccountId | null): Promise<void> {
  const { record, diskFailures } = deps;
  return record.turns.run(() =>
    goOnWith(deps, infoBytes, sure).catch((error: unknown) => diskFailures.onFailed(error)),
  );
}

async function goOnWith(deps: MetadataDeps, infoBytes: Uint8Array, sure: AccountId | null): Promise<void> {
  const { services, record, swarmManager, progress, recheck } = deps;
  if (record.row.summary) return;
  const listed = parseInfoDictionary(infoBytes, rulesOf(record.row));
  refuseSmallPieces(listed);
  await lieWhereComplete(deps, listed);
  const { row } = record;
  const { change, content, filesFound, trusted, reservation } = await understand(
    services,
    row,
    { listed, infoBytes },
    sure,
  );
  if (deps.hasEnded) return reservation.release();
  deps.change(() => {
    record.assume(change);
    const kept = new Set(record.row.trackers.flat());
    for (const url of row.trackers.flat()) if (!kept.has(url)) services.announces.removeTracker(row.id, url);
    swarmManager.setContent(content);
    progress.replace(content.info, content.priorities, new Bitfield(content.info.pieceCount));
    if (trusted) progress.trust(content.info, content.priorities, trusted);
    if (filesFound && !trusted) recheck.queue();
    else swarmManager.giveContent();
  });
  deps.claimPlace();
  reservation.release();
  // Learnt from the info dictionary, after peers had been looked for everywhere (BEP 27).
  if (!deps.isPrivate) return;
  services.discovery.stop(row.id);
  swarmManager.onPrivate();
}

/** Files that lie where complete torrents do are used where they are. */
async function lieWhereComplete(deps: MetadataDeps, listed: TorrentInfo): Promise<void> {
  const { services, record } = deps;
  const { savePath, completePath } = record.row;
  if (!completePath || !(await liesComplete(services, record.row, listed))) return;
  const { savePaths } = services.disk;
  savePaths.use(completePath);
  await pointAt(deps, completePath, 0);
  savePaths.leave(savePath);
}

/**
 * `sure`: of several holders the one whose torrent file it is.
 * @throws AppError `TORRENT_INVALID` when the bytes hash right but describe nothing we accept; `SAVE_PATH_INVALID` where
 * it may not lie; storage errors
 */
async function understand(
  services: TorrentServices,
  row: TorrentRow,
  { listed, infoBytes }: { readonly listed: TorrentInfo; readonly infoBytes: Uint8Array },
  sure: AccountId | null,
): Promise<StoredMetadata> {
  const all = holdersOf(row);
  const staying = listed.isPrivate ? withoutHearsay(all, sure) : all;
  // By the rights of whose it will be: the owner so far may be one of those who are put out.
  const reservation = await services.claims.reserve({ ...row, ownerId: staying[0].accountId }, listed);
  try {
    return { ...(await store(services, { row, staying }, infoBytes, listed, reservation)), reservation };
  } catch (error) {
    reservation.release();
    throw error;
  }
}

async function store(
  services: TorrentServices,
  { row, staying }: { readonly row: TorrentRow; readonly staying: Holders },
  infoBytes: Uint8Array,
  listed: TorrentInfo,
  { place }: Reservation,
): Promise<Omit<StoredMetadata, 'reservation'>> {
  const info = laidOut(listed, place);
  const known = { ...place, isClaimed: true as const, summary: summaryOf(listed, infoBytes) };
  const [first, ...others] = staying;
  const choosing = (holder: HolderRow): HolderRow => withMetadata(holder, info);
  const change = { ...known, ...heldBy({ ...row, ...known }, [choosing(first), ...others.map(choosing)]) };
  await services.store.putInfoBytes(row.id, infoBytes);
  await services.store.update(row.id, change);
  const content = contentFrom(services, info, infoBytes, { ...row, ...change });
  const filesFound = await hasAnyFile(content);
  if (!row.skipCheck) return { change, content, filesFound, trusted: null };
  const trust = await takeOnTrust(services, { ...row, ...change }, content);
  return { change: { ...change, ...trust.change }, content, filesFound, trusted: trust.pieces };
}

/**
 * The share of a holder who waited for the metadata: its choice of files holds, and it pauses where it was to stop there.
 * `info`: null where it has chosen none. Priorities by file index outweigh the ranges of the magnet (BEP 53) and what is
 * excluded by its name.
 */
export function withMetadata(holder: HolderRow, info: TorrentInfo | null): HolderRow {
  const { selectOnly, pendingPriorities, excludedNames } = holder;
  const skipped = info && { ...exclusionChange(info, excludedNames ?? []), ...selectionChange(info, selectOnly) };
  const filePriorities = info && changedPriorities(info.files, null, { ...skipped, ...pendingPriorities });
  const chosen = { filePriorities, pendingPriorities: null, excludedNames: null };
  return { ...holder, ...stoppedAt(holder, 'metadata'), ...chosen };
}
