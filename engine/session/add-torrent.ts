// A torrent is added, or joined by another account: what was handed in is read before anything is stored.
import type { AddTorrentParams, AddTorrentResult } from '../../shared-protocol/commands/adding.js';
import { AppError } from '../../shared-protocol/errors.js';
import { readSource } from './read-source.js';
import type { Session } from './session.js';
import { holdersOf } from '../torrent/holders.js';
import { contentBytesOf } from '../torrent/summary.js';

export async function addTorrent(
  session: Session,
  params: AddTorrentParams,
  unixMs: number,
): Promise<AddTorrentResult> {
  const { row, metainfo, peers, nodes } = readSource(params, unixMs);
  if (params.mustExist) {
    if (!session.adding.stays(row.id)) throw new AppError('TORRENT_NOT_FOUND', 'torrent not found', { id: row.id });
    return { id: row.id, existed: true, trackers: row.trackers };
  }
  if (!session.torrents.has(row.id)) refuseLarger(params, contentBytesOf(row.summary));
  const { created, isFirstInQueue: isFirst = false, recorded = null, takeOver = false } = params;
  const hashed = created === undefined ? null : await session.creations.trusted(created, row);
  const existed = !(await session.adding.add(row, metainfo, { hashed, isFirst, recorded, takeOver }));
  const isInsider = session.inside.isInsider(row.ownerId);
  if (!existed && peers.length > 0) session.torrents.find(row.id).addPeers(peers, 'magnet', isInsider);
  if (!existed && !row.summary?.isPrivate) session.addDhtNodes(nodes, row.ownerId);
  return { id: row.id, existed, trackers: row.trackers };
}

export async function joinTorrent(session: Session, params: AddTorrentParams, unixMs: number): Promise<void> {
  const { row, metainfo, peers, nodes } = readSource(params, unixMs);
  const torrent = session.torrents.find(row.id);
  refuseLarger(params, Math.max(contentBytesOf(row.summary), torrent.facts().totalBytes));
  // Whether the torrent has its files by now, or gets them with this, is seen when it is joined.
  const { filePriorities: pendingPriorities = null, excludedNames = null } = params;
  const chosen = { filePriorities: null, pendingPriorities, excludedNames };
  await torrent.edits.join({ ...holdersOf(row)[0], ...chosen }, metainfo?.infoBytes ?? null);
  if (peers.length > 0) torrent.addPeers(peers, 'magnet', session.inside.isInsider(row.ownerId));
  if (!row.summary?.isPrivate) session.addDhtNodes(nodes, row.ownerId);
}

function refuseLarger({ maxBytes = Infinity }: AddTorrentParams, bytes: number): void {
  if (bytes > maxBytes) throw new AppError('TORRENT_TOO_LARGE', 'torrent: larger than it may be', { bytes, maxBytes });
}
