// A torrent lies at another save path, or on other paths below it, from one moment on: what is known of it in memory follows what has been stored.
import type { TorrentRow } from '../../../storage/types.js';
import type { ClaimingTorrent, TorrentFiles } from '../../claims/index.js';
import type { Content } from '../files/content.js';
import type { TorrentRecord } from '../resume/torrent-record.js';
import type { TorrentServices } from '../session-interface.js';
import type { SwarmManager } from '../swarm/swarm-manager.js';
import { storePointed } from './move-journal.js';

export interface LieAtDeps {
  readonly services: TorrentServices;
  readonly record: TorrentRecord;
  readonly swarmManager: Pick<SwarmManager, 'content' | 'releaseContent'>;
  readonly claiming: ClaimingTorrent;
  /** Makes it known by another place from within `mutate` on. */
  switchPlace(mutate: () => void): void;
}

/** The change of the row is stored. `info`: with the paths at the new place. Returns which of the files there are its own. */
export function lieAt(
  deps: LieAtDeps,
  change: Partial<TorrentRow>,
  content: Content | null,
  info = content?.info,
): TorrentFiles {
  const { services, record, claiming } = deps;
  deps.switchPlace(() => record.onMoved(change));
  const { id, ownerId, isShared, savePath, topNames, incompleteSuffix } = claiming;
  const place = { id, ownerId, isShared, savePath, topNames, incompleteSuffix };
  const ownership = services.claims.filesOf(place, info?.files ?? [], true);
  if (content && info) {
    content.ownership = ownership;
    content.info = info;
  }
  services.fileListCache.drop(id);
  return ownership;
}

/** Points the torrent at a save path where nothing is its own yet. `fileCount`: 0 while the metadata is unknown. */
export async function pointAt(deps: LieAtDeps, to: string, fileCount: number): Promise<void> {
  const { services, record, swarmManager } = deps;
  const content = fileCount > 0 ? swarmManager.content() : null;
  const settle = async () => lieAt(deps, await storePointed(services, record.row.id, to, fileCount), content);
  if (content) await content.storage.moveTo({ info: content.info, savePath: to }, settle);
  else await settle();
  swarmManager.releaseContent();
}
