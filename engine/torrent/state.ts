// The torrent's state machine, pure (STATE.md). What a torrent does, and what it wants of the queue, is derived from a
// few facts; every change of a fact goes through `Torrent`, which compares the activity before and after and acts on the
// difference.

export interface TorrentFactsOfState {
  readonly paused: boolean;
  readonly hasMetadata: boolean;
  /** Every wanted piece is verified. */
  readonly complete: boolean;
  /** Every file is skipped: it rests. */
  readonly wantsNothing: boolean;
  readonly check: 'none' | 'queued' | 'running';
  /** Files with verified bytes have vanished or shrunk. */
  readonly filesMissing: boolean;
  /** The disk refuses writes: full, read-only, failing. Seeding goes on. */
  readonly writesFail: boolean;
  /** Files are being brought to another place: nothing is written to them. Seeding goes on. */
  readonly moving: boolean;
  /** Runs whatever the queue says. */
  readonly forceStart: boolean;
  /** The queue holds it back. */
  readonly queued: boolean;
}

export type Activity =
  /** Nothing moves: paused, queued, without a wanted file, or its files are missing. */
  | 'stopped'
  /** Waiting for its turn to be verified, or being verified. */
  | 'checking'
  /** A magnet: peers are asked for the info dictionary. */
  | 'metadata'
  | 'downloading'
  /** Serves what it has, asks for nothing until the disk takes writes again, or its files have been moved. */
  | 'upload-only'
  | 'seeding';

export function activityOf(facts: TorrentFactsOfState): Activity {
  if (facts.check !== 'none') return 'checking';
  if (!mayRun(facts) || facts.queued) return 'stopped';
  if (!facts.hasMetadata) return 'metadata';
  if (facts.complete) return 'seeding';
  return facts.writesFail || facts.moving ? 'upload-only' : 'downloading';
}

/** The two limits of the queue: how many download, and how many seed. */
export type QueueLaneName = 'download' | 'seed';

/** In which lane of the queue it takes a place, or waits for one; null: in none, it is not to be held back. */
export function laneOf(facts: TorrentFactsOfState): QueueLaneName | null {
  if (facts.check !== 'none' || !mayRun(facts) || facts.forceStart) return null;
  return facts.complete ? 'seed' : 'download';
}

function mayRun({ paused, filesMissing, wantsNothing }: TorrentFactsOfState): boolean {
  return !paused && !filesMissing && !wantsNothing;
}

/** Whether it has connections and announces itself. */
export function isOnline(activity: Activity): boolean {
  return activity !== 'stopped' && activity !== 'checking';
}

/** Whether it looks for more peers when it has few. */
export function seeksPeers(activity: Activity): boolean {
  return activity === 'metadata' || activity === 'downloading' || activity === 'seeding';
}
