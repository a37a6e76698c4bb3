// torrents/properties: one torrent in figures, and what stands in its torrent file. Speeds are bytes per second, times Unix
// seconds.
import type { PiecesDetail, TorrentMetainfo, TrackerDetail } from '../../../../shared-protocol/commands/details.js';
import type { TorrentStats } from '../../../../shared-protocol/stats-table.js';
import { shownName } from '../../../services/library/torrent-dto.js';
import { json } from '../answers.js';
import type { Answer } from '../row.js';
import { objectFigures, objectTimes } from '../torrent-object.js';
import { figuresOf, type OneTorrent } from './one-torrent.js';

/** For limits and times that there are none of. */
const NONE = -1;
const SECOND_MS = 1_000;

export async function properties(one: OneTorrent): Promise<Answer> {
  const { services, share, torrent, access } = one;
  const { library, engineSettings } = services;
  const [details, rates, { maxPeers }] = await Promise.all([
    library.inspect(share, { parts: ['metainfo', 'pieces', 'trackers', 'waste'] }),
    library.rateLimits(share),
    library.peerLimits(share),
  ]);
  const now = Math.floor(Date.now() / SECOND_MS);
  const stats = figuresOf(one);
  const figures = objectFigures(torrent, access, stats);
  const times = objectTimes(stats, now);
  return json({
    ...ofTheFile(details.metainfo, details.pieces),
    ...ofPeers(stats, figures),
    ...averages(stats, times),
    hash: torrent.id,
    infohash_v1: torrent.id,
    infohash_v2: details.metainfo?.infoHashV2 ?? '',
    name: shownName(torrent),
    has_metadata: torrent.hasMetadata,
    private: torrent.hasMetadata ? torrent.isPrivate : null,
    is_private: torrent.isPrivate,
    save_path: torrent.savePath,
    download_path: '',
    total_size: torrent.totalBytes,
    progress: figures.progress,
    eta: figures.eta,
    addition_date: torrent.addedAt,
    completion_date: torrent.completedAt ?? NONE,
    last_seen: NONE,
    time_elapsed: times.time_active,
    seeding_time: times.seeding_time,
    popularity: times.popularity,
    share_ratio: figures.ratio,
    reannounce: secondsToAnnounce(details.trackers ?? [], now),
    total_downloaded: stats.totalDown,
    total_downloaded_session: figures.downloaded_session,
    total_uploaded: stats.totalUp,
    total_uploaded_session: figures.uploaded_session,
    total_wasted: details.waste ? details.waste.failedBytes + details.waste.redundantBytes : 0,
    dl_limit: rates.downBytesPerSec || NONE,
    up_limit: rates.upBytesPerSec || NONE,
    dl_speed: figures.dlspeed,
    up_speed: figures.upspeed,
    nb_connections_limit: maxPeers || engineSettings.peers.maxPeersPerTorrent,
  });
}

function ofTheFile(metainfo: TorrentMetainfo | undefined, pieces: PiecesDetail | undefined) {
  return {
    comment: metainfo?.comment ?? '',
    created_by: metainfo?.createdBy ?? '',
    creation_date: metainfo?.createdAt || NONE,
    piece_size: pieces?.pieceLength || NONE,
    pieces_num: pieces?.pieceCount || NONE,
    pieces_have: pieces ? bitsIn(pieces.have) : 0,
  };
}

function ofPeers({ peers }: TorrentStats, figures: ReturnType<typeof objectFigures>) {
  return {
    nb_connections: peers,
    seeds: figures.num_seeds,
    seeds_total: figures.num_complete,
    peers: figures.num_leechs,
    peers_total: figures.num_incomplete,
  };
}

/** Over the time that it was at work; for what came, until it was complete. */
function averages({ totalDown, totalUp }: TorrentStats, times: ReturnType<typeof objectTimes>) {
  const { time_active, seeding_time } = times;
  const over = (bytes: number, seconds: number) => (seconds > 0 ? Math.round(bytes / seconds) : 0);
  return { dl_speed_avg: over(totalDown, time_active - seeding_time), up_speed_avg: over(totalUp, time_active) };
}

/** 0 where none is going to be asked. */
function secondsToAnnounce(trackers: readonly TrackerDetail[], now: number): number {
  const next = trackers.map(({ nextAnnounce }) => nextAnnounce).filter((at) => at > 0);
  return next.length === 0 ? 0 : Math.max(0, Math.min(...next) - now);
}

function bitsIn(bytes: Uint8Array): number {
  let bits = 0;
  for (const byte of bytes) for (let rest = byte; rest !== 0; rest &= rest - 1) bits++;
  return bits;
}
