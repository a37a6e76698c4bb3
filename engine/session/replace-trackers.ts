// Announce addresses replaced in many torrents at once: a tracker has moved, or a passkey has changed. Each torrent is
// edited by itself and durably; one that cannot be is told with the reason and keeps what it has.
import type { ReplaceTrackersParams, ReplaceTrackersResult } from '../../shared-protocol/commands/trackers.js';
import { AppError, toErrorRecord } from '../../shared-protocol/errors.js';
import type { TorrentId } from '../../shared-protocol/ids.js';
import { refuseUnspoken } from '../torrent/share-trackers.js';
import { forEachLimit } from '../../shared-protocol/for-each-limit.js';
import type { Torrents } from './torrents.js';

/** So many share a commit of the store, and commands of other accounts wait for no more. */
const EDITS_AT_A_TIME = 256;

/** @throws AppError `TRACKER_INVALID` where `replace` is not even the beginning of an address */
export async function replaceTrackers(
  torrents: Pick<Torrents, 'find'>,
  { shares, find, replace, accountId, isDryRun }: ReplaceTrackersParams,
): Promise<ReplaceTrackersResult> {
  refuseUnspoken(replace, 'replace');
  const matches: { id: TorrentId; addresses: number }[] = [];
  const failures: ReplaceTrackersResult['failures'][number][] = [];
  await forEachLimit(shares, EDITS_AT_A_TIME, async ({ id, by }) => {
    try {
      const addresses = await torrents.find(id).edits.replaceTrackers({ find, replace, accountId, isDryRun }, by);
      if (addresses > 0) matches.push({ id, addresses });
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'BUG') throw error;
      // Thousands may fail for one reason.
      const { stack: _stack, ...told } = toErrorRecord(error);
      failures.push({ id, error: told });
    }
  });
  return { matches, failures };
}
