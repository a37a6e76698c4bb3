// What is set for the whole service, and how the engine hears of it: speeds and their schedule, queue and peers, the way
// out, addresses to keep away from, the watch folder. Owns: settings that were changed, here or at another front, are followed.
import type { JointClient } from '../../../shared-protocol/commands.js';
import type { AccountId } from '../../../shared-protocol/ids.js';
import type { Outlet } from '../../../shared-protocol/network/outlet.js';
import { systemClock, unixSecondsOf, type Clock } from '../../clocks.js';
import type { Egress } from '../../egress/egress.js';
import type { Log } from '../../logging.js';
import type { Accounts } from '../../services/accounts/accounts.js';
import { Bans } from '../../services/blocklist/bans.js';
import { Blocklist } from '../../services/blocklist/blocklist.js';
import type { CachedList } from '../../services/blocklist/cached-list.js';
import { readListInThread } from '../../services/blocklist/list-thread.js';
import { EngineSettings } from '../../services/settings/engine-settings.js';
import { NetworkSettings } from '../../services/settings/network-settings.js';
import type { SavePaths } from '../../services/settings/save-paths.js';
import { ScheduleRules } from '../../services/settings/schedule-rules.js';
import type { Settings } from '../../services/settings/settings.js';
import { SpeedLimits } from '../../services/settings/speed-limits.js';
import { WatchFolder } from '../../services/watch-folder/watch-folder.js';
import type { Collections } from '../collections.js';

export interface SettingsParts {
  readonly settings: Settings;
  readonly collections: Pick<Collections, 'schedule' | 'bans'>;
  readonly accounts: Accounts;
  readonly engine: { readonly client: JointClient };
  readonly outlet: Outlet;
  readonly egress: Egress;
  readonly blocklistCache: CachedList;
  /** Paths of this machine, wherever the engine is. */
  readonly localPaths: SavePaths;
  readonly clock: Clock;
  readonly log: Log;
}

export function composeSettings({ settings, collections, accounts, engine, ...parts }: SettingsParts) {
  const { outlet, egress, blocklistCache, localPaths, clock, log } = parts;
  const now = () => unixSecondsOf(clock);
  const scheduleRules: ScheduleRules = new ScheduleRules({
    collection: collections.schedule,
    onChanged: () => speedLimits.apply(),
  });
  const speedLimits = new SpeedLimits({ engine, settings, rules: scheduleRules, clock: systemClock });
  const networkSettings = new NetworkSettings({ engine, settings, outlet });
  const bans: Bans = new Bans({
    collection: collections.bans,
    nameOf: (id) => accounts.find(id as AccountId)?.username ?? null,
    onChanged: () => blocklist.apply(),
    now,
  });
  const blocklist = new Blocklist({
    ...{ settings, egress, engine, bans, log, now },
    cache: blocklistCache,
    readList: readListInThread,
  });
  const watchFolder = new WatchFolder({ settings, savePaths: localPaths, accounts });
  const limitsChanged = () => {
    speedLimits.apply().catch((error: unknown) => log.warn('settings not applied', { reason: String(error) }));
  };
  settings.onChanged(() => {
    networkSettings.follow();
    watchFolder.follow();
    limitsChanged();
  });
  collections.schedule.onChanged(limitsChanged);
  return {
    scheduleRules,
    speedLimits,
    engineSettings: new EngineSettings({ engine, settings }),
    networkSettings,
    bans,
    blocklist,
    watchFolder,
  };
}
