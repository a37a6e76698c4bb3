// What a torrent does, and what keeps it from doing so.
import type { TorrentStats } from '../../../../shared-protocol/stats-table.js';
import { maskSaid } from '../../../../shared-protocol/masking.js';
import { diagnosisOf } from '../../../services/library/diagnosis.js';
import { judgeSeeding } from '../../../services/library/seeding-check.js';
import { TORRENT_FLAGS } from '../../../../shared-protocol/stats-table.js';
import { hasFlag } from '../../../services/library/torrent-dto.js';
import { mayEdit, type Columns, type View } from './view.js';

const STATUS = { stopped: 0, checking: 2, downloadQueued: 3, downloading: 4, seedQueued: 5, seeding: 6 };
const ERROR = { none: 0, tracker: 2, local: 3 };
/** For an estimate: there is nothing to wait for, and it cannot be told. */
const ETA = { none: -1, unknown: -2 };
const SAID = 'error: ';

export const stateColumns = {
  status: { of: ({ stats }) => statusOf(stats) },
  error: { needs: needsTrackers, of: (view) => problemOf(view).error },
  errorString: { needs: needsTrackers, of: (view) => problemOf(view).sentence },
  eta: { of: etaOf },
  etaIdle: { of: () => ETA.none },
  isFinished: { of: hasSeededEnough },
  isStalled: { of: () => false },
  recheckProgress: {
    of: ({ stats, facts }) => (hasFlag(stats, 'verifying') ? share(stats.bytesDone, facts.totalBytes) : 0),
  },
} as const satisfies Columns;

export function statusOf(stats: Readonly<TorrentStats>): number {
  if (hasFlag(stats, 'verifying')) return STATUS.checking;
  if (hasFlag(stats, 'paused') || hasFlag(stats, 'filesMissing')) return STATUS.stopped;
  const isQueued = hasFlag(stats, 'queued');
  if (hasFlag(stats, 'completed')) return isQueued ? STATUS.seedQueued : STATUS.seeding;
  return isQueued ? STATUS.downloadQueued : STATUS.downloading;
}

function etaOf({ facts, stats }: View): number {
  if (statusOf(stats) !== STATUS.downloading) return ETA.none;
  const left = stats.wantedBytes - stats.wantedDone;
  if (left <= 0) return facts.hasMetadata ? ETA.none : ETA.unknown;
  return stats.downloadRate > 0 ? Math.ceil(left / stats.downloadRate) : ETA.unknown;
}

function share(part: number, whole: number): number {
  return whole > 0 ? Math.min(1, part / whole) : 0;
}

/** Trackers are looked at where none has answered the last time it was asked, which of most torrents is not so. */
function needsTrackers({ facts, stats }: View): 'trackers' | null {
  const status = statusOf(stats);
  const isRunning = status === STATUS.downloading || status === STATUS.seeding;
  return isRunning && stats.workingTracker < 0 && facts.trackers !== '' ? 'trackers' : null;
}

function problemOf(view: View): { readonly error: number; readonly sentence: string } {
  const { error } = diagnosisOf(view.facts);
  if (error !== null) return { error: ERROR.local, sentence: error };
  const failed = needsTrackers(view) && view.details.trackers?.find(({ status }) => status.startsWith(SAID));
  if (!failed) return { error: ERROR.none, sentence: '' };
  const said = failed.status.slice(SAID.length);
  return { error: ERROR.tracker, sentence: mayEdit(view) ? said : maskSaid(failed.url, said) };
}

/** Stopped, and over a limit on seeding. */
function hasSeededEnough({ facts, stats, services, now }: View): boolean {
  if (!hasFlag(stats, 'paused') || !hasFlag(stats, 'completed') || facts.library.seedingSince === null) return false;
  const running = { ...stats, flags: stats.flags & ~TORRENT_FLAGS.paused };
  const rule = services.seedPolicies.inForce(facts).in_force;
  return judgeSeeding(running, facts, { ...rule, action: 'pause' }, now).kind === 'act';
}
