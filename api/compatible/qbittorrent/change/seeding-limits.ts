// When a torrent has seeded enough, as qBittorrent's tools write it: of each limit -2 is what the levels above say, -1 none.
import type { SeedingAction } from '../../../../shared-protocol/library-record.js';
import { RequestError } from '../../../errors.js';
import type { Fields } from '../../fields.js';

const INHERITED = -2;
const NONE = -1;

const LIMITS = [
  { field: 'ratioLimit', part: 'ratio_limit', isWhole: false },
  { field: 'seedingTimeLimit', part: 'time_min_limit', isWhole: true },
  { field: 'inactiveSeedingTimeLimit', part: 'inactive_min_limit', isWhole: true },
] as const;

/** Words of WebAPI 2.12. */
const ACTIONS: ReadonlyMap<string, SeedingAction | 'inherited'> = new Map([
  ['default', 'inherited'],
  ['stop', 'pause'],
  ['remove', 'remove'],
  ['removewithcontent', 'remove_with_data'],
  ['enablesuperseeding', 'super_seed'],
] as const);

/** Limits that the fields name; minutes. */
export type SeedingLimits = {
  readonly [Part in (typeof LIMITS)[number]['part']]?: number | null | 'inherited';
} & { readonly action?: SeedingAction | 'inherited' };

/** @throws RequestError `BODY_INVALID` */
export function seedingLimitsIn(fields: Fields): SeedingLimits {
  const limits: Record<string, number | string | null> = {};
  for (const { field, part, isWhole } of LIMITS) {
    const value = isWhole ? fields.integer(field) : fields.number(field);
    if (value !== undefined) limits[part] = limitOf(value, field);
  }
  const named = fields.text('shareLimitAction');
  if (named) limits['action'] = actionOf(named);
  return limits;
}

function limitOf(value: number, field: string): number | null | 'inherited' {
  if (value === INHERITED) return 'inherited';
  if (value === NONE) return null;
  if (value < 0) throw new RequestError('BODY_INVALID', `${field}: expected -2, -1, or what is not negative`);
  return value;
}

function actionOf(named: string): SeedingAction | 'inherited' {
  const action = ACTIONS.get(named.toLowerCase());
  if (action) return action;
  throw new RequestError(
    'BODY_INVALID',
    'shareLimitAction: expected Default, Stop, Remove, RemoveWithContent or EnableSuperSeeding',
  );
}
