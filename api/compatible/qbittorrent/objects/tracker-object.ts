// A tracker of a torrent as qBittorrent shows it. Pure.
import type { TrackerDetail } from '../../../../shared-protocol/commands/details.js';

/** A number that the tracker has not told. */
const UNKNOWN = -1;

export function trackerObject(tracker: TrackerDetail) {
  const { url, tier, status, message, hasTold, answered, peersGiven, seeds, peers, downloaded } = tracker;
  return {
    url,
    tier,
    status: statusOf(status),
    msg: message,
    num_peers: answered ? peersGiven : UNKNOWN,
    num_seeds: hasTold ? seeds : UNKNOWN,
    num_leeches: hasTold ? peers : UNKNOWN,
    num_downloaded: hasTold ? downloaded : UNKNOWN,
  };
}

/** 0 disabled, 1 not contacted, 2 working, 3 updating, 4 not working. */
function statusOf(status: TrackerDetail['status']): 0 | 1 | 2 | 3 | 4 {
  switch (status) {
    case 'disabled':
      return 0;
    case 'not contacted':
      return 1;
    case 'working':
      return 2;
    case 'updating':
      return 3;
    default:
      return 4;
  }
}
