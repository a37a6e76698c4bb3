// The numbers that conditions compare. What grows with the clock is told with the time from which on it grows, so that
// nobody has to look again before it can have reached a bound. Pure.
import type { Measure } from '../../../shared-protocol/dto/automations.js';
import { hasFlag, progressOf, ratioOf } from '../library/torrent-dto.js';
import type { Due, Subject } from './subject.js';

const MINUTE_S = 60;

/** null: it is not known, so that no condition about it holds. */
type Reading = (subject: Subject) => number | null;

/** Unix seconds at which the span began, as if it had run without a break; and whether it grows. */
interface Span {
  readonly since: number;
  readonly grows: boolean;
}

const NUMBERS: { readonly [Name in Exclude<Measure, SpanName>]: Reading } = {
  // Without bytes there is no ratio.
  ratio: ({ stats }) => (stats.bytesDone > 0 ? ratioOf(stats) : null),
  uploaded: ({ stats }) => stats.totalUp,
  downloaded: ({ stats }) => stats.totalDown,
  size: ({ facts }) => (facts.hasMetadata ? facts.totalBytes : null),
  progress: ({ stats }) => progressOf(stats),
  download_rate: ({ stats }) => stats.downloadRate,
  upload_rate: ({ stats }) => stats.uploadRate,
  swarm_seeds: ({ stats }) => (stats.swarmSeeds < 0 ? null : stats.swarmSeeds),
  swarm_leechers: ({ stats }) => (stats.swarmLeechers < 0 ? null : stats.swarmLeechers),
  free_space: ({ freeBytes }) => freeBytes,
  torrents: ({ torrents }) => torrents,
};

type SpanName = 'age' | 'completed_age' | 'seeding_time' | 'inactive_time';
const SPANS: { readonly [Name in SpanName]: (subject: Subject) => Span | null } = {
  age: ({ facts }) => ({ since: facts.addedAt, grows: true }),
  completed_age: ({ facts }) => (facts.completedAt === null ? null : { since: facts.completedAt, grows: true }),
  seeding_time: ({ stats, now }) => {
    const { seedingSeconds, countedSince, flags } = stats;
    const runs = hasFlag({ flags }, 'completed') && countedSince > 0;
    return { since: (runs ? countedSince : now) - seedingSeconds, grows: runs };
  },
  // What never moved anything is inactive since it was added.
  inactive_time: ({ facts, stats }) => ({ since: Math.max(facts.addedAt, stats.lastActivityAt), grows: true }),
};

/** The value at the moment; of a span in minutes. */
export function readMeasure(name: Measure, subject: Subject): number | null {
  if (!isSpan(name)) return NUMBERS[name](subject);
  const span = SPANS[name](subject);
  return span && Math.max(0, subject.now - span.since) / MINUTE_S;
}

/** Notes when the measure reaches or leaves the bound by itself. */
export function noteDue(name: Measure, bound: number, subject: Subject, due: Due): void {
  if (!isSpan(name)) return;
  const span = SPANS[name](subject);
  if (!span?.grows) return;
  const at = Math.ceil(span.since + bound * MINUTE_S);
  due.note(at, subject.now);
  due.note(at + 1, subject.now);
}

function isSpan(name: Measure): name is SpanName {
  return name in SPANS;
}
