// All routes of qBittorrent's WebAPI that are answered, by their path below `/api/v2/`.
import { appRoutes } from './app/routes.js';
import { changeRoutes } from './change/index.js';
import { creatorRoutes } from './creator/routes.js';
import { logRoutes } from './log.js';
import { objectRoutes } from './objects/routes.js';
import { readRoutes } from './reads/routes.js';
import type { Row } from './row.js';
import { feedRoutes } from './rss/feeds.js';
import { ruleRoutes } from './rss/rules.js';
import { searchRoutes } from './search.js';
import { syncRoutes } from './sync/routes.js';
import { sessionRoutes } from './session.js';
import { transferRoutes } from './transfer.js';

export const ROUTE_TABLE = {
  ...sessionRoutes,
  ...objectRoutes,
  ...syncRoutes,
  ...appRoutes,
  ...transferRoutes,
  ...logRoutes,
  ...searchRoutes,
  ...changeRoutes,
  ...readRoutes,
  ...creatorRoutes,
  ...feedRoutes,
  ...ruleRoutes,
} satisfies Readonly<Record<string, Row>>;

export type KnownRoute = keyof typeof ROUTE_TABLE;

export function rowOf(path: string): Row | undefined {
  return Object.hasOwn(ROUTE_TABLE, path) ? ROUTE_TABLE[path as KnownRoute] : undefined;
}
