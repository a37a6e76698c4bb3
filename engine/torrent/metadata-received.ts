// The info dictionary of a magnet has come: understand it, store it durably, and open what it describes.
import type { AccountId } from '../../shared-protocol/ids.js';
import type { HolderRow, TorrentRow } from '../../storage/types.js';
import { inFolder, topNameOf, type Reservation } from '../claims/index.js';
import { parseInfoDictionary, refuseSmallPieces, type TorrentInfo } from '../metainfo/index.js';
import { contentFrom, type Content } from './files/content.js';
import { changedPriorities, selectionChange } from './files/file-priorities.js';
import { hasAnyFile } from './check/found-files.js';
import { heldBy, holdersOf, withoutHearsay, type Holders } from './holders.js';
import type { TorrentServices } from './session-interface.js';
import { summaryOf } from './summary.js';

export interface ReceivedMetadata {
  /** What has been stored of it in the row. */
  readonly change: Partial<TorrentRow>;
  readonly content: Content;
  /** Files are there already and have to be verified first. */
  readonly filesFound: boolean;
  /** Holds its place until it claims that itself. */
  readonly reservation: Reservation;
}

/**
 * `sure`: of several holders the one whose torrent file it is.
 * @throws AppError `TORRENT_INVALID` when the bytes hash right but describe nothing we accept; `SAVE_PATH_INVALID` where
 * it may not lie; storage errors
 */
export async function takeMetadata(
  services: TorrentServices,
  row: TorrentRow,
  infoBytes: Uint8Array,
  sure: AccountId | null,
): Promise<ReceivedMetadata> {
  const listed = parseInfoDictionary(infoBytes);
  refuseSmallPieces(listed);
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
  { folder }: Reservation,
): Promise<Omit<ReceivedMetadata, 'reservation'>> {
  const place = folder === null ? {} : { folder };
  const info = inFolder(listed, folder ?? undefined);
  const known = { name: topNameOf(info), ...place, isClaimed: true as const, summary: summaryOf(listed, infoBytes) };
  const [first, ...others] = staying;
  const choosing = (holder: HolderRow): HolderRow => ({
    ...holder,
    ...choiceOf(info, holder),
    pendingPriorities: null,
  });
  const change = { ...known, ...heldBy({ ...row, ...known }, [choosing(first), ...others.map(choosing)]) };
  await services.store.putInfoBytes(row.id, infoBytes);
  await services.store.update(row.id, change);
  const content = contentFrom(services, info, infoBytes, { ...row, ...change });
  return { change, content, filesFound: await hasAnyFile(content) };
}

/** What was said of a file by its index outweighs the ranges of the magnet. */
function choiceOf(info: TorrentInfo, { selectOnly, pendingPriorities }: HolderRow): Pick<HolderRow, 'filePriorities'> {
  const wanted = { ...selectionChange(info, selectOnly), ...pendingPriorities };
  return { filePriorities: changedPriorities(info.files, null, wanted) };
}
