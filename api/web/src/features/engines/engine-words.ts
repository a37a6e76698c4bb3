// How it goes with an engine, in words: what the server knows of a stream to it, as people read it. Pure.
import type { EngineDto } from '../../../../../shared-protocol/dto/engines.js';
import { inert } from '../../format/quantities.js';
import { t, type TextKey } from '../../strings/index.js';

export type EngineStanding = 'connected' | 'loading' | 'away';

type ReasonText = Extract<TextKey, `engines.reasons.${string}`>;

const LOADING = 'it loads its torrents';
/** Named groups are filled in. */
const REASONS: readonly (readonly [RegExp, ReasonText])[] = [
  [/^connect (?:ENOENT|ECONNREFUSED)\b/, 'engines.reasons.nobodyThere'],
  [/^closed \(\d+\)$/, 'engines.reasons.closed'],
  [/^silent$/, 'engines.reasons.silent'],
  [/^not reached yet$/, 'engines.reasons.notReached'],
  [/^refused \((?<code>\d+)\): (?<reason>.+)$/s, 'engines.reasons.refused'],
];

export function standingOf({ away_since, reason }: Pick<EngineDto, 'away_since' | 'reason'>): EngineStanding {
  if (away_since === null) return 'connected';
  return plain(reason) === LOADING ? 'loading' : 'away';
}

/** Why an engine is away; one of which no more is known is named as it came. */
export function reasonOf({ reason }: Pick<EngineDto, 'reason'>): string {
  const said = inert(plain(reason));
  for (const [pattern, text] of REASONS) {
    const found = pattern.exec(said);
    if (found) return t(text, found.groups);
  }
  return said;
}

/** The folders that an engine saves in, as its machine has them. */
export function rootsText(roots: EngineDto['roots']): string {
  if (roots.length === 0) return t('engines.anywhere');
  const named = roots.map(({ name, path, shared }) =>
    t(shared ? 'engines.sharedRoot' : 'engines.root', { name: inert(name), path: inert(path) }),
  );
  return t('engines.roots', { roots: named.join(', ') });
}

/** Without the engine before it, whose name is beside it. */
function plain(reason: string): string {
  return reason.replace(/^engine(?: .+?)?: /, '');
}
