// interface.md, "Stats and inspector".
import { RequestError } from '../errors.js';
import { accountRoute, noInput, type Route } from './route.js';

export const statsRoutes: readonly Route[] = [
  accountRoute({
    method: 'get',
    path: '/api/stats',
    gate: 'account',
    input: noInput,
    handle: (_input, { services, principal }) => ({ json: services.snapshots.stats(principal.account) }),
  }),
  accountRoute({
    method: 'get',
    path: '/api/ws',
    gate: 'account',
    input: noInput,
    // Upgrades do not come this way (ws/upgrade.ts).
    handle: () => {
      throw new RequestError('UPGRADE_REQUIRED');
    },
  }),
];
