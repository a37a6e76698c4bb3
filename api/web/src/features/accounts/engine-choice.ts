// Which engine saves the torrents of an account, as administrators choose and read it. An account that names none is on the
// first one, whichever that is; one may be placed by the fleet, or name an engine that is not there any more. Pure.
import type { EngineDto } from '../../../../../shared-protocol/dto/engines.js';
import { PLACED_BY_FLEET } from '../../../../../shared-protocol/engine-choice.js';
import { inert } from '../../format/quantities.js';
import { t } from '../../strings/index.js';

type Named = Pick<EngineDto, 'name'>;

export interface EngineOption {
  readonly value: string;
  readonly label: string;
}

/** Options of which one is what the account has now: nothing else is saved where nothing else is chosen. */
export function engineOptions(engines: readonly Named[], current: string): readonly EngineOption[] {
  const named = engines.map(({ name }, place): EngineOption => {
    if (place > 0) return { value: name, label: inert(name) };
    return { value: current === name ? name : '', label: t('accounts.engineDefault', { name: inert(name) }) };
  });
  const options = [...named, { value: PLACED_BY_FLEET, label: t('accounts.enginePlaced') }];
  if (options.some(({ value }) => value === current)) return options;
  return [...options, { value: current, label: engineText(engines, current) }];
}

export function engineText(engines: readonly Named[], name: string): string {
  if (name === PLACED_BY_FLEET) return t('accounts.enginePlaced');
  const wanted = engineFor(engines, name);
  const isKnown = engines.some((engine) => engine.name === wanted);
  return isKnown ? inert(wanted) : t('accounts.engineGone', { name: inert(wanted) });
}

/** The name of the engine that an account is on, given what it names. */
export function engineFor(engines: readonly Named[], name: string): string {
  return name || (engines[0]?.name ?? '');
}
