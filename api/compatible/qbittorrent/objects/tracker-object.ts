// A tracker of a torrent as qBittorrent shows it. Pure.
import type { TrackerDetail } from '../../../../shared-protocol/commands.js';

const FAILED = 'error: ';
/** A tracker that has told no number. */
const UNKNOWN = -1;

export function trackerObject({ url, tier, status, seeds, peers, downloaded, lastAnnounce }: TrackerDetail) {
  const isTold = status === 'working' && lastAnnounce > 0;
  return {
    url,
    tier,
    status: statusOf(status),
    msg: status.startsWith(FAILED) ? status.slice(FAILED.length) : '',
    num_peers: isTold ? seeds + peers : UNKNOWN,
    num_seeds: isTold ? seeds : UNKNOWN,
    num_leeches: isTold ? peers : UNKNOWN,
    num_downloaded: isTold ? downloaded : UNKNOWN,
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
