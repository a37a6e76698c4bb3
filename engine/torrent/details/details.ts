// What a person looks at of one torrent: the parts that were asked for, and no others. Nothing is opened for it.
import type {
  DetailPart,
  FilePiecesDetail,
  PeerDetail,
  TorrentMetainfo,
  TorrentWaste,
  TrackerDetail,
  WebSeedDetail,
} from '../../../shared-protocol/commands/details.js';
import type { FilesWanted, TorrentDetails } from '../../../shared-protocol/commands/inspection.js';
import type { AccountId } from '../../../shared-protocol/ids.js';
import type { TorrentRow, TorrentSummary } from '../../../storage/types.js';
import { infoFactsOf, type InfoFacts } from '../../metainfo/index.js';
import type { PiecePicker } from '../../picker/index.js';
import type { Bitfield } from '../pieces/bitfield.js';
import { readInfo, type StoredPlace } from '../files/content.js';
import type { FileList } from '../files/file-list-cache.js';
import { fileDetails, someFiles } from './file-detail.js';
import { filePieces, NO_FILE_PIECES } from './file-pieces.js';
import { seedsBringerOf, type ShareShown } from '../holders.js';
import { originFor } from './origin.js';
import { peerDetail } from './peer-detail.js';
import { piecesDetail } from './pieces-detail.js';
import type { Swarm } from '../swarm/swarm.js';
import { NO_WASTE, type SwarmManager } from '../swarm/swarm-manager.js';
import type { WebSeedsView } from '../swarm/web-seeds.js';
import type { TorrentServices } from '../session-interface.js';

/** The figures of a tracker that runs for another holder. */
const NOT_CONTACTED = {
  seeds: 0,
  peers: 0,
  downloaded: 0,
  hasTold: false,
  lastAnnounce: 0,
  nextAnnounce: 0,
  answered: false,
  fails: 0,
  message: '',
  peersGiven: 0,
  interval: 0,
  minInterval: 0,
};
const NO_INFO_FACTS: InfoFacts = { source: '', infoHashV2: null };
const NO_SUMMARY = { isPrivate: false, pieceLength: 0, pieceCount: 0 };

export interface Inspected
  extends ShareShown, StoredPlace, Pick<TorrentRow, 'origin' | 'seedsBy' | 'ownerId' | 'incompleteSuffix'> {
  readonly services: TorrentServices;
  readonly swarmManager: SwarmManager;
  /** null while the metadata is unknown. */
  readonly summary: TorrentSummary | null;
  readonly have: Bitfield | null;
  /** The one of several holders that looks; undefined: the only one, or all. */
  readonly onlyFor: AccountId | undefined;
  /** The holder that looks; undefined: all of them. */
  readonly by: AccountId | undefined;
}

export function inspect(parts: readonly DetailPart[], torrent: Inspected, files?: FilesWanted): TorrentDetails {
  const { summary, have } = torrent;
  return {
    ...(parts.includes('files') && filesOf(torrent, files)),
    ...(parts.includes('filePieces') && { filePieces: filePiecesOf(torrent, files) }),
    ...(parts.includes('peers') && { peers: peersOf(torrent) }),
    ...(parts.includes('trackers') && { trackers: trackersOf(torrent) }),
    ...(parts.includes('pieces') && { pieces: piecesDetail(summary, have, pickerOf(torrent)) }),
    ...(parts.includes('pieceHashes') && { pieceHashes: pieceHashesOf(torrent) }),
    ...(parts.includes('metainfo') && { metainfo: metainfoOf(torrent) }),
    ...(parts.includes('waste') && { waste: wasteOf(torrent) }),
    ...(parts.includes('webSeeds') && { webSeeds: webSeedsOf(torrent) }),
  };
}

/** null while it downloads nothing, as far as the share shows. */
function pickerOf({ isPaused, swarmManager }: Inspected): PiecePicker | null {
  return isPaused ? null : (swarmManager.swarm?.download?.picker ?? null);
}

function listOf(torrent: Inspected): FileList | null {
  const { id, services, swarmManager } = torrent;
  return services.fileListCache.of(id, () => readInfo(services, torrent, swarmManager.openedContent));
}

function filePiecesOf(torrent: Inspected, wanted: FilesWanted | undefined): FilePiecesDetail {
  const { have } = torrent;
  const list = have && listOf(torrent);
  return have && list ? filePieces(list, have, pickerOf(torrent), wanted) : NO_FILE_PIECES;
}

function pieceHashesOf(torrent: Inspected): Uint8Array {
  const { services, swarmManager } = torrent;
  return readInfo(services, torrent, swarmManager.openedContent)?.pieceHashes.slice() ?? new Uint8Array();
}

function metainfoOf(torrent: Inspected): TorrentMetainfo {
  const { id, services, summary, by, incompleteSuffix } = torrent;
  const infoBytes = services.store.infoBytes(id);
  const { source, infoHashV2 } = infoBytes ? infoFactsOf(infoBytes) : NO_INFO_FACTS;
  const { isPrivate, pieceLength, pieceCount } = summary ?? NO_SUMMARY;
  return {
    ...originFor(torrent, by),
    ...{ source, infoHashV2, isPrivate, pieceLength, pieceCount },
    ...(incompleteSuffix !== undefined && { incompleteSuffix }),
  };
}

/** The waste of all holders together, as its pieces are; nothing while the share that looks is paused. */
function wasteOf({ isPaused, swarmManager }: Inspected): TorrentWaste {
  return isPaused ? NO_WASTE : swarmManager.waste;
}

function webSeedsOf(torrent: Inspected): readonly WebSeedDetail[] {
  const { onlyFor, isPaused, swarmManager } = torrent;
  if (onlyFor !== undefined && seedsBringerOf(torrent) !== onlyFor) return [];
  return swarmManager.webSeedViews().map((view) => webSeedDetail(view, isPaused ? null : swarmManager.swarm));
}

/** `swarm`: null while nothing is shown of it. */
function webSeedDetail({ url, form, state }: WebSeedsView, swarm: Swarm | null): WebSeedDetail {
  const peer = [...(swarm?.peers.values() ?? [])].find(({ webSeedUrl }) => webSeedUrl === url);
  const shown = state === 'connected' && !peer ? 'idle' : state;
  return { url, form, state: shown, downloadRate: peer?.down.rate ?? 0, bytesDown: peer?.down.total ?? 0 };
}

function filesOf(torrent: Inspected, wanted: FilesWanted | undefined): Pick<TorrentDetails, 'files' | 'filesGiven'> {
  const { have, filePriorities } = torrent;
  const list = have && listOf(torrent);
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

function peersOf({ swarmManager, isPaused, have }: Inspected): PeerDetail[] {
  const peers = isPaused ? [] : [...(swarmManager.swarm?.peers.values() ?? [])];
  return peers.filter((peer) => peer.handshakeDone && peer.webSeedUrl === null).map((peer) => peerDetail(peer, have));
}
