// interface.md, "Torrents" and "Settings": how fast one torrent may be, and all of them.
import { kbpsPairSchema, limitsSchema, toKbps, toRateLimits } from '../services/kbps.js';
import { accountRoute, jsonInput, noInput, torrentRoute, type Route } from './route.js';

export const rateLimitRoutes: readonly Route[] = [
  torrentRoute({
    method: 'get',
    path: '/api/torrents/:id/rate_limits',
    gate: 'torrent:viewer',
    input: noInput,
    handle: async (_input, { services, torrent }) => ({
      json: toKbps(await services.library.rateLimits(torrent.id)),
    }),
  }),
  torrentRoute({
    method: 'put',
    path: '/api/torrents/:id/rate_limits',
    gate: 'torrent:editor',
    input: jsonInput(kbpsPairSchema),
    handle: (limits, { services, torrent }) => services.library.setRateLimits(torrent.id, toRateLimits(limits)),
  }),
  accountRoute({
    method: 'get',
    path: '/api/settings/limits',
    gate: 'account',
    input: noInput,
    handle: (_input, { services }) => ({ json: services.speedLimits.stored }),
  }),
  accountRoute({
    method: 'put',
    path: '/api/settings/limits',
    gate: 'perm_change_settings',
    input: jsonInput(limitsSchema),
    handle: (limits, { services }) => services.speedLimits.set(limits),
  }),
  accountRoute({
    method: 'post',
    path: '/api/settings/alt_speed/toggle',
    gate: 'perm_change_settings',
    input: noInput,
    handle: async (_input, { services }) => ({ json: { alt_active: await services.speedLimits.toggleAlt() } }),
  }),
];
