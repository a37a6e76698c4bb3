// What a person looks at of one torrent: the parts that were asked for, and no others. Nothing is opened for it.
import type {
  DetailPart,
  FilesWanted,
  PeerDetail,
  TorrentDetails,
  TrackerDetail,
} from '../../../shared-protocol/commands.js';
import type { TorrentSummary } from '../../../storage/types.js';
import type { Bitfield } from '../pieces/bitfield.js';
import { readInfo, type StoredPlace } from '../files/content.js';
import { fileDetails, someFiles } from './file-detail.js';
import type { ShareShown } from '../holders.js';
import { peerDetail } from './peer-detail.js';
import { piecesDetail } from './pieces-detail.js';
import type { SwarmManager } from '../swarm/swarm-manager.js';
import type { TorrentServices } from '../session-interface.js';

/** The figures of a tracker that runs for another holder. */
const NOT_CONTACTED = { seeds: 0, peers: 0, downloaded: 0, lastAnnounce: 0, nextAnnounce: 0 };

export interface Inspected extends ShareShown, StoredPlace {
  readonly services: TorrentServices;
  readonly swarmManager: SwarmManager;
  /** null while the metadata is unknown. */
  readonly summary: TorrentSummary | null;
  readonly have: Bitfield | null;
}

export function inspect(parts: readonly DetailPart[], torrent: Inspected, files?: FilesWanted): TorrentDetails {
  const { swarmManager } = torrent;
  return {
    ...(parts.includes('files') ? filesOf(torrent, files) : {}),
    ...(parts.includes('peers') ? { peers: torrent.isPaused ? [] : peersOf(swarmManager) } : {}),
    ...(parts.includes('trackers') ? { trackers: trackersOf(torrent) } : {}),
    ...(parts.includes('pieces')
      ? {
          pieces: piecesDetail(
            torrent.summary,
            torrent.have,
            torrent.isPaused ? null : (swarmManager.swarm?.download?.picker ?? null),
          ),
        }
      : {}),
  };
}

function filesOf(torrent: Inspected, wanted: FilesWanted | undefined): Pick<TorrentDetails, 'files' | 'filesGiven'> {
  const { id, services, swarmManager, have, filePriorities } = torrent;
  const list = have && services.fileListCache.of(id, () => readInfo(services, torrent, swarmManager.openedContent));
  if (!have || !list) return wanted ? { files: [], filesGiven: { total: 0, stamp: '', isSame: false } } : { files: [] };
  return wanted ? someFiles(list, filePriorities, have, wanted) : { files: fileDetails(list, filePriorities, have) };
}

function trackersOf({ id, services, ownTrackers, isPaused }: Inspected): readonly TrackerDetail[] {
  const all = services.announces.statuses(id);
  if (!ownTrackers) return all;
  const byUrl = new Map(isPaused ? [] : all.map((detail) => [detail.url, detail]));
  const shown = (url: string) => byUrl.get(url) ?? { url, status: 'not contacted' as const, ...NOT_CONTACTED };
  return ownTrackers.flatMap((tier, number) => tier.map((url) => ({ ...shown(url), tier: number })));
}

function peersOf({ swarm }: SwarmManager): PeerDetail[] {
  const peers = [...(swarm?.peers.values() ?? [])];
  return peers.filter((peer) => peer.handshakeDone && peer.webSeedUrl === null).map(peerDetail);
}
