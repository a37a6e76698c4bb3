// Introduces the services to each other. No order of events here, only which service knows which.
import { randomBytes } from 'node:crypto';
import { ADMIN_ACCOUNT_ID, type AccountId } from '../../shared-protocol/ids.js';
import { AddressPolicy } from '../../shared-protocol/address-policy.js';
import type { JointClient } from '../../shared-protocol/commands.js';
import { maskSaid } from '../../shared-protocol/masking.js';
import { Outlet } from '../../shared-protocol/network/outlet.js';
import { OwnAddresses } from '../../shared-protocol/own-addresses.js';
import { localFolders } from '../../storage/local-folders.js';
import { besideSharedFolders } from '../../storage/shared-roots/beside-shared-folders.js';
import type { Account } from '../auth/account.js';
import type { LocalKey } from '../auth/local-key.js';
import { LoginLimit } from '../auth/login-limit.js';
import { NewestRecords } from '../auth/newest-records.js';
import { Sessions } from '../auth/sessions.js';
import { SharedSessions, type SharedSessionsData } from '../auth/shared-sessions.js';
import { SignInLinks } from '../auth/sign-in-links.js';
import { ToolCredentials } from '../auth/tool-credentials.js';
import { ToolPasswords } from '../auth/tool-passwords.js';
import { ToolSessions } from '../auth/tool-sessions.js';
import { WrongPasswords } from '../auth/wrong-passwords.js';
import { monotonicMs, systemClock, unixSeconds, type Clock } from '../clocks.js';
import type { Collections } from './collections.js';
import { ownRoutes } from './own-routes.js';
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
import { AutomationRuns } from '../services/automations/automation-runs.js';
import { Automations } from '../services/automations/automations.js';
import { RunHistory } from '../services/automations/history.js';
import { Memory } from '../services/automations/memory.js';
import { Previews } from '../services/automations/preview.js';
import { FileAdopters } from '../services/accounts/file-adopters.js';
import { Adding } from '../services/library/adding.js';
import { Deliveries } from '../services/hooks/deliveries.js';
import { HookProgram } from '../services/hooks/hook-program.js';
import { Hooks } from '../services/hooks/hooks.js';
import { Webhooks } from '../services/hooks/webhooks.js';
import { CategoryMoves } from '../services/library/category-moves.js';
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
import { Bans } from '../services/blocklist/bans.js';
import { Blocklist } from '../services/blocklist/blocklist.js';
import type { CachedList } from '../services/blocklist/cached-list.js';
import { readListInThread } from '../services/blocklist/list-thread.js';
import { countriesOnDemand } from '../services/library/countries.js';
import { EngineHealth } from '../services/engine-health.js';
import { CompatibleInterfaces } from '../services/settings/compatible-interfaces.js';
import { Alone } from '../services/fleet/alone.js';
import { Draining } from '../services/fleet/draining.js';
import { Leadership } from '../services/fleet/leadership.js';
import { LostEngines } from '../services/fleet/lost-engines.js';
import { Nodes } from '../services/fleet/nodes.js';
import { EngineSettings } from '../services/settings/engine-settings.js';
import { fetchesBy, NetworkSettings } from '../services/settings/network-settings.js';
import { AutoAdd } from '../services/rss/auto-add.js';
import { FeedPoller } from '../services/rss/feed-poller.js';
import { sourceOf } from '../services/rss/feed-records.js';
import { Feeds } from '../services/rss/feeds.js';
import { Filters } from '../services/rss/filters.js';
import { RecentItems } from '../services/rss/recent-items.js';
import { FileChecksums } from '../services/library/file-checksums.js';
import { FileListParts } from '../services/library/file-list-parts.js';
import { FileStreams } from '../services/library/file-streams.js';
import { Inspector } from '../services/library/inspector.js';
import { TorrentLabels } from '../services/library/torrent-labels.js';
import { RecentTorrents } from '../services/library/recent-torrents.js';
import { TorrentNumbers } from '../services/library/torrent-numbers.js';
import { TorrentTrackers } from '../services/library/torrent-trackers.js';
import { newsOfAdding, newsOfEvents, newsOfFailing, newsOfRun, newsOfUploads } from '../services/notices/news.js';
import type { Notices } from '../services/notices/notices.js';
import { EnginePlacement } from '../services/library/engine-placement.js';
import { PromisedBytes } from '../services/library/promised-bytes.js';
import { Labels } from '../services/library/labels.js';
import { History } from '../services/history/history.js';
import { RateSampler } from '../services/history/rate-sampler.js';
import { RateAnswers } from '../services/history/rates.js';
import { TrafficRecorder } from '../services/history/recorder.js';
import { sharesByAccount } from '../services/library/shares.js';
import { Library } from '../services/library/library.js';
import { QuotaUsage } from '../services/library/quota-usage.js';
import { Quotas } from '../services/library/quotas.js';
import { PendingRemovals } from '../services/library/pending-removals.js';
import { Running } from '../services/library/running.js';
import { Links } from '../services/library/links.js';
import { ShownLabels } from '../services/library/shown-labels.js';
import { SavePaths } from '../services/settings/save-paths.js';
import { KnownServers } from '../services/servers/known-servers.js';
import { Placement } from '../services/servers/placement.js';
import { ServerEnd } from '../services/servers/servers.js';
import { ServerMoves } from '../services/servers/server-moves.js';
import { Remotes } from '../services/remotes/remotes.js';
import { ScheduleRules } from '../services/settings/schedule-rules.js';
import { SeedPolicies } from '../services/library/seed-policies.js';
import { SeedingRules } from '../services/library/seeding-rules.js';
import type { Settings } from '../services/settings/settings.js';
import type { AccountPreferences } from '../services/accounts/account-preferences.js';
import { AccountSpeeds } from '../services/accounts/account-speeds.js';
import { MonthlyUploads } from '../services/history/monthly-uploads.js';
import { NetworkInsiders } from '../services/accounts/network-insiders.js';
import { Sharing } from '../services/accounts/sharing.js';
import { SpeedLimits } from '../services/settings/speed-limits.js';
import { ReleaseUpdater } from '../services/updater/release-updater.js';
import { UPDATE_PUBLIC_KEY } from '../services/updater/signature.js';
import { Updates, type InstallSource, type Updater } from '../services/updater/updates.js';
import { UserAdmin } from '../services/accounts/user-admin.js';
import { WatchFolder } from '../services/watch-folder/watch-folder.js';
import { ZippedFiles } from '../services/library/zipped-files.js';
import { WebAccess, type ListenerMover } from '../services/settings/web-access.js';
import { Status } from '../services/status/status.js';
import { Snapshots } from '../torrent-list/snapshots.js';
import type { Collection, FeedMemory, Leases } from '../../storage/types.js';
import type { TrafficHistory } from '../../storage/traffic-history.js';
import { PROGRAM_ROOT, VERSION } from '../version.js';

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
  readonly sharedSessions: Collection<SharedSessionsData> | null;
  readonly localKey: LocalKey;
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
  const labels = new Labels({ collection: collections.labels });
  const shownLabels = new ShownLabels({ labels, library });
  const seedingRules = new SeedingRules({ settings, labels, shownLabels });
  const savePaths = new SavePaths(
    { settings, labels, engines },
    { allowedPaths: options.allowedPaths, dataDir: options.dataDir },
  );
  // Of this machine, wherever the engine is; roots that engines share may be mounted here as well.
  const localPaths = new SavePaths(
    { settings, labels, engines: oneEngine(besideSharedFolders(localFolders)) },
    { allowedPaths: options.allowedPaths, dataDir: options.dataDir },
  );
  const scheduleRules: ScheduleRules = new ScheduleRules({
    collection: collections.schedule,
    onChanged: () => speedLimits.apply(),
  });
  const speedLimits = new SpeedLimits({ engine, settings, rules: scheduleRules, clock: systemClock });
  const torrentLabels = new TorrentLabels({ labels, library });
  const findAccount = (id: AccountId) => accounts.find(id);
  const trafficRecorder = new TrafficRecorder({ store: trafficHistory, engine, engines, library, clock, log });
  const uploads: MonthlyUploads = new MonthlyUploads({
    ...{ collection: collections.uploadMonth, accounts, store: trafficHistory, recorder: trafficRecorder, clock, log },
    onChanged: () => accountSpeeds.apply(),
    onUsedUp: (id, { next }) => notices.tell(id, newsOfUploads(next)),
  });
  const accountSpeeds = new AccountSpeeds({ accounts, uploads, engine });
  const quotas = new Quotas({ library, uploads });
  const running = new Running({ library, quotas, findAccount, now: monotonicMs, log });
  const volumes = new EngineVolumes(engines, monotonicMs);
  const promised = new PromisedBytes({ library, engines, nowMs: monotonicMs });
  const placement = new EnginePlacement({ engines, savePaths, volumes, promised, log });
  const largeFiles = new LargeTorrentFiles();
  const adding = new Adding({
    ...{ engine, library, labels, savePaths, egress, settings, quotas, running, placement, largeFiles },
  });
  const fileStreams = new FileStreams({ engine });
  const moving = new Moving({ engine, engines, savePaths, findAccount });
  const autoAdd = new AutoAdd({ adding, egress, labels, library, savePaths });
  const feedPoller = new FeedPoller({
    ...{ collection: collections.feeds, memory: feedMemory, egress, autoAdd, accounts, clock, log },
    onAdded: (feed, owner, id) => {
      const torrent = library.find(id);
      const share = torrent && sharesByAccount(torrent).get(owner);
      if (share) notices.tell(owner, newsOfAdding(sourceOf(feed), share));
    },
    onFailing: (feed, reason) =>
      notices.tell(feed.created_by, newsOfFailing(sourceOf(feed), maskSaid(feed.url, reason))),
    random: Math.random,
  });
  const feeds = new Feeds({ collection: collections.feeds, memory: feedMemory, poller: feedPoller, egress });
  const filters = new Filters({ collection: collections.feeds, poller: feedPoller, labels, savePaths });
  const usableAccount = (id: number) => {
    const account = accounts.find(id as AccountId);
    return account && !account.disabled && isUsable(account) ? account : undefined;
  };
  const programName = `Swarmd/${VERSION}`;
  const creations = new Creations({
    ...{ engine, engines, savePaths, adding, programName, now: unixSeconds },
    accountOf: usableAccount,
  });
  const deliveries: Deliveries = new Deliveries({
    ...{ collection: collections.deliveries, clock, random: Math.random, log },
    send: (message, signal) => webhooks.send(message, signal),
  });
  const webhooks = new Webhooks({
    ...{ collection: collections.webhooks, deliveries, egress, labels, randomBytes, clock },
    accountOf: usableAccount,
  });
  const remotes = new Remotes({
    ...{ collection: collections.remotes, egress, clock, random: Math.random, log },
    isAccount: (id) => accounts.find(id as AccountId) !== undefined,
  });
  const servers = new KnownServers({ ...{ remotes, library, labels, egress }, own: ownRoutes(() => services) });
  const program = options.hookProgram && new HookProgram(options.hookProgram, { labels, log });
  const engineHealth = new EngineHealth({ engine, engines, now: monotonicMs });
  const ofAllFronts =
    sharedSessions &&
    new SharedSessions({
      ...{ now: Date.now, randomBytes, collection: sharedSessions },
      credentialsOf: (id) => accounts.credentialsOf(id),
    });
  const sessions = ofAllFronts ?? new Sessions({ now: Date.now, randomBytes });
  const newestRecords =
    ofAllFronts &&
    new NewestRecords({
      auth: { accounts, sessions, localKey },
      records: [accounts, ofAllFronts],
      clock: systemClock,
    });
  const toolSessions = new ToolSessions({ now: Date.now, randomBytes });
  const toolPasswords = new ToolPasswords({ accounts, newestRecords, randomBytes, now: monotonicMs });
  const deflate = new DeflateThread();
  const openCountries = countriesOnDemand(log);
  const userAdmin = new UserAdmin({ accounts, savePaths, engines, isSingle: options.flavor === 'desktop' });
  const diskUsage = new DiskUsage({
    library,
    labels,
    savePaths,
    engines,
    volumes,
    now: () => Math.floor(clock.unixMs() / 1_000),
  });
  const snapshots = new Snapshots(library, labels);
  const history = new History({
    ...{ store: trafficHistory, recorder: trafficRecorder, library, accounts },
    now: () => Math.floor(clock.unixMs() / 1_000),
  });
  const rateSampler = new RateSampler({ store: trafficHistory, library, clock, log });
  const rates = new RateAnswers({
    ...{ rings: rateSampler.rings, store: trafficHistory, recorder: trafficRecorder, history, library },
    now: () => Math.floor(clock.unixMs() / 1_000),
  });
  const engineSettings = new EngineSettings({ engine, settings });
  const networkSettings = new NetworkSettings({ engine, settings, outlet });
  const seedPolicies = new SeedPolicies({ rules: seedingRules, labels, library });
  const torrentTrackers = new TorrentTrackers({ engine, library, quotas, findAccount });
  const categoryMoves = new CategoryMoves({ labels, library, moving, torrentLabels });
  const automated = {
    ...{ library, engines, volumes, labels, savePaths, nowMs: monotonicMs, accountOf: usableAccount, log },
    now: () => Math.floor(clock.unixMs() / 1_000),
    history: new RunHistory(collections.automationHistory),
  };
  const memory = new Memory({ collection: collections.automationMemory, now: automated.now });
  const automations = new Automations({ ...automated, collection: collections.automations });
  const bans: Bans = new Bans({
    collection: collections.bans,
    nameOf: (id) => accounts.find(id as AccountId)?.username ?? null,
    onChanged: () => blocklist.apply(),
    now: () => Math.floor(clock.unixMs() / 1_000),
  });
  const blocklist = new Blocklist({
    ...{ settings, egress, engine, bans, log },
    cache: blocklistCache,
    readList: readListInThread,
    now: () => Math.floor(clock.unixMs() / 1_000),
  });
  const imports = new Imports({
    ...{
      engine,
      engines,
      quotas,
      running,
      library,
      savePaths,
      labels,
      importPaths: options.importPaths,
      now: unixSeconds,
    },
    ...{ speedLimits, engineSettings, seedingRules, scheduleRules, blocklist, feeds, filters },
    archives: importArchives,
    accountOf: usableAccount,
  });
  const releaseUpdater = () =>
    options.updateUrl === null
      ? null
      : new ReleaseUpdater(
          { egress, now: unixSeconds, log },
          {
            url: options.updateUrl,
            publicKey: options.updateKey ?? UPDATE_PUBLIC_KEY,
            currentVersion: VERSION,
            installSource,
            programRoot: PROGRAM_ROOT,
            machine: { platform: process.platform, arch: process.arch },
          },
        );
  const watchFolder = new WatchFolder({ settings, savePaths: localPaths });
  const limitsChanged = () => {
    speedLimits.apply().catch((error: unknown) => log.warn('settings not applied', { reason: String(error) }));
  };
  settings.onChanged(() => {
    networkSettings.follow();
    watchFolder.follow();
    limitsChanged();
  });
  collections.schedule.onChanged(limitsChanged);
  // One front among the others, in this run.
  const holder = randomBytes(16).toString('hex');
  const leadership = leases
    ? new Leadership({ leases, holder, clock: systemClock, log, catchUp: () => feedMemory.refresh() })
    : new Alone();
  const services: Services = {
    accounts,
    userAdmin,
    fileAdopters: new FileAdopters({ accounts, engine, engines }),
    sharing: new Sharing({ accounts, library }),
    accountSpeeds,
    uploads,
    accountPreferences,
    notices,
    networkInsiders: new NetworkInsiders({ accounts, engine }),
    sessions,
    newestRecords,
    signInLinks: new SignInLinks({ now: monotonicMs, randomBytes }),
    toolSessions,
    toolPasswords,
    toolCredentials: new ToolCredentials({ accounts, toolSessions, toolPasswords }),
    localKey,
    loginLimit: new LoginLimit(monotonicMs),
    wrongPasswords: new WrongPasswords(monotonicMs),
    library,
    fileStreams,
    mediaInfo: new MediaInfo({ fileStreams }),
    fileListParts: new FileListParts({ engine, now: monotonicMs }),
    links: new Links({
      ...{ collection: collections.links, library, randomBytes, now: unixSeconds },
      accountOf: usableAccount,
    }),
    webhooks,
    remotes,
    placement: new Placement(servers),
    serverEnd: (account, server, infohash) => new ServerEnd(servers, account, server, infohash),
    serverMoves: new ServerMoves({
      ...{ servers, clock, log },
      collection: collections.serverMoves,
      accountOf: usableAccount,
    }),
    leadership,
    nodes: new Nodes({ collection: collections.nodes, engines }),
    lostEngines: new LostEngines({ engines, leases: nodeLeases, holder, clock: systemClock, log }),
    draining: new Draining({ engines, library, clock: systemClock, log }),
    hooks: new Hooks({
      ...{ library, webhooks, deliveries, program },
      leads: () => leadership.leads,
      tellAccount: (id, events) => notices.tell(id, ...newsOfEvents(events, library.stats)),
    }),
    fileChecksums: new FileChecksums(),
    zippedFiles: new ZippedFiles({ engine }),
    adding,
    inspecting: new Inspecting({ engine, egress, settings, largeFiles }),
    moving,
    creations,
    imports,
    importArchives,
    backups: new Backups({
      ...{ dataDir: options.dataDir, directory: options.backupDir, everyHours: options.backupEveryHours },
      ...{ databaseFile: options.databaseFile, keep: options.backupKeep, program: programName, clock, log },
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
      ...{ collection: collections.removals, library, engines, clock, log },
      accountOf: usableAccount,
    }),
    quotaUsage: new QuotaUsage({ library, running, accounts, uploads }),
    snapshots,
    deflate,
    deflatedLists: new DeflatedLists(deflate),
    trafficRecorder,
    history,
    rateSampler,
    rates,
    status: new Status({
      ...{ lists: snapshots, speedLimits, trafficRecorder, history, diskUsage, engineHealth },
      ...{ engineSettings, networkSettings, now: unixSeconds, nowMs: monotonicMs },
    }),
    inspector: new Inspector({ engine, engines, library, openCountries, log }),
    openCountries,
    savePaths,
    speedLimits,
    engineSettings,
    seedPolicies,
    seedingRules,
    networkSettings,
    compatibleInterfaces: new CompatibleInterfaces({ settings, pinned: options.compatible }),
    scheduleRules,
    automations,
    automationPreviews: new Previews({ ...automated, memory, automations }),
    automationRuns: new AutomationRuns({
      ...{ ...automated, memory, automations, running, torrentTrackers, categoryMoves, torrentLabels },
      ...{ seedPolicies, moving },
      onRun: (account, run) =>
        notices.tell(account, newsOfRun({ id: run.ruleId, name: automations.nameOf(run.ruleId) }, run)),
    }),
    watchFolder,
    engines,
    blocklist,
    bans,
    feedPoller,
    feeds,
    filters,
    recentItems: new RecentItems({ feeds, now: monotonicMs }),
    webAccess: new WebAccess({ settings, accounts, userAdmin, listener, log }),
    updates: new Updates({ settings, updater: updater ?? releaseUpdater(), installSource }),
    documentation: new Documentation(options.basePath),
    engineHealth,
    logRecords,
    metrics: new Metrics({ library, engineHealth, engines, sessions, remotes, version: VERSION }),
    about: { flavor: options.flavor, version: VERSION, basePath: options.basePath },
  };
  return services;
}
