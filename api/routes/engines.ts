// docs/api.md, "Engines": those of a front that has several.
import { engineEditSchema, engineListSchema, type EngineDto } from '../../shared-protocol/dto/engines.js';
import { jsonInput, noInput } from './input.js';
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
  'PUT /api/engines/{name}': accountRoute({
    gate: 'admin',
    summary: 'Has an engine left, or not: its torrents on shared roots go to others, and nothing new is saved by it',
    input: jsonInput(engineEditSchema),
    output: engineListSchema,
    errors: { 404: 'no such engine' },
    async handle({ draining }, { services, params }) {
      await services.nodes.setDraining(params['name'] ?? '', draining);
      return enginesIn(services);
    },
  }),
} satisfies RouteTable;

function enginesIn({ engines, accounts }: Services): EngineDto[] {
  return engines.states.map(({ awaySinceMs, whyAway, peerPort, roots, isDraining, ...state }) => ({
    ...state,
    draining: isDraining,
    away_since: awaySinceMs === null ? null : Math.floor(awaySinceMs / 1_000),
    reason: whyAway?.words ?? '',
    reason_code: whyAway?.code ?? null,
    reason_detail: whyAway?.detail ?? '',
    peer_port: peerPort,
    accounts: accounts.all.filter(({ engine }) => engines.nameFor(engine) === state.name).length,
    roots: roots.map(({ name, path, isShared = false }) => ({ name, path, shared: isShared })),
  }));
}
