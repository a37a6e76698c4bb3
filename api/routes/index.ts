// The one table of routes: the application, the OpenAPI document and the contract tests are made from it.
import { accountRoutes } from './accounts.js';
import { backupRoutes } from './backups.js';
import { banRoutes } from './bans.js';
import { batchRoutes } from './batch.js';
import { creationRoutes } from './creations.js';
import { exportRoutes } from './exports.js';
import { importRoutes } from './imports.js';
import { documentationRoutes } from './documentation.js';
import { feedRoutes } from './feeds.js';
import { fileRoutes } from './files.js';
import { FORWARDED, forwarding } from './forwarding.js';
import { inspectionRoutes } from './inspections.js';
import { inspectorRoutes } from './inspector.js';
import { engineRoutes } from './engines.js';
import { labelRoutes } from './labels.js';
import { linkRoutes } from './links.js';
import type { Method, RouteName, Row } from './route.js';
import { logRoutes } from './log.js';
import { mediaInfoRoutes } from './media-info.js';
import { networkRoutes } from './network.js';
import { noticeRoutes } from './notices.js';
import { pathRoutes } from './paths.js';
import { preferenceRoutes } from './preferences.js';
import { remoteRoutes } from './remotes.js';
import { removalRoutes } from './removals.js';
import { scheduleRoutes } from './schedule.js';
import { seedingRoutes } from './seeding.js';
import { serverMoveRoutes } from './server-moves.js';
import { sessionRoutes } from './session.js';
import { settingRoutes } from './settings.js';
import { shareRoutes } from './shares.js';
import { statsRoutes } from './stats.js';
import { statusRoutes } from './status.js';
import { storageRoutes } from './storage.js';
import { torrentMoveRoutes } from './torrent-moves.js';
import { torrentNameRoutes } from './torrent-names.js';
import { torrentRoutes } from './torrents.js';
import { torrentSettingRoutes } from './torrent-settings.js';
import { trackerRoutes } from './trackers.js';
import { updaterRoutes } from './updater.js';
import { webRoutes } from './web.js';
import { automationRoutes } from './automations.js';
import { webhookRoutes } from './webhooks.js';
import { zipRoutes } from './zips.js';

/** By name, as in docs/api.md. */
export const ROUTE_TABLE = {
  ...sessionRoutes,
  ...torrentRoutes,
  ...torrentSettingRoutes,
  ...seedingRoutes,
  ...inspectionRoutes,
  ...batchRoutes,
  ...removalRoutes,
  ...trackerRoutes,
  ...fileRoutes,
  ...mediaInfoRoutes,
  ...zipRoutes,
  ...linkRoutes,
  ...torrentMoveRoutes,
  ...creationRoutes,
  ...importRoutes,
  ...exportRoutes,
  ...backupRoutes,
  ...torrentNameRoutes,
  ...shareRoutes,
  ...statsRoutes,
  ...logRoutes,
  ...statusRoutes,
  ...storageRoutes,
  ...pathRoutes,
  ...inspectorRoutes,
  ...labelRoutes,
  ...settingRoutes,
  ...banRoutes,
  ...networkRoutes,
  ...webRoutes,
  ...updaterRoutes,
  ...scheduleRoutes,
  ...feedRoutes,
  ...accountRoutes,
  ...preferenceRoutes,
  ...noticeRoutes,
  ...automationRoutes,
  ...webhookRoutes,
  ...remoteRoutes,
  ...engineRoutes,
  ...serverMoveRoutes,
  ...documentationRoutes,
} satisfies Readonly<Record<RouteName, Row>>;

export type KnownRoute = keyof typeof ROUTE_TABLE;

export interface Route extends Row {
  readonly name: KnownRoute;
  readonly method: Method;
  /** With `{…}` for what varies. */
  readonly path: string;
  /** With `server_id` it is asked of a remote. */
  readonly isForwarded: boolean;
}

export const ROUTES: readonly Route[] = (Object.entries(ROUTE_TABLE) as [KnownRoute, Row][]).map(([name, row]) => {
  const space = name.indexOf(' ');
  const isForwarded = FORWARDED.has(name);
  const asked = isForwarded ? forwarding(name, row) : row;
  return { ...asked, name, method: name.slice(0, space) as Method, path: name.slice(space + 1), isForwarded };
});
