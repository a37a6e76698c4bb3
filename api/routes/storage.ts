// docs/api.md, "Stats and inspector": how full the volumes are, and who takes the room.
import { storageSchema } from '../../shared-protocol/dto/storage.js';
import { noInput } from './input.js';
import { accountRoute, type RouteTable } from './route.js';

export const storageRoutes = {
  'GET /api/storage': accountRoute({
    gate: 'account',
    summary:
      'Free and used space by volume, and what torrents take, by account and by category. Others than administrators see ' +
      'the volumes of their own torrents and home, without paths, and themselves',
    input: noInput,
    output: storageSchema,
    handle: (_input, { services, principal }) => services.diskUsage.of(principal.account),
  }),
} satisfies RouteTable;
