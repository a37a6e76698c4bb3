// What the strip says of an engine that is away: which one, where it is one of several and that is known. Pure.
import type { EngineDto } from '../../../../../shared-protocol/dto/engines.js';
import { inert, recentTime } from '../../format/quantities.js';
import { t } from '../../strings/index.js';

type Known = Pick<EngineDto, 'name' | 'away_since'>;

/** `since`: as the push channel says it, which comes first; `engines`: none where one engine is all, or nothing is known. */
export function engineAwayText(since: number, engines: readonly Known[], nowMs: number): string {
  const away = engines.flatMap(({ name, away_since }) =>
    away_since === null ? [] : [{ name: inert(name), time: recentTime(away_since, nowMs) }],
  );
  const [first, ...others] = away;
  if (!first) return t('app.engineAway', { time: recentTime(since, nowMs) });
  if (others.length === 0) return t('app.oneEngineAway', first);
  return t('app.enginesAway', { which: away.map((each) => t('app.engineSince', each)).join(', ') });
}
