// The sections of docs/api.md, which are the tags of the OpenAPI document.
import { accountRoutes } from '../routes/accounts.js';
import { backupRoutes } from '../routes/backups.js';
import { banRoutes } from '../routes/bans.js';
import { batchRoutes } from '../routes/batch.js';
import { creationRoutes } from '../routes/creations.js';
import { documentationRoutes } from '../routes/documentation.js';
import { feedRoutes } from '../routes/feeds.js';
import { fileRoutes } from '../routes/files.js';
import { exportRoutes } from '../routes/exports.js';
import { importRoutes } from '../routes/imports.js';
import type { KnownRoute } from '../routes/index.js';
import { inspectionRoutes } from '../routes/inspections.js';
import { inspectorRoutes } from '../routes/inspector.js';
import { labelRoutes } from '../routes/labels.js';
import { linkRoutes } from '../routes/links.js';
import { logRoutes } from '../routes/log.js';
import { mediaInfoRoutes } from '../routes/media-info.js';
import { networkRoutes } from '../routes/network.js';
import { noticeRoutes } from '../routes/notices.js';
import { pathRoutes } from '../routes/paths.js';
import { preferenceRoutes } from '../routes/preferences.js';
import { engineRoutes } from '../routes/engines.js';
import { remoteRoutes } from '../routes/remotes.js';
import { removalRoutes } from '../routes/removals.js';
import { scheduleRoutes } from '../routes/schedule.js';
import { seedingRoutes } from '../routes/seeding.js';
import { serverMoveRoutes } from '../routes/server-moves.js';
import { sessionRoutes } from '../routes/session.js';
import { settingRoutes } from '../routes/settings.js';
import { shareRoutes } from '../routes/shares.js';
import { statsRoutes } from '../routes/stats.js';
import { statusRoutes } from '../routes/status.js';
import { storageRoutes } from '../routes/storage.js';
import { torrentMoveRoutes } from '../routes/torrent-moves.js';
import { torrentNameRoutes } from '../routes/torrent-names.js';
import { torrentSettingRoutes } from '../routes/torrent-settings.js';
import { torrentRoutes } from '../routes/torrents.js';
import { trackerRoutes } from '../routes/trackers.js';
import { updaterRoutes } from '../routes/updater.js';
import { webRoutes } from '../routes/web.js';
import { automationRoutes } from '../routes/automations.js';
import { webhookRoutes } from '../routes/webhooks.js';
import { zipRoutes } from '../routes/zips.js';

const SECTIONS = {
  'Public and session': sessionRoutes,
  Torrents: {
    ...torrentRoutes,
    ...torrentSettingRoutes,
    ...seedingRoutes,
    ...inspectionRoutes,
    ...torrentMoveRoutes,
    ...torrentNameRoutes,
    ...trackerRoutes,
    ...fileRoutes,
    ...mediaInfoRoutes,
    ...zipRoutes,
    ...linkRoutes,
    ...shareRoutes,
    ...batchRoutes,
    ...removalRoutes,
    ...creationRoutes,
    ...importRoutes,
    ...exportRoutes,
  },
  'Stats and inspector': {
    ...statsRoutes,
    ...statusRoutes,
    ...storageRoutes,
    ...pathRoutes,
    ...inspectorRoutes,
    ...logRoutes,
  },
  'Categories and tags': labelRoutes,
  Settings: { ...settingRoutes, ...banRoutes, ...networkRoutes, ...webRoutes, ...updaterRoutes, ...backupRoutes },
  'Schedule rules': scheduleRoutes,
  RSS: feedRoutes,
  Accounts: { ...accountRoutes, ...preferenceRoutes },
  Notices: noticeRoutes,
  Automations: automationRoutes,
  Webhooks: webhookRoutes,
  Engines: engineRoutes,
  Remotes: { ...remoteRoutes, ...serverMoveRoutes },
  Documentation: documentationRoutes,
};

export type Section = keyof typeof SECTIONS;
export const SECTION_NAMES = Object.keys(SECTIONS) as readonly Section[];

/** @throws Error for a route of the table that is in no section: a bug */
export function sectionOf(name: KnownRoute): Section {
  const section = SECTION_NAMES.find((candidate) => Object.hasOwn(SECTIONS[candidate], name));
  if (!section) throw new Error(`bug: ${name} is in no section`);
  return section;
}
