// docs/api.md, "Additions": save paths are completed while they are typed.
import { pathsQuerySchema, pathsSchema } from '../../shared-protocol/dto/paths.js';
import { queryInput } from './input.js';
import { accountRoute, type RouteTable } from './route.js';

export const pathRoutes = {
  'GET /api/paths': accountRoute({
    gate: 'account',
    summary:
      'Folders with which a save path may go on, and the room there is: to administrators where they may save, to others ' +
      'what is in their home; to those without one the save paths that they know',
    input: queryInput(pathsQuerySchema),
    output: pathsSchema,
    handle: ({ prefix = '' }, { services, principal }) => services.pathCompletion.of(principal.account, prefix),
  }),
} satisfies RouteTable;
