// Where complete torrents lie, for one that is downloaded elsewhere: files that are there already are used where they lie.
import { AppError } from '../../../shared-protocol/errors.js';
import type { TorrentRow } from '../../../storage/types.js';
import { laidOut, type TorrentInfo } from '../../metainfo/index.js';
import { isAnyThere } from '../check/found-files.js';
import type { TorrentServices } from '../session-interface.js';

type Means = Pick<TorrentServices, 'claims' | 'disk'>;

/** Whether something of the torrent lies at its `completePath` that may be its own. */
export async function liesComplete({ claims, disk }: Means, row: TorrentRow, info: TorrentInfo): Promise<boolean> {
  const { completePath: savePath } = row;
  if (!savePath) return false;
  try {
    const reservation = await claims.reserve({ ...row, savePath }, info);
    try {
      const laid = laidOut(info, reservation.place);
      const storage = disk.openTorrent({ info: laid, savePath, priorities: laid.files.map(() => 'normal') });
      try {
        return isAnyThere(await storage.fileStates());
      } finally {
        await storage.close();
      }
    } finally {
      reservation.release();
    }
  } catch (error) {
    // It is said when it is brought there, if that is still so.
    if (error instanceof AppError) return false;
    throw error;
  }
}
