// Introduces the services to each other, those of one kind in a file of compose/. No order of events here, only which service
// knows which.
import { randomBytes } from 'node:crypto';
import { ADMIN_ACCOUNT_ID, type AccountId } from '../../shared-protocol/ids.js';
import { AddressPolicy } from '../../shared-protocol/address-policy.js';
import type { JointClient } from '../../shared-protocol/commands.js';
import { Outlet } from '../../shared-protocol/network/outlet.js';
import { OwnAddresses } from '../../shared-protocol/own-addresses.js';
import { localFolders } from '../../storage/local-folders.js';
import { besideSharedFolders } from '../../storage/shared-roots/beside-shared-folders.js';
import type { Account } from '../auth/account.js';
import type { LocalKey } from '../auth/local-key.js';
import type { ProxiedUsers } from '../auth/proxied-users.js';
import { monotonicMs, systemClock, unixSeconds, unixSecondsOf, type Clock } from '../clocks.js';
import type { Collections } from './collections.js';
import { DeflateThread } from '../torrent-list/deflate/deflate-thread.js';
import { DeflatedLists } from '../torrent-list/deflated-lists.js';
import { Documentation } from '../documentation/documentation.js';
import { Egress } from '../egress/egress.js';
import type { Engines } from '../engines/engines.js';
import { oneEngine } from '../engines/one-engine.js';
import type { Log } from '../logging.js';
import type { LogRecords } from '../log-records.js';
import { Metrics } from '../metrics/metrics.js';
import type { Options } from '../cli/options.js';
import type { Services } from '../routes/services.js';
import type { Accounts } from '../services/accounts/accounts.js';
import { FileAdopters } from '../services/accounts/file-adopters.js';
import { AddingDefaults } from '../services/library/adding-defaults.js';
import { Adding } from '../services/library/adding.js';
import { CategoryMoves } from '../services/library/category-moves.js';
import { newsOfBackupFailing } from '../services/notices/news.js';
import { Backups } from '../services/backup/backups.js';
import { Exports } from '../services/export/exports.js';
import type { ImportArchives } from '../services/import/archive/import-archives.js';
import { Imports } from '../services/import/imports.js';
import { Creations } from '../services/library/creations.js';
import { Inspecting } from '../services/library/inspecting.js';
import { LargeTorrentFiles } from '../services/library/large-torrent-files.js';
import { DiskUsage } from '../services/library/disk-usage.js';
import { PathCompletion } from '../services/library/path-completion.js';
import { EngineVolumes } from '../services/library/volume-looks.js';
import { MediaInfo } from '../services/library/media-info/media-info.js';
import { Moving } from '../services/library/moving.js';
import type { CachedList } from '../services/blocklist/cached-list.js';
import { countriesOnDemand } from '../services/library/countries.js';
import { EngineHealth } from '../services/engine-health.js';
import { CompatibleInterfaces } from '../services/settings/compatible-interfaces.js';
import { Alone } from '../services/fleet/alone.js';
import { Draining } from '../services/fleet/draining.js';
import { Leadership } from '../services/fleet/leadership.js';
import { LostEngines } from '../services/fleet/lost-engines.js';
import { Nodes } from '../services/fleet/nodes.js';
import { fetchesBy } from '../services/settings/network-settings.js';
import { FileChecksums } from '../services/library/file-checksums.js';
import { FileListParts } from '../services/library/file-list-parts.js';
import { LargeListTurns } from '../services/library/large-list-turns.js';
import { FileStreams } from '../services/library/file-streams.js';
import { Inspector } from '../services/library/inspector.js';
import { TorrentLabels } from '../services/library/torrent-labels.js';
import { RecentTorrents } from '../services/library/recent-torrents.js';
import { TorrentNumbers } from '../services/library/torrent-numbers.js';
import { TorrentTrackers } from '../services/library/torrent-trackers.js';
import type { Notices } from '../services/notices/notices.js';
import { EnginePlacement } from '../services/library/engine-placement.js';
import { PromisedBytes } from '../services/library/promised-bytes.js';
import { Labels } from '../services/library/labels.js';
import { Library } from '../services/library/library.js';
import { QuotaUsage } from '../services/library/quota-usage.js';
import { Quotas } from '../services/library/quotas.js';
import { PendingRemovals } from '../services/library/pending-removals.js';
import { Running } from '../services/library/running.js';
import { Links } from '../services/library/links.js';
import { ShownLabels } from '../services/library/shown-labels.js';
import { SavePaths } from '../services/settings/save-paths.js';
import { SeedPolicies } from '../services/library/seed-policies.js';
import { SeedingRules } from '../services/library/seeding-rules.js';
import type { Settings } from '../services/settings/settings.js';
import type { AccountPreferences } from '../services/accounts/account-preferences.js';
import { NetworkInsiders } from '../services/accounts/network-insiders.js';
import { Sharing } from '../services/accounts/sharing.js';
import { type InstallSource, type Updater } from '../services/updater/updates.js';
import { UserAdmin } from '../services/accounts/user-admin.js';
import { ZippedFiles } from '../services/library/zipped-files.js';
import { WebAccess, type ListenerMover } from '../services/settings/web-access.js';
import { Status } from '../services/status/status.js';
import { Snapshots } from '../torrent-list/snapshots.js';
import type { FeedMemory, Leases } from '../../storage/types.js';
import type { TrafficHistory } from '../../storage/traffic-history.js';
import { VERSION } from '../version.js';
import { composeAutomations } from './compose/automations.js';
import { composeFeeds } from './compose/feeds.js';
import { composeHistory } from './compose/history.js';
import { composeHooks } from './compose/hooks.js';
import { composeServers } from './compose/servers.js';
import { composeSettings } from './compose/settings.js';
import { composeSignIn, type SignInDeps } from './compose/sign-in.js';
import { composeUpdates } from './compose/updates.js';

export interface Parts {
  readonly options: Options;
  readonly settings: Settings;
  readonly accounts: Accounts;
  readonly accountPreferences: AccountPreferences;
  readonly notices: Notices;
  readonly logRecords: LogRecords;
  readonly collections: Collections;
  readonly feedMemory: FeedMemory;
  readonly trafficHistory: TrafficHistory;
  /** By which several fronts agree on who does what may be done only once; null: there is this one alone. */
  readonly leases: Leases | null;
  /** Leases of engines: the same ones, or in memory where this front is alone. */
  readonly nodeLeases: Leases;
  /** null: sessions are this process's alone, and in memory. */
  readonly sharedSessions: SignInDeps['sharedSessions'];
  readonly localKey: LocalKey;
  readonly proxiedUsers: ProxiedUsers;
  readonly blocklistCache: CachedList;
  readonly importArchives: ImportArchives;
  readonly engine: { readonly client: JointClient };
  readonly engines: Engines;
  readonly listener: ListenerMover;
  readonly updater: Updater | null;
  readonly installSource: InstallSource;
  /** @default the system's */
  readonly clock?: Clock | undefined;
  readonly log: Log;
}

export function composeServices({
  options,
  settings,
  accounts,
  accountPreferences,
  notices,
  logRecords,
  collections,
  feedMemory,
  trafficHistory,
  leases,
  nodeLeases,
  sharedSessions,
  localKey,
  proxiedUsers,
  blocklistCache,
  importArchives,
  engine,
  engines,
  listener,
  updater,
  installSource,
  clock = systemClock,
  log,
}: Parts): Services {
  const own = new OwnAddresses(monotonicMs);
  const policy = new AddressPolicy(options.fetchAllow, (address) => own.has(address));
  const outlet = new Outlet({ clock: systemClock, nameServers: options.nameServers }, fetchesBy(settings.network));
  const egress = new Egress({ policy, names: outlet.names, outlet, userAgent: `swarmd/${VERSION}` });
  const library = new Library({ engine, isAccount: (id) => accounts.find(id) !== undefined });
  // The desktop program has one account, whoever else there was before.
  const isUsable = ({ id }: Pick<Account, 'id'>) => options.flavor !== 'desktop' || id === ADMIN_ACCOUNT_ID;
  const accountOf = (id: number) => {
    const account = accounts.find(id as AccountId);
    return account && !account.disabled && isUsable(account) ? account : undefined;
  };
  const findAccount = (id: AccountId) => accounts.find(id);
  const programName = `Swarmd/${VERSION}`;
  const now = () => unixSecondsOf(clock);

  const labels = new Labels({ collection: collections.labels });
  const shownLabels = new ShownLabels({ labels, library });
  const torrentLabels = new TorrentLabels({ labels, library });
  const savePaths = new SavePaths({ settings, labels, engines }, options);
  // Of this machine, wherever the engine is; roots that engines share may be mounted here as well.
  const localPaths = new SavePaths(
    { settings, labels, engines: oneEngine(besideSharedFolders(localFolders)) },
    options,
  );
  const set = composeSettings({
    ...{ settings, collections, accounts, engine, outlet, egress, blocklistCache, localPaths, clock, log },
  });
  const moved = composeHistory({
    ...{ collections, trafficHistory, engine, engines, library, accounts, notices, clock, log },
  });
  const { uploads } = moved;
  const userAdmin = new UserAdmin({ accounts, savePaths, engines, isSingle: options.flavor === 'desktop' });

  const quotas = new Quotas({ library, uploads });
  const running = new Running({ library, quotas, findAccount, now: monotonicMs, log });
  const volumes = new EngineVolumes(engines, monotonicMs);
  const promised = new PromisedBytes({ library, engines, nowMs: monotonicMs });
  const placement = new EnginePlacement({ engines, savePaths, volumes, promised, log });
  const largeFiles = new LargeTorrentFiles();
  const largeLists = new LargeListTurns(monotonicMs);
  const addingDefaults = new AddingDefaults({ savePaths, settings });
  const adding = new Adding({
    ...{ engine, library, labels, savePaths, egress, quotas, running, placement, largeFiles },
    defaults: addingDefaults,
  });
  const fileStreams = new FileStreams({ engine });
  const moving = new Moving({ engine, engines, savePaths, findAccount });
  const seedingRules = new SeedingRules({ settings, labels, shownLabels });
  const seedPolicies = new SeedPolicies({ rules: seedingRules, labels, library });
  const torrentTrackers = new TorrentTrackers({ engine, library, quotas, findAccount });
  const categoryMoves = new CategoryMoves({ labels, library, moving, torrentLabels });
  const diskUsage = new DiskUsage({ library, labels, savePaths, engines, volumes, now });
  const openCountries = countriesOnDemand(log);

  const deflate = new DeflateThread();
  const snapshots = new Snapshots(library, labels);
  const engineHealth = new EngineHealth({ engine, engines, now: monotonicMs });
  const feeds = composeFeeds({
    ...{ collections, feedMemory, accounts, notices, adding, egress, labels, library, savePaths, clock, log },
  });
  // One front among the others, in this run.
  const holder = randomBytes(16).toString('hex');
  const leadership = leases
    ? new Leadership({ leases, holder, clock: systemClock, log, catchUp: () => feedMemory.refresh() })
    : new Alone();
  const signIn = composeSignIn({ accounts, localKey, sharedSessions });
  const servers = composeServers(
    { collections, accounts, library, labels, egress, accountOf, clock, log },
    () => services,
  );
  const services: Services = {
    accounts,
    userAdmin,
    fileAdopters: new FileAdopters({ accounts, engine, engines }),
    sharing: new Sharing({ accounts, library }),
    accountPreferences,
    notices,
    networkInsiders: new NetworkInsiders({ accounts, engine }),
    ...signIn,
    proxiedUsers,
    ...set,
    ...moved,
    ...feeds,
    ...servers,
    ...composeHooks({
      ...{ options, collections, library, labels, egress, notices, accountOf, clock, log },
      leads: () => leadership.leads,
    }),
    ...composeAutomations({
      ...{ collections, library, engines, volumes, labels, savePaths, notices, accountOf, clock, log },
      ...{ running, torrentTrackers, categoryMoves, torrentLabels, seedPolicies, moving },
    }),
    library,
    fileStreams,
    mediaInfo: new MediaInfo({ fileStreams, clock: systemClock }),
    fileListParts: new FileListParts({ engine, turns: largeLists }),
    links: new Links({ collection: collections.links, library, randomBytes, now: unixSeconds, accountOf }),
    leadership,
    nodes: new Nodes({ collection: collections.nodes, engines }),
    lostEngines: new LostEngines({ engines, leases: nodeLeases, holder, clock: systemClock, log }),
    draining: new Draining({ engines, library, clock: systemClock, log }),
    fileChecksums: new FileChecksums(),
    zippedFiles: new ZippedFiles({ engine }),
    adding,
    addingDefaults,
    inspecting: new Inspecting({ engine, egress, settings, largeFiles }),
    moving,
    creations: new Creations({ engine, engines, savePaths, adding, programName, now: unixSeconds, accountOf }),
    imports: new Imports({
      ...{ engine, engines, quotas, running, library, savePaths, labels, now: unixSeconds, accountOf },
      ...{ ...set, ...feeds, addingDefaults, seedingRules, archives: importArchives },
      importPaths: options.importPaths,
    }),
    importArchives,
    backups: new Backups({
      ...{ dataDir: options.dataDir, directory: options.backupDir, everyHours: options.backupEveryHours },
      ...{ databaseFile: options.databaseFile, keep: options.backupKeep, program: programName, clock, log },
      onFailing: (reason) => {
        for (const { id, role } of accounts.all) if (role === 'admin') notices.tell(id, newsOfBackupFailing(reason));
      },
    }),
    exports: new Exports({ engine, library, labels, shownLabels, now: unixSeconds }),
    diskUsage,
    pathCompletion: new PathCompletion({ accounts, diskUsage, engines, library, savePaths, shownLabels }),
    labels,
    shownLabels,
    torrentLabels,
    categoryMoves,
    torrentTrackers,
    recentTorrents: new RecentTorrents({ library, now: monotonicMs }),
    torrentNumbers: new TorrentNumbers({ library, now: monotonicMs }),
    running,
    pendingRemovals: new PendingRemovals({
      ...{ collection: collections.removals, library, engines, clock, log, accountOf },
    }),
    quotaUsage: new QuotaUsage({ library, running, accounts, uploads }),
    snapshots,
    deflate,
    deflatedLists: new DeflatedLists(deflate),
    status: new Status({
      ...{ ...set, ...moved, lists: snapshots, diskUsage, engineHealth },
      ...{ now: unixSeconds, nowMs: monotonicMs },
    }),
    inspector: new Inspector({ engine, engines, library, largeLists, openCountries, log }),
    openCountries,
    savePaths,
    seedPolicies,
    seedingRules,
    compatibleInterfaces: new CompatibleInterfaces({ settings, pinned: options.compatible }),
    engines,
    webAccess: new WebAccess({ settings, accounts, userAdmin, listener, log }),
    updates: composeUpdates({ options, settings, egress, updater, installSource, log }),
    documentation: new Documentation(options.basePath),
    engineHealth,
    logRecords,
    metrics: new Metrics({
      ...{ library, engineHealth, engines, sessions: signIn.sessions, remotes: servers.remotes, version: VERSION },
    }),
    about: { flavor: options.flavor, version: VERSION, basePath: options.basePath },
  };
  return services;
}
