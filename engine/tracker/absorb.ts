// What an announce's outcome changes in a tracker's record: timing, figures, what is still to be told.
import type { Random } from '../environment.js';
import type { AnnounceReply, TrackerFailure } from './client.js';
import { nextAnnounce } from './next-announce.js';
import type { TrackerRecord } from './records.js';
import type { AnnounceEvent } from './types.js';

export function absorbReply(
  tracker: TrackerRecord,
  event: AnnounceEvent,
  reply: AnnounceReply,
  nowMs: number,
  random: Random,
): void {
  const timing = nextAnnounce(tracker.fails, reply, nowMs, random);
  tracker.announced = true;
  tracker.answered = true;
  tracker.hasTold ||= reply.seeds !== null || reply.leechers !== null;
  tracker.error = null;
  tracker.warning = reply.warning;
  tracker.peersGiven = reply.peers.length;
  tracker.intervalSec = Math.max(0, reply.intervalSec ?? 0);
  tracker.minIntervalSec = Math.max(0, reply.minIntervalSec ?? 0);
  if (event === 'completed') tracker.owesCompleted = false;
  tracker.fails = timing.fails;
  tracker.dueMs = tracker.owesCompleted ? nowMs : timing.dueMs;
  tracker.earliestMs = timing.earliestMs;
  // BEP 3: "if a previous announce contained a tracker id, it should be set here", also when later ones do not.
  tracker.trackerId = reply.trackerId ?? tracker.trackerId;
  tracker.seeds = reply.seeds ?? tracker.seeds;
  tracker.leechers = reply.leechers ?? tracker.leechers;
  tracker.downloaded = reply.downloaded ?? tracker.downloaded;
}

export function absorbFailure(
  tracker: TrackerRecord,
  { code, message }: TrackerFailure,
  nowMs: number,
  random: Random,
): void {
  const timing = nextAnnounce(tracker.fails, { kind: 'failed' }, nowMs, random);
  tracker.error = message;
  tracker.isRefused = code === 'TRACKER_FAILURE';
  tracker.answered = false;
  tracker.fails = timing.fails;
  tracker.dueMs = timing.dueMs;
  tracker.earliestMs = timing.earliestMs;
  // It will hear `started` with nothing left, which BEP 3 never follows by `completed`.
  if (!tracker.announced) tracker.owesCompleted = false;
}
