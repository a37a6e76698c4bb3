// The one table of routes: the application, the contract test and whatever describes the API read it.
import { accountRoutes } from './accounts.js';
import { inspectorRoutes } from './inspector.js';
import { rateLimitRoutes } from './rate-limits.js';
import type { Route } from './route.js';
import { sessionRoutes } from './session.js';
import { statsRoutes } from './stats.js';
import { torrentRoutes } from './torrents.js';

export type { Route } from './route.js';

export const ROUTES: readonly Route[] = [
  ...sessionRoutes,
  ...torrentRoutes,
  ...rateLimitRoutes,
  ...statsRoutes,
  ...inspectorRoutes,
  ...accountRoutes,
];
