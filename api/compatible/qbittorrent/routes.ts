// All routes of qBittorrent's WebAPI that are answered, by their path below `/api/v2/`.
import type { Row } from './row.js';
import { sessionRoutes } from './session.js';

export const ROUTE_TABLE = {
  ...sessionRoutes,
} satisfies Readonly<Record<string, Row>>;

export type KnownRoute = keyof typeof ROUTE_TABLE;

export function rowOf(path: string): Row | undefined {
  return Object.hasOwn(ROUTE_TABLE, path) ? ROUTE_TABLE[path as KnownRoute] : undefined;
}
