// Introduces the services to each other. No order of events here, only who knows whom.
import { randomBytes } from 'node:crypto';
import { LoginLimit } from './auth/login-limit.js';
import { Sessions } from './auth/sessions.js';
import { SignInLinks } from './auth/sign-in-links.js';
import { monotonicMs, systemClock, unixSeconds } from './clocks.js';
import type { Collections } from './collections.js';
import { Documentation } from './documentation/documentation.js';
import { Egress } from './egress/egress.js';
import type { Log } from './logging.js';
import type { Options } from './options.js';
import type { Services } from './services.js';
import type { Accounts } from './services/accounts/accounts.js';
import { Adding } from './services/library/adding.js';
import { Blocklist } from './services/settings/blocklist.js';
import { countriesOnDemand } from './services/library/countries.js';
import { EngineHealth } from './services/engine-health.js';
import { EngineSettings } from './services/settings/engine-settings.js';
import type { EngineSupervisor } from './services/engine-supervisor.js';
import { Feeds } from './services/rss/feeds.js';
import { Filters } from './services/rss/filters.js';
import { Inspector } from './services/library/inspector.js';
import { Labelling } from './services/library/labelling.js';
import { Labels } from './services/library/labels.js';
import { Library } from './services/library/library.js';
import { SavePaths } from './services/settings/save-paths.js';
import { ScheduleRules } from './services/settings/schedule-rules.js';
import { SeedPolicies } from './services/settings/seed-policies.js';
import type { Settings } from './services/settings/settings.js';
import { Sharing } from './services/accounts/sharing.js';
import { SpeedLimits } from './services/settings/speed-limits.js';
import { Updates, type InstallSource, type Updater } from './services/settings/updates.js';
import { UserAdmin } from './services/accounts/user-admin.js';
import { WatchFolder } from './services/settings/watch-folder.js';
import { WebAccess, type ListenerMover } from './services/settings/web-access.js';
import { Snapshots } from './snapshot/snapshots.js';
import { VERSION } from './version.js';

export interface Parts {
  readonly options: Options;
  readonly settings: Settings;
  readonly accounts: Accounts;
  readonly collections: Collections;
  readonly engine: EngineSupervisor;
  readonly listener: ListenerMover;
  readonly updater: Updater | null;
  readonly installSource: InstallSource;
  readonly log: Log;
}

export function composeServices({
  options,
  settings,
  accounts,
  collections,
  engine,
  listener,
  updater,
  installSource,
  log,
}: Parts): Services {
  const egress = new Egress({ allowedRanges: options.fetchAllow, userAgent: `swarmd/${VERSION}` });
  const library = new Library({ engine, isAccount: (id) => accounts.find(id) !== undefined });
  const labels = new Labels({ collection: collections.labels });
  const savePaths = new SavePaths({ settings, labels }, { allowedPaths: options.allowedPaths });
  const scheduleRules: ScheduleRules = new ScheduleRules({
    collection: collections.schedule,
    onChanged: () => speedLimits.apply(),
  });
  const speedLimits = new SpeedLimits({ engine, settings, rules: scheduleRules, clock: systemClock });
  const userAdmin = new UserAdmin({ accounts, isSingle: options.flavor === 'desktop' });
  return {
    accounts,
    userAdmin,
    sharing: new Sharing({ accounts, library }),
    sessions: new Sessions({ now: Date.now, randomBytes }),
    signInLinks: new SignInLinks({ now: monotonicMs, randomBytes }),
    loginLimit: new LoginLimit(monotonicMs),
    library,
    adding: new Adding({ engine, library, savePaths, egress }),
    labels,
    labelling: new Labelling({ labels, library }),
    snapshots: new Snapshots(library, labels),
    inspector: new Inspector({ engine, library, openCountries: countriesOnDemand(log), log }),
    savePaths,
    speedLimits,
    engineSettings: new EngineSettings({ engine, settings }),
    seedPolicies: new SeedPolicies({ settings, library }),
    scheduleRules,
    watchFolder: new WatchFolder({ settings, savePaths }),
    blocklist: new Blocklist({ settings, egress, log, now: unixSeconds }),
    feeds: new Feeds({ collection: collections.feeds, egress }),
    filters: new Filters({ collection: collections.feeds, labels, savePaths }),
    webAccess: new WebAccess({ settings, accounts, userAdmin, listener, log }),
    updates: new Updates({ settings, updater, installSource }),
    documentation: new Documentation(),
    engineHealth: new EngineHealth(engine, monotonicMs),
    about: { flavor: options.flavor, version: VERSION },
  };
}
