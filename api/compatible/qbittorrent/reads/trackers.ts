// torrents/trackers and torrents/webseeds: first DHT, PEX and LSD as qBittorrent counts them, with the peers that are
// connected by each, then the trackers. Viewers see no passkeys.
import type { PeerDetail } from '../../../../shared-protocol/commands/details.js';
import type { PeerSource } from '../../../../shared-protocol/peer-facts.js';
import { maskUrl } from '../../../../shared-protocol/masking.js';
import { shownTrackers } from '../../shown-trackers.js';
import { json } from '../answers.js';
import { trackerObject } from '../objects/tracker-object.js';
import type { Answer } from '../row.js';
import type { OneTorrent } from './one-torrent.js';

const NO_TIER = -1;
const PRIVATE = 'This torrent is private';

export async function trackers({ services, share, torrent, access }: OneTorrent): Promise<Answer> {
  const { isDhtOn, isLsdOn } = services.engineSettings.peers;
  const details = await services.library.inspect(share, { parts: ['trackers', 'peers'] });
  const shown = shownTrackers(details.trackers ?? [], access !== 'viewer');
  const way = (url: string, source: PeerSource, isOn: boolean) =>
    wayToPeers(url, source, isOn && !torrent.isPrivate, torrent.isPrivate, details.peers ?? []);
  return json([
    way('** [DHT] **', 'dht', isDhtOn),
    way('** [PeX] **', 'pex', true),
    way('** [LSD] **', 'lsd', isLsdOn),
    ...shown.map(trackerObject),
  ]);
}

/** Web seeds that the account itself brought, where others hold the torrent too. */
export async function webSeeds({ services, share, access }: OneTorrent): Promise<Answer> {
  const details = await services.library.inspect(share, { parts: ['webSeeds'] });
  return json((details.webSeeds ?? []).map(({ url }) => ({ url: access === 'viewer' ? maskUrl(url) : url })));
}

function wayToPeers(url: string, source: PeerSource, isOn: boolean, isPrivate: boolean, peers: readonly PeerDetail[]) {
  const own = peers.filter(({ facts }) => facts.sources.includes(source));
  const seeds = own.filter(({ progress }) => progress === 1).length;
  return {
    url,
    tier: NO_TIER,
    // 0 disabled, 2 working.
    status: isOn ? 2 : 0,
    msg: isPrivate ? PRIVATE : '',
    num_peers: own.length,
    num_seeds: seeds,
    num_leeches: own.length - seeds,
    num_downloaded: 0,
  };
}
