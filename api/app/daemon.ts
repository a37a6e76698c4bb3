// Puts the process together and takes it apart: data directory, collections, engine, services, listener; the same in
// reverse. Owns the order. Everything outside the process that a test replaces comes as an argument.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { messageOf, type AppError } from '../../shared-protocol/errors.js';
import type { EngineTransport } from '../../shared-protocol/transport.js';
import { openDataDirectory, type DataDirectory, type DataFileName } from '../../storage/data-directory.js';
import { createMemoryLeases } from '../../storage/memory-leases.js';
import { openTrafficHistory } from '../../storage/lmdb-traffic-history.js';
import { startBackground } from './background.js';
import { LocalKey } from '../auth/local-key.js';
import { LOGIN_LIMIT_JANITOR_MS } from '../auth/login-limit.js';
import type { Passwords } from '../auth/passwords.js';
import { monotonicMs, systemClock, unixSecondsOf, type Clock } from '../clocks.js';
import { ADMIN_ACCOUNT_ID } from '../../shared-protocol/ids.js';
import { Connections } from '../http/connections.js';
import { isLoopback, isTrusted } from '../auth/client-address.js';
import { apiConnections, descriptorLimit } from '../../shared-protocol/descriptors.js';
import { Bodies } from '../http/bodies/bodies.js';
import { Spool } from '../http/bodies/spool.js';
import { openCollections } from './collections.js';
import { ImportArchives } from '../services/import/archive/import-archives.js';
import { Notices } from '../services/notices/notices.js';
import { AccountPreferences } from '../services/accounts/account-preferences.js';
import { composeServices } from './composition.js';
import { engineOptions, startSupervised } from './engine-options.js';
import { openEngines } from './open-engines.js';
import { createHttpApp } from '../http/app.js';
import { withoutBasePath } from '../http/base-path.js';
import { readInterfaceFiles } from '../static/files.js';
import { listenHttp, readTls } from '../http/server.js';
import { ProxiedUsers } from '../auth/proxied-users.js';
import { readProxySignIn } from './proxy-sign-in.js';
import { Listener } from '../http/listener.js';
import { firstAddress } from '../http/listener-plan.js';
import { LogRecords } from '../log-records.js';
import type { Log } from '../logging.js';
import { openAccounts, openSettings, openSharedSessions } from './open-stores.js';
import { openState } from './open-state.js';
import { followAccounts, notSwept } from './follow-accounts.js';
import { followEngine } from './follow-engine.js';
import { httpPolicy } from './http-policy.js';
import type { Options } from '../cli/options.js';
import { explainLock, removeRuntime, writeRuntime } from './runtime-file.js';
import type { Services } from '../routes/services.js';
import { CachedList } from '../services/blocklist/cached-list.js';
import { assertRuns } from '../services/hooks/hook-program.js';
import type { InstallSource, Updater } from '../services/updater/updates.js';
import { Handover } from '../desktop/sign-in-handover.js';
import { offerSignIn } from '../desktop/offer-sign-in.js';
import { VERSION } from '../version.js';
import { Hub, startHubTimers } from '../ws/hub.js';
import { createUpgradeHandler } from '../ws/upgrade.js';

/** For `stopped` announces and saving; the whole process has 10 s. */
const ENGINE_STOP_MS = 7_000;

export interface DaemonDeps {
  readonly createEngine: () => EngineTransport;
  /** For the lines of an engine of its own process. @default `log` */
  readonly engineLog?: Log;
  readonly log: Log;
  /** Keeps what the engine logs; the lines of this thread are added here. @default one of its own */
  readonly logRecords?: LogRecords;
  /** Shown to the person at the terminal, once. */
  readonly notify: (text: string) => void;
  /** There will be no engine any more. */
  readonly onFatal: (reason: AppError) => void;
  /** Shows the user of the desktop program a page of this machine. @default nothing: `notify` is given the link */
  readonly openPage?: (file: string) => void;
  /** @default none */
  readonly updater?: Updater;
  /** @default `manual` */
  readonly installSource?: InstallSource;
  /** The clock of what works by itself. @default the system's */
  readonly clock?: Clock;
  /** @default Argon2id at its usual cost */
  readonly passwords?: Passwords;
}

export interface Daemon {
  /** Where it listens now, without a slash at the end; empty while it does not (desktop). */
  readonly url: string;
  readonly peerPort: number;
  /** A new sign-in link for the user of the desktop program; nothing on the daemon. @throws AppError `LISTEN_FAILED` */
  offerSignIn(): Promise<void>;
  close(): Promise<void>;
}

/** @throws AppError `STORAGE_LOCKED`, `STORAGE_TOO_NEW`, `STORAGE_FAILED`, `LISTEN_FAILED`, … */
export async function startDaemon(options: Options, given: DaemonDeps): Promise<Daemon> {
  const { logRecords = new LogRecords(options.logLevel, systemClock.unixMs) } = given;
  const deps = { ...given, logRecords, log: logRecords.keeping('api', given.log) };
  const directory = await openDirectory(options);
  // Undone in reverse order, at the end or when something later fails.
  const undo: (() => Promise<void> | void)[] = [() => directory.release()];
  const close = async () => {
    for (let step = undo.pop(); step; step = undo.pop()) {
      try {
        await step();
      } catch (error) {
        // The steps after it matter no less.
        deps.log.error('shutdown step failed', { reason: messageOf(error) });
      }
    }
  };
  try {
    const { listener, peerPort, offer } = await build(options, deps, directory, undo);
    if (options.flavor === 'desktop') await offer();
    return {
      get url() {
        return listener.url;
      },
      peerPort,
      offerSignIn: async () => (options.flavor === 'desktop' ? offer() : undefined),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function build(
  given: Options,
  deps: DaemonDeps & { readonly logRecords: LogRecords },
  directory: DataDirectory,
  undo: (() => Promise<void> | void)[],
) {
  const opened = await openEngines(given, { ...deps, engineLog: deps.engineLog ?? deps.log }, directory);
  undo.push(() => opened.close());
  const options: Options = { ...given, savePath: given.savePath ?? opened.savePath };
  const tls = await readTls(options.tls);
  const proxiedUsers = new ProxiedUsers(await readProxySignIn(options));
  if (options.hookProgram) await assertRuns(options.hookProgram.file);
  const state = await openState(options, directory, deps.log);
  undo.push(() => state.close());
  const { store, feedMemory, leases } = state;
  const nodeLeases = leases ?? createMemoryLeases(systemClock);
  const settings = await openSettings(store, options, deps.log);
  const accounts = await openAccounts(store, directory, options, deps);

  const collections = await openCollections(store);
  const isAccount = (id: number) => accounts.all.some((account) => account.id === id);
  const accountFiles = { isAccount, store };
  const accountPreferences = new AccountPreferences(accountFiles);
  const clock = deps.clock ?? systemClock;
  const notices = new Notices({
    ...{ ...accountFiles, log: deps.log },
    now: () => unixSecondsOf(clock),
  });
  // Nobody is shown them all the same: no account gets the id of another.
  await accountPreferences.sweep().catch(notSwept(deps.log, 'preferences'));
  await notices.sweep().catch(notSwept(deps.log, 'notices'));
  const trafficHistory = openTrafficHistory(directory.file('traffic'));
  undo.push(() => trafficHistory.close());
  const engine = opened.supervise({
    ...followEngine(() => services, settings, deps.log),
    onGivenUp: deps.onFatal,
    engineOfAccount: (id) => accounts.find(id)?.engine ?? '',
    leads: () => services.leadership.leads,
    leases: nodeLeases,
    isDraining: (name) => services.nodes.isDraining(name),
    torrents: () => services.library.all,
    // What no account has is account 1's.
    isAdmin: (id) => (accounts.find(id) ?? accounts.find(ADMIN_ACCOUNT_ID))?.role === 'admin',
  });
  const runtimeFile = directory.file('runtime.json');
  const writeUrl = (url: string) =>
    writeRuntime(runtimeFile, { pid: process.pid, http_url: url, peer_port: peerPort, version: VERSION });
  const listener = new Listener(
    {
      open: (address) =>
        listenHttp(withoutBasePath(options.basePath, { onRequest: app, onUpgrade, connections }), address, tls),
      dropSockets: () => hub.dropAll(1001, 'listener restarting'),
      onMoved: writeUrl,
      log: deps.log,
    },
    { mayStop: options.flavor === 'desktop' },
  );
  const bodies = new Bodies(await Spool.in(directory.file('uploads')));
  const localKey = await LocalKey.make(directory.file('local-key'), randomBytes);
  undo.push(() => localKey.remove());
  const services = composeServices({
    options,
    localKey,
    proxiedUsers,
    settings,
    accounts,
    accountPreferences,
    notices,
    logRecords: deps.logRecords,
    collections,
    feedMemory,
    trafficHistory,
    leases,
    nodeLeases,
    sharedSessions: leases && { collection: await openSharedSessions(store), unixMs: () => state.unixMs() },
    blocklistCache: new CachedList(directory.file('blocklist.ranges')),
    importArchives: await ImportArchives.in(directory.file('import-archive')),
    engine,
    engines: opened.engines,
    listener,
    updater: deps.updater ?? null,
    installSource: deps.installSource ?? 'manual',
    clock: deps.clock,
    log: deps.log,
  });
  undo.push(() => services.networkSettings.close());
  const { sessions, snapshots, deflatedLists, deflate, inspector } = services;
  // The engine begins with it: no peer that is on the list is met before.
  await services.blocklist.load();
  undo.push(() => engine.close(ENGINE_STOP_MS));
  const starting = startSupervised(
    engine,
    engineOptions(options, settings, {
      rateLimits: services.speedLimits.rateLimits,
      accountLimits: services.accountSpeeds.limits,
      blocklist: services.blocklist.lists,
      adopters: await services.fileAdopters.find(),
      insiders: services.networkInsiders.accountIds,
    }),
    settings,
    deps.log,
  );
  // Should something below fail: an engine is not closed, and the directory not left to others, before it has begun.
  undo.push(async () => void (await starting.catch(() => undefined)));

  // While the engine's thread loads its torrents, this one gets ready to show them.
  const hub = new Hub({
    accounts,
    sessions,
    snapshots,
    deflatedLists,
    deflate,
    inspector,
    notices,
    remotes: services.remotes,
    engineHealth: services.engineHealth,
    log: deps.log,
    now: monotonicMs,
  });
  followAccounts({ services, hub, log: deps.log });

  const policy = httpPolicy(options, listener);
  const connections = new Connections({
    max: apiConnections(descriptorLimit()),
    isShared: (address) => isLoopback(address) || isTrusted(address, options.trustedProxies),
  });
  const app = createHttpApp({
    services,
    policy,
    interfaceFiles: readInterfaceFiles(options.basePath),
    bodies,
    connections,
    log: deps.log,
  });
  const onUpgrade = createUpgradeHandler(hub, services, policy, connections);
  const { peerPort, torrents } = await starting;
  await listener.start(firstAddress(options, settings.stored('web')));
  undo.push(async () => {
    hub.close();
    await listener.close();
  });
  undo.push(startBackground({ services, hub, log: deps.log, ...(deps.clock ? { clock: deps.clock } : {}) }));
  // Ended before the services that they ask.
  undo.push(startHubTimers(hub), startJanitor(services));

  undo.push(() => removeRuntime(runtimeFile));
  await writeUrl(listener.url);
  deps.log.info('ready', { url: listener.url, peerPort, torrents, version: VERSION });
  const { notify, openPage = null, log } = deps;
  const handover = new Handover(directory.file('sign-in.html'), { clock: deps.clock ?? systemClock, log });
  await handover.clear();
  undo.push(() => handover.clear());
  const { signInLinks } = services;
  return {
    listener,
    peerPort,
    offer: () => offerSignIn({ signInLinks, listener, settings, notify, handover, openPage, log }),
  };
}

async function openDirectory({ dataDir, flavor }: Options): Promise<DataDirectory> {
  try {
    return await openDataDirectory(dataDir);
  } catch (error) {
    throw await explainLock(error, join(dataDir, 'runtime.json' satisfies DataFileName), flavor);
  }
}

function startJanitor({ loginLimit, wrongPasswords, sessions, toolPasswords, toolSessions }: Services): () => void {
  const timer = setInterval(() => {
    loginLimit.sweep();
    wrongPasswords.sweep();
    sessions.sweep();
    toolPasswords.sweep();
    toolSessions.sweep();
  }, LOGIN_LIMIT_JANITOR_MS);
  return () => clearInterval(timer);
}
