// What the announce queue keeps per torrent and per tracker of a torrent: plain records without timers or closures,
// so that ten thousand idle torrents cost little. Changed by the announce queue only.
import { SECOND_MS, type Clock } from '../environment.js';
import type { TrackerDetail } from '../../shared-protocol/commands/details.js';
import { assertNever } from '../../shared-protocol/errors.js';
import { RETRY_BY_HAND_MS, RETRY_REFUSED_BY_HAND_MS } from './constants.js';
import type { DueItem } from './due-queue.js';
import type { Endpoint } from './endpoints.js';
import type { TierMember } from './tiers.js';
import type { AnnounceEvent, AnnounceFigures, AnnounceTorrent } from './types.js';

export interface TorrentRecord {
  readonly torrent: AnnounceTorrent;
  /** BEP 12; the order within a tier changes, tiers without members are taken out. */
  tiers: TrackerRecord[][];
  running: boolean;
  /** Figures at the moment it stopped: the torrent may be gone when `stopped` is sent. */
  finalFigures: AnnounceFigures | null;
}

export interface TrackerRecord extends DueItem, TierMember {
  readonly kind: 'tracker';
  readonly torrent: TorrentRecord;
  readonly endpoint: Endpoint;
  dueMs: number;
  fails: number;
  earliestMs: number;
  /** The last answer's warning, addresses of peers, and intervals that it asked for: seconds, 0 for none. */
  warning: string | null;
  peersGiven: number;
  intervalSec: number;
  minIntervalSec: number;
  /** The tracker knows of us: `started` was answered and `stopped` was not sent. */
  announced: boolean;
  /** `completed` is still to be told. */
  owesCompleted: boolean;
  /** `stopped` is queued or under way. */
  leaving: boolean;
  /** Taken off its torrent; forgotten once nothing is under way. */
  detached: boolean;
  /** The announce under way. */
  abort: AbortController | null;
  /** The announce under way may have reached the tracker. */
  isSent: boolean;
  error: string | null;
  /** The last failure was the tracker's own word, which another announce may find changed. */
  isRefused: boolean;
  /** The last announce, but for one of `stopped`, was answered. */
  answered: boolean;
  /** `seeds` and `leechers` are the tracker's, not the zeros of the beginning. */
  hasTold: boolean;
  trackerId: string | null;
  seeds: number;
  leechers: number;
  downloaded: number;
  /** Unix seconds of the last attempt's end; 0 when never. */
  lastAnnounceSec: number;
}

export function newTracker(torrent: TorrentRecord, endpoint: Endpoint): TrackerRecord {
  return {
    kind: 'tracker',
    torrent,
    endpoint,
    host: endpoint.host,
    account: torrent.torrent.accountFor(endpoint.url),
    usable: endpoint.transport !== 'none' && endpoint.refusal === null,
    heapIndex: -1,
    dueMs: 0,
    priority: 0,
    fails: 0,
    earliestMs: 0,
    warning: null,
    peersGiven: 0,
    intervalSec: 0,
    minIntervalSec: 0,
    announced: false,
    owesCompleted: false,
    leaving: false,
    detached: false,
    abort: null,
    isSent: false,
    error: endpoint.transport === 'none' ? null : endpoint.refusal,
    isRefused: false,
    answered: false,
    hasTold: false,
    trackerId: null,
    seeds: 0,
    leechers: 0,
    downloaded: 0,
    lastAnnounceSec: 0,
  };
}

/** The event that the next announce tells this tracker. */
export function nextEvent(tracker: TrackerRecord): AnnounceEvent {
  if (tracker.leaving) return 'stopped';
  if (!tracker.announced) return 'started';
  return tracker.owesCompleted ? 'completed' : 'none';
}

/** Order among what is due (Transmission): stopped, completed, started, the rest. */
export function priorityOf(event: AnnounceEvent): number {
  switch (event) {
    case 'stopped':
      return 0;
    case 'completed':
      return 1;
    case 'started':
      return 2;
    case 'none':
      return 3;
    default:
      return assertNever(event);
  }
}

/** The tracker as the API shows it (TrackerDTO). */
export function trackerStatus(tracker: TrackerRecord, tier: number, clock: Clock): TrackerDetail {
  const scheduled = tracker.heapIndex >= 0 && !tracker.leaving;
  return {
    url: tracker.endpoint.url,
    tier,
    status: statusText(tracker),
    seeds: tracker.seeds,
    peers: tracker.leechers,
    downloaded: tracker.downloaded,
    lastAnnounce: tracker.lastAnnounceSec,
    nextAnnounce: scheduled ? unixSecondsAt(Math.max(clock.nowMs(), tracker.dueMs), clock) : 0,
    hasTold: tracker.hasTold,
    answered: tracker.answered,
    fails: tracker.fails,
    message: tracker.error ?? tracker.warning ?? '',
    peersGiven: tracker.peersGiven,
    interval: tracker.intervalSec,
    minInterval: tracker.minIntervalSec,
  };
}

export function isWorking({ announced, leaving, error }: TrackerRecord): boolean {
  return announced && !leaving && error === null;
}

/** Monotonic time from which a person's wish may reach the tracker: its minimum interval, or a pause after a failure. */
export function askedForMs(tracker: TrackerRecord, clock: Clock): number {
  const { fails, earliestMs, lastAnnounceSec, isRefused } = tracker;
  if (fails === 0) return earliestMs;
  const pauseMs = isRefused ? RETRY_REFUSED_BY_HAND_MS : RETRY_BY_HAND_MS;
  return clock.nowMs() + lastAnnounceSec * SECOND_MS + pauseMs - clock.unixMs();
}

export function unixSecondsAt(monotonicMs: number, clock: Clock): number {
  return Math.round((clock.unixMs() + monotonicMs - clock.nowMs()) / 1000);
}

function statusText(tracker: TrackerRecord): TrackerDetail['status'] {
  if (tracker.endpoint.transport === 'none') return 'disabled';
  if (tracker.abort) return 'updating';
  if (tracker.error !== null) return `error: ${tracker.error}`;
  return isWorking(tracker) ? 'working' : 'not contacted';
}
