// Peers and trackers as the engine shows them, with nothing going on but what a test says.
import type { PeerDetail, TrackerDetail } from '../../shared-protocol/commands/details.js';
import type { PeerFlagFacts } from '../../shared-protocol/peer-facts.js';

/** A peer with which nothing goes on. */
export const QUIET_PEER: PeerFlagFacts = {
  weAreInterested: false,
  chokesUs: true,
  interested: false,
  choked: true,
  optimisticUnchoke: false,
  snubbed: false,
  incoming: false,
  encryption: 'none',
  sources: [],
};

export function shownPeer(change: Partial<PeerDetail>): PeerDetail {
  const moved = { downloadRate: 0, uploadRate: 0, bytesDown: 0, bytesUp: 0 };
  const said = { client: '', flags: '', facts: QUIET_PEER };
  return { host: '192.0.2.1', port: 6881, ...said, progress: 0, relevance: 0, ...moved, ...change };
}

/** Never announced to. */
export function shownTracker(change: Partial<TrackerDetail>): TrackerDetail {
  return {
    url: 'http://tracker.example/announce',
    tier: 0,
    status: 'not contacted',
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
    ...change,
  };
}
