// Several torrents moved in the queue together (queue-moves.ts), as the command names them.
import type { CommandParams } from '../../shared-protocol/commands.js';
import type { ShareRef } from '../../shared-protocol/commands/shares.js';
import { AppError } from '../../shared-protocol/errors.js';
import type { Torrent } from '../torrent/torrent.js';
import type { Session } from './session.js';

export async function moveInQueue(session: Session, { shares, to }: CommandParams<'moveInQueue'>): Promise<void> {
  const found = new Map<Torrent, boolean>();
  for (const share of shares) {
    const torrent = torrentOf(session, share);
    if (torrent) found.set(torrent.torrent, torrent.mayOnlyAdvance);
  }
  await session.queue.moveTogether([...found.keys()], to, (torrent) => found.get(torrent) ?? false, shares[0]?.by);
}

/** null: it is there no more, or not the account's. */
function torrentOf(session: Session, { id, by }: ShareRef): { torrent: Torrent; mayOnlyAdvance: boolean } | null {
  try {
    const torrent = session.torrents.find(id);
    return { torrent, mayOnlyAdvance: torrent.mayOnlyAdvance(by) };
  } catch (error) {
    if (error instanceof AppError && error.code === 'TORRENT_NOT_FOUND') return null;
    throw error;
  }
}
