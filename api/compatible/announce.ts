// Announcing at once, as tools of both programs ask for it.
import { AppError } from '../../shared-protocol/errors.js';
import type { TorrentContext } from '../routes/route.js';

/** A torrent that does not run, or not yet, announces when it does: no failure to tools. */
export async function announce({ services, share }: TorrentContext): Promise<void> {
  try {
    await services.torrentTrackers.announceNow(share);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'TORRENT_NOT_RUNNING') throw error;
  }
}
