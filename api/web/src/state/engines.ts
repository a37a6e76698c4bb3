// The engines of a front that has several. Only administrators are told of them; to others, and where one engine is all,
// there are none.
import { createEffect, createMemo, on, type Accessor } from 'solid-js';
import type { EngineDto } from '../../../../shared-protocol/dto/engines.js';
import { createFetched, reloadEvery, type Fetched } from './fetched.js';
import type { Live } from './live.js';
import { me } from './session.js';

const LOOK_EVERY_MS = 5_000;

export function fetchEngines(): Fetched<readonly EngineDto[]> {
  return createFetched<readonly EngineDto[]>('/api/engines', (engines) => (engines.length > 1 ? engines : []));
}

export interface Engines {
  readonly all: Accessor<readonly EngineDto[]>;
  reload(): Promise<void>;
}

/** Reads them again and again while what shows them is there, and at once when the push channel tells that one has gone or is back. */
export function createEngines({ stats }: Pick<Live, 'stats'>): Engines {
  const engines = fetchEngines();
  if (me().role === 'admin') {
    const awaySince = createMemo(() => stats().engine_away_since);
    createEffect(on(awaySince, () => void engines.reload()));
    reloadEvery(engines, LOOK_EVERY_MS);
  }
  return { all: () => engines.known() ?? [], reload: engines.reload };
}
