// The samples of all sections: a route without one does not compile.
import type { KnownRoute } from '../../../../api/routes/index.js';
import type { Sample } from '../sample.js';
import { accountSamples } from './accounts.js';
import { automationSamples } from './automations.js';
import { backupSamples } from './backups.js';
import { banSamples } from './bans.js';
import { batchSamples } from './batch.js';
import { creationSamples } from './creations.js';
import { exportSamples } from './exports.js';
import { importSamples } from './imports.js';
import { documentationSamples } from './documentation.js';
import { feedSamples } from './feeds.js';
import { fileSamples } from './files.js';
import { inspectionSamples } from './inspections.js';
import { inspectorSamples } from './inspector.js';
import { labelSamples } from './labels.js';
import { linkSamples } from './links.js';
import { logSamples } from './log.js';
import { networkSamples } from './network.js';
import { noticeSamples } from './notices.js';
import { pathSamples } from './paths.js';
import { preferenceSamples } from './preferences.js';
import { remoteSamples } from './remotes.js';
import { removalSamples } from './removals.js';
import { scheduleSamples } from './schedule.js';
import { seedingSamples } from './seeding.js';
import { serverMoveSamples } from './server-moves.js';
import { sessionSamples } from './session.js';
import { settingSamples } from './settings.js';
import { shareSamples } from './shares.js';
import { statsSamples } from './stats.js';
import { statusSamples } from './status.js';
import { storageSamples } from './storage.js';
import { torrentSettingSamples } from './torrent-settings.js';
import { torrentMoveSamples } from './torrent-moves.js';
import { torrentNameSamples } from './torrent-names.js';
import { torrentSamples } from './torrents.js';
import { trackerSamples } from './trackers.js';
import { engineSamples } from './engines.js';
import { updaterSamples } from './updater.js';
import { webSamples } from './web.js';
import { webhookSamples } from './webhooks.js';
import { mediaInfoSamples } from './media-info.js';
import { zipSamples } from './zips.js';

export const SAMPLES: Readonly<Record<KnownRoute, Sample>> = {
  ...sessionSamples,
  ...torrentSamples,
  ...inspectionSamples,
  ...batchSamples,
  ...removalSamples,
  ...trackerSamples,
  ...statsSamples,
  ...logSamples,
  ...statusSamples,
  ...storageSamples,
  ...engineSamples,
  ...pathSamples,
  ...inspectorSamples,
  ...torrentSettingSamples,
  ...seedingSamples,
  ...fileSamples,
  ...zipSamples,
  ...mediaInfoSamples,
  ...linkSamples,
  ...torrentMoveSamples,
  ...creationSamples,
  ...importSamples,
  ...exportSamples,
  ...backupSamples,
  ...torrentNameSamples,
  ...shareSamples,
  ...labelSamples,
  ...settingSamples,
  ...banSamples,
  ...networkSamples,
  ...webSamples,
  ...updaterSamples,
  ...scheduleSamples,
  ...feedSamples,
  ...accountSamples,
  ...preferenceSamples,
  ...noticeSamples,
  ...automationSamples,
  ...webhookSamples,
  ...remoteSamples,
  ...serverMoveSamples,
  ...documentationSamples,
};
