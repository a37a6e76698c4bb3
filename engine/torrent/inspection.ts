// What a person looks at of one torrent: the parts that were asked for, and no others. Nothing is opened for it.
import type { DetailPart, FilesWanted, PeerDetail, TorrentDetails } from '../../shared-protocol/commands.js';
import type { TorrentRow, TorrentSummary } from '../../storage/types.js';
import { inFolder } from '../claims/index.js';
import type { FilePriority } from '../disk/types.js';
import { parseInfoDictionary, type TorrentInfo } from '../metainfo/index.js';
import type { Bitfield } from './bitfield.js';
import { fileDetails, someFiles } from './file-detail.js';
import { peerDetail } from './peer-detail.js';
import { piecesDetail } from './pieces-detail.js';
import type { Presence } from './presence.js';
import type { TorrentServices } from './services.js';

export interface Inspected extends Pick<TorrentRow, 'id' | 'folder'> {
  readonly services: TorrentServices;
  readonly presence: Presence;
  /** null while the metadata is unknown. */
  readonly summary: TorrentSummary | null;
  readonly have: Bitfield | null;
  readonly filePriorities: readonly FilePriority[] | null;
}

export function inspect(parts: readonly DetailPart[], torrent: Inspected, files?: FilesWanted): TorrentDetails {
  const { id, services, presence } = torrent;
  return {
    ...(parts.includes('files') ? filesOf(torrent, files) : {}),
    ...(parts.includes('peers') ? { peers: peersOf(presence) } : {}),
    ...(parts.includes('trackers')
      ? { trackers: services.announces.statuses(id).map(({ tier: _tier, ...detail }) => detail) }
      : {}),
    ...(parts.includes('pieces')
      ? { pieces: piecesDetail(torrent.summary, torrent.have, presence.swarm?.download?.picker ?? null) }
      : {}),
  };
}

/** Without opening what is not open; null while the metadata is unknown. */
export function readInfo(
  { id, folder }: Pick<TorrentRow, 'id' | 'folder'>,
  { store }: TorrentServices,
  { openedContent }: Presence,
): TorrentInfo | null {
  if (openedContent) return openedContent.info;
  const infoBytes = store.infoBytes(id);
  return infoBytes ? inFolder(parseInfoDictionary(infoBytes), folder) : null;
}

function filesOf(
  { id, folder, services, presence, have, filePriorities }: Inspected,
  wanted: FilesWanted | undefined,
): Pick<TorrentDetails, 'files' | 'filesGiven'> {
  const key = folder === undefined ? id : `${id}/${folder}`;
  const list = have && services.fileLists.of(key, () => readInfo({ id, folder }, services, presence));
  if (!have || !list) return wanted ? { files: [], filesGiven: { total: 0, stamp: '', isSame: false } } : { files: [] };
  return wanted ? someFiles(list, filePriorities, have, wanted) : { files: fileDetails(list, filePriorities, have) };
}

function peersOf({ swarm }: Presence): PeerDetail[] {
  const peers = [...(swarm?.peers.values() ?? [])];
  return peers.filter((peer) => peer.handshakeDone && peer.webSeedUrl === null).map(peerDetail);
}
