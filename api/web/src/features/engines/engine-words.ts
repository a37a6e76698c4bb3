// How it goes with an engine, in words: what the server knows of a stream to it, as people read it. Pure.
import type { AwayCode, EngineDto } from '../../../../../shared-protocol/dto/engines.js';
import { inert } from '../../format/quantities.js';
import { t, type TextKey } from '../../strings/index.js';

export type EngineStanding = 'connected' | 'loading' | 'away';

type ReasonText = Extract<TextKey, `engines.reasons.${string}`>;

/** null: what is said of it is all there is to say. */
const REASONS: Readonly<Record<AwayCode, ReasonText | null>> = {
  NOT_REACHED: 'engines.reasons.notReached',
  NOBODY_THERE: 'engines.reasons.nobodyThere',
  REFUSED: 'engines.reasons.refused',
  MISTAKEN: null,
  LOADING: null,
  FAILED: null,
  SILENT: 'engines.reasons.silent',
  CLOSED: 'engines.reasons.closed',
  TOO_MANY_TORRENTS: 'engines.reasons.tooManyTorrents',
};

export function standingOf({ away_since, reason_code }: Pick<EngineDto, 'away_since' | 'reason_code'>): EngineStanding {
  if (away_since === null) return 'connected';
  return reason_code === 'LOADING' ? 'loading' : 'away';
}

/** Why an engine is away; one of which no more is known is named as it came. */
export function reasonOf({ reason_code, reason_detail }: Pick<EngineDto, 'reason_code' | 'reason_detail'>): string {
  const detail = inert(reason_detail);
  const text = reason_code && REASONS[reason_code];
  return text ? t(text, { reason: detail }) : detail;
}

/** The folders that an engine saves in, as its machine has them. */
export function rootsText(roots: EngineDto['roots']): string {
  if (roots.length === 0) return t('engines.anywhere');
  const named = roots.map(({ name, path, shared }) =>
    t(shared ? 'engines.sharedRoot' : 'engines.root', { name: inert(name), path: inert(path) }),
  );
  return t('engines.roots', { roots: named.join(', ') });
}
