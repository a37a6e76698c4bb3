// docs/api.md, "Engines": those of a front that has several.
import { engineListSchema, type EngineDto } from '../../shared-protocol/dto/engines.js';
import { noInput } from './input.js';
import { accountRoute, type RouteTable } from './route.js';
import type { Services } from './services.js';

export const engineRoutes = {
  'GET /api/engines': accountRoute({
    gate: 'admin',
    summary: 'The engines of a front that has several, and how it goes with them; none where one engine is all',
    input: noInput,
    output: engineListSchema,
    handle: (_input, { services }) => enginesIn(services),
  }),
} satisfies RouteTable;

function enginesIn({ engines, accounts }: Services): EngineDto[] {
  return engines.states.map(({ awaySinceMs, peerPort, roots, ...state }) => ({
    ...state,
    away_since: awaySinceMs === null ? null : Math.floor(awaySinceMs / 1_000),
    peer_port: peerPort,
    accounts: accounts.all.filter(({ engine }) => engines.nameFor(engine) === state.name).length,
    roots: roots.map(({ name, path }) => ({ name, path })),
  }));
}
