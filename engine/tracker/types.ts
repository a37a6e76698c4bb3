// Announcing to trackers: one queue for all torrents (BEP 3, 7, 12, 15, 23, 24, 41, 48).
import type { AnnounceNowResult } from '../../shared-protocol/commands/trackers.js';
import type { TrackerDetail } from '../../shared-protocol/commands/details.js';
import type { AccountId, InfoHash, PeerId } from '../../shared-protocol/ids.js';
import type { PeerAddress } from '../environment.js';

export type AnnounceEvent = 'started' | 'completed' | 'stopped' | 'none';

/** A torrent's figures at the moment of an announce. */
export interface AnnounceFigures {
  readonly uploaded: number;
  readonly downloaded: number;
  readonly left: number;
  /** Peers wanted; 0 while seeding with enough peers. */
  readonly numWant: number;
}

/** A torrent as the announce queue asks it, at the moment of need, so that an idle torrent holds nothing. */
export interface AnnounceTorrent {
  readonly infoHash: InfoHash;
  figures(): AnnounceFigures;
  /** `trackerIsInside`: it was rightly reached at an address inside, and so may know of peers there. */
  onPeers(peers: readonly PeerAddress[], trackerIsInside: boolean): void;
  /** Follows a change of {@link AnnounceQueue.heard}. */
  onTrackersHeard(): void;
  /** The account whose tracker it is. */
  accountFor(trackerUrl: string): AccountId;
  /** Whether it may reach inside for this tracker. */
  mayReachInside(trackerUrl: string): boolean;
}

/** The swarm of a torrent as its trackers tell of it. */
export interface SwarmHeard {
  /** Seeds and other peers, as the tracker that knows of the most peers told last; -1: none has told. */
  readonly seeds: number;
  readonly leechers: number;
  /** Addresses of those that answered their last announce. */
  readonly working: ReadonlySet<string>;
  /** Failures of the others' last announces, by address. */
  readonly failed: ReadonlyMap<string, TrackerFailure>;
}

/** Why a tracker's last announce failed. */
export interface TrackerFailure {
  /** The tracker's words (BEP 3, `failure reason`) or what hindered the announce, for people. */
  readonly message: string;
  /** The tracker itself said so. */
  readonly isRefusal: boolean;
}

export interface AnnounceQueue {
  /** Registers the torrent's tiers; nothing is sent before `start`. */
  add(torrent: AnnounceTorrent, tiers: readonly (readonly string[])[]): void;
  /** `started` now, then regular announces. */
  start(infoHash: InfoHash): void;
  completed(infoHash: InfoHash): void;
  /** `stopped`, best effort, to every tracker that had answered; no more announces. */
  stop(infoHash: InfoHash): void;
  /** Like stop, and forgets the torrent. */
  remove(infoHash: InfoHash): void;
  /** More peers are wanted now; respects the minimum interval. */
  requestPeers(infoHash: InfoHash): void;
  /** Appends trackers not yet known, each in a tier of its own, and announces to them if started. */
  addTrackers(infoHash: InfoHash, urls: readonly string[]): void;
  removeTracker(infoHash: InfoHash, url: string): void;
  /** Puts these tiers in place of those before, in this order; a tracker that stays keeps what is known of it. */
  setTiers(infoHash: InfoHash, tiers: readonly (readonly string[])[]): void;
  /** Announces as soon as the trackers' minimum intervals allow; nothing for a torrent that does not run. */
  announceNow(infoHash: InfoHash): AnnounceNowResult;
  /** Follows a change of what may be reached: announces under way begin anew, failed ones are made again. */
  retry(infoHash: InfoHash): void;
  /** There is another way to trackers: none of them counts as out of reach. To be followed by `retry` of each torrent. */
  forgetFailures(): void;
  tiers(infoHash: InfoHash): readonly (readonly string[])[];
  statuses(infoHash: InfoHash): readonly TrackerDetail[];
  /** Stays as it is while the torrent rests. */
  heard(infoHash: InfoHash): SwarmHeard;
  /** Hosts of the trackers that know of us and have not failed since, by tier, each once. */
  working(infoHash: InfoHash): readonly string[];
  /** Sends what `stopped` events it can within the time, then lets go of every socket and timer. */
  close(timeoutMs: number): Promise<void>;
}

export interface AnnounceIdentity {
  readonly peerId: PeerId;
  /** The port peers reach us on. */
  readonly port: number;
  /** 32 random bits that stay the same for a session (BEP 15 key). */
  readonly key: number;
  readonly userAgent: string;
}
