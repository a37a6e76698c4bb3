// The engine of what lies at a path already, for an account that is placed by the fleet: there is nothing to choose but who has it.
import { PLACED_BY_FLEET } from '../../../shared-protocol/engine-choice.js';
import type { Engines } from '../engines.js';

/** The choice as a command names it; nothing for accounts that are on an engine, and where one engine is all. */
export function onPath(engines: Pick<Engines, 'nameFor'>, wanted: string, path: string): { readonly on?: string } {
  const on = wanted === PLACED_BY_FLEET ? engines.nameFor(wanted, path) : '';
  return on === '' ? {} : { on };
}
