// When a torrent has seeded enough. Tools that set `seedIdleLimit` mean minutes of seeding.
import { minutesLimitSchema, ratioLimitSchema } from '../../../../shared-protocol/dto/torrents.js';
import type { SeedingRuleDto } from '../../../../shared-protocol/dto/seeding.js';
import { RequestError } from '../../../errors.js';
import { seedingAccessOf } from '../../../routes/seeding.js';
import type { Arguments } from '../arguments.js';
import type { Call } from '../row.js';
import { LIMIT_MODE } from './limits-columns.js';
import type { Judge } from './judge.js';

const MODES: ReadonlySet<number> = new Set(Object.values(LIMIT_MODE));

/** The names of a limit: in the rules of the service, and in the arguments. */
interface Names {
  readonly rule: 'ratio_limit' | 'time_min_limit';
  readonly limit: string;
  readonly mode: string;
}
const RATIO: Names = { rule: 'ratio_limit', limit: 'seed_ratio_limit', mode: 'seed_ratio_mode' };
const TIME: Names = { rule: 'time_min_limit', limit: 'seed_idle_limit', mode: 'seed_idle_mode' };

export function setSeeding({ args }: Call): Judge | null {
  const changes = [RATIO, TIME].flatMap((names) => changeOf(args, names) ?? []);
  if (changes.length === 0) return null;
  return ({ services, torrent }) => {
    const { own, in_force } = services.seedPolicies.inForce(torrent);
    const rule = changes.reduce((before, change) => change(before, in_force), own ?? {});
    return (context) =>
      services.seedPolicies.setRule(
        context.share,
        Object.keys(rule).length > 0 ? rule : null,
        seedingAccessOf(context),
      );
  };
}

type ChangeOfRule = (rule: SeedingRuleDto, inForce: SeedingRuleDto) => SeedingRuleDto;

/** A limit without a mode changes one that is the torrent's own, as it does in Transmission. @throws RequestError `BODY_INVALID` */
function changeOf(args: Arguments, { rule: name, limit: limitName, mode: modeName }: Names): ChangeOfRule | null {
  const [limit, mode] = [args.number(limitName), args.integer(modeName)];
  if (limit === undefined && mode === undefined) return null;
  if (mode !== undefined && !MODES.has(mode)) throw new RequestError('BODY_INVALID', `${modeName}: expected 0, 1 or 2`);
  const schema = name === 'ratio_limit' ? ratioLimitSchema : minutesLimitSchema;
  if (limit !== undefined && !schema.safeParse(limit).success) {
    throw new RequestError('BODY_INVALID', `${limitName}: must not be negative, nor a fraction of a minute`);
  }
  return (rule, inForce) => {
    const { [name]: before, ...rest } = rule;
    const isOwn = mode === undefined ? typeof before === 'number' : mode === LIMIT_MODE.own;
    if (isOwn) return { ...rest, [name]: limit ?? before ?? inForce[name] ?? 0 };
    if (mode === undefined) return rule;
    return mode === LIMIT_MODE.none ? { ...rest, [name]: null } : rest;
  };
}
