// Puts the process together and takes it apart: data directory, collections, engine, services, listener; the same in
// reverse. Owns the order. Everything outside the process that a test replaces comes as an argument.
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import ipaddr from 'ipaddr.js';
import type { EngineOptions, EngineStarted } from '../shared-protocol/commands.js';
import { AppError } from '../shared-protocol/errors.js';
import type { EngineTransport } from '../shared-protocol/transport.js';
import { readIfExists, replaceFile } from '../storage/atomic-file.js';
import { openDataDirectory, type DataDirectory } from '../storage/data-directory.js';
import { openCollection } from '../storage/lowdb-collection.js';
import type { HttpPolicy } from './admission.js';
import { LOGIN_LIMIT_JANITOR_MS, LoginLimit } from './auth/login-limit.js';
import { Passwords } from './auth/passwords.js';
import { Sessions } from './auth/sessions.js';
import { createHttpApp } from './http-app.js';
import { listenHttp } from './http-server.js';
import type { Log } from './logging.js';
import type { Options } from './options.js';
import type { Services } from './services.js';
import { accountsSchema } from './services/account-records.js';
import { Accounts } from './services/accounts.js';
import { countriesOnDemand } from './services/countries.js';
import { EngineHealth } from './services/engine-health.js';
import { EngineSupervisor } from './services/engine-supervisor.js';
import { forgetInitialPassword, prepareFirstStart } from './services/first-start.js';
import { Inspector } from './services/inspector.js';
import { Library } from './services/library.js';
import { defaultSettings, Settings, settingsSchema } from './services/settings.js';
import { SpeedLimits } from './services/speed-limits.js';
import { Snapshots } from './snapshot/snapshots.js';
import { VERSION } from './version.js';
import { Hub, startHubTimers } from './ws/hub.js';
import { createUpgradeHandler } from './ws/upgrade.js';

const LOOPBACK = ipaddr.parse('127.0.0.1');
const MIB = 1024 * 1024;
/** For `stopped` announces and saving; the whole process has 10 s. */
const ENGINE_STOP_MS = 7_000;

export interface DaemonDeps {
  readonly createEngine: () => EngineTransport;
  readonly log: Log;
  /** Shown to the person at the terminal, once. */
  readonly notify: (text: string) => void;
  /** There will be no engine any more. */
  readonly onFatal: (reason: AppError) => void;
  /** @default Argon2id at its usual cost */
  readonly passwords?: Passwords;
}

export interface Daemon {
  readonly url: string;
  readonly peerPort: number;
  close(): Promise<void>;
}

/** @throws AppError `STORAGE_LOCKED`, `STORAGE_TOO_NEW`, `STORAGE_FAILED`, `LISTEN_FAILED`, … */
export async function startDaemon(options: Options, deps: DaemonDeps): Promise<Daemon> {
  const directory = await openDataDirectory(options.dataDir);
  // Undone in reverse order, at the end or when something later fails.
  const undo: (() => Promise<void> | void)[] = [() => directory.release()];
  const close = async () => {
    for (let step = undo.pop(); step; step = undo.pop()) {
      try {
        await step();
      } catch (error) {
        // The steps after it matter no less.
        deps.log.error('shutdown step failed', { reason: error instanceof Error ? error.message : String(error) });
      }
    }
  };
  try {
    return { ...(await build(options, deps, directory, undo)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function build(
  options: Options,
  deps: DaemonDeps,
  directory: DataDirectory,
  undo: (() => Promise<void> | void)[],
): Promise<Omit<Daemon, 'close'>> {
  const settings = await openSettings(directory, options, deps.log);
  const accounts = await openAccounts(directory, options, deps);

  const supervisor = new EngineSupervisor({
    createEngine: deps.createEngine,
    log: deps.log,
    now: monotonicMs,
    onEvent: (event) => {
      library.handleEvent(event);
      inspector.handleEvent(event);
    },
    onReload: (phase) => {
      if (phase === 'begin') return library.beginReload();
      library.endReload();
      speedLimits.apply().catch((error: unknown) => deps.log.warn('limits not applied', { reason: String(error) }));
    },
    onGivenUp: deps.onFatal,
  });
  const library = new Library({ engine: supervisor, settings }, { allowedPaths: options.allowedPaths });
  const inspector = new Inspector({
    engine: supervisor,
    library,
    openCountries: countriesOnDemand(deps.log),
    log: deps.log,
  });
  const speedLimits = new SpeedLimits({ engine: supervisor, settings });
  undo.push(() => supervisor.close(ENGINE_STOP_MS));
  const { peerPort, torrents } = await startEngine(supervisor, engineOptions(options, settings), settings, deps.log);

  const sessions = new Sessions({ now: Date.now, randomBytes });
  const snapshots = new Snapshots(library);
  const services: Services = {
    accounts,
    sessions,
    loginLimit: new LoginLimit(monotonicMs),
    library,
    speedLimits,
    snapshots,
    inspector,
    engineHealth: new EngineHealth(supervisor, monotonicMs),
    about: { flavor: options.flavor, version: VERSION },
  };
  const hub = new Hub({ accounts, sessions, snapshots, inspector, now: monotonicMs });
  sessions.onRevoked(() => hub.recheck());
  accounts.onChange((accountId, change) => {
    hub.closeAccount(accountId);
    if (change === 'credentials') sessions.revokeAccount(accountId);
  });

  const policy = httpPolicy(options);
  const app = createHttpApp({ services, policy, log: deps.log });
  const server = await listenHttp({ onRequest: app, onUpgrade: createUpgradeHandler(hub, services, policy) }, options);
  undo.push(async () => {
    hub.close();
    await server.close();
  });
  undo.push(startHubTimers(hub), startJanitor(services));

  const runtimeFile = directory.file('runtime.json');
  undo.push(() => rm(runtimeFile, { force: true }));
  const runtime = { pid: process.pid, http_url: server.url, peer_port: peerPort, version: VERSION };
  await replaceFile(runtimeFile, `${JSON.stringify(runtime)}\n`);
  deps.log.info('ready', { url: server.url, peerPort, torrents, version: VERSION });
  return { url: server.url, peerPort };
}

async function openSettings(directory: DataDirectory, options: Options, log: Log): Promise<Settings> {
  const file = directory.file('settings.json');
  const collection = await openCollection(file, {
    version: 1,
    defaults: defaultSettings(options.savePath ?? join(homedir(), 'Downloads')),
    migrate: (data) => data,
    validate: (data) => settingsSchema.parse(data),
    onFallback: warnOfFallback(log),
  });
  const settings = new Settings(collection, options);
  if (!(await readIfExists(file))) await settings.persist();
  return settings;
}

async function openAccounts(directory: DataDirectory, options: Options, deps: DaemonDeps): Promise<Accounts> {
  const collection = await openCollection(directory.file('accounts.json'), {
    version: 1,
    defaults: { next_id: 1, accounts: [] },
    migrate: (data) => data,
    validate: (data) => accountsSchema.parse(data),
    onFallback: warnOfFallback(deps.log),
  });
  const initialPasswordFile = directory.file('initial-admin-password');
  const accounts = new Accounts({
    collection,
    passwords: deps.passwords ?? new Passwords(),
    randomBytes,
    now: () => Math.floor(Date.now() / 1_000),
    forgetInitialPassword: () => forgetInitialPassword(initialPasswordFile),
  });
  const { adminPasswordFile } = options;
  const first = await prepareFirstStart({ accounts, randomBytes }, { adminPasswordFile, initialPasswordFile });
  if (first.kind === 'password-made') {
    deps.notify(`First start: sign in as admin with the password ${first.password} (kept in ${initialPasswordFile})`);
  }
  return accounts;
}

/** A port that was only stored gives way when somebody else has it; one that was asked for does not. */
async function startEngine(
  supervisor: EngineSupervisor,
  options: EngineOptions,
  settings: Settings,
  log: Log,
): Promise<EngineStarted> {
  try {
    return await supervisor.start(options);
  } catch (error) {
    const isTaken = error instanceof AppError && error.code === 'LISTEN_FAILED';
    if (!isTaken || settings.isPeerPortForced || options.peerPort === 0) throw error;
    log.warn('the stored peer port is taken; using a free one', { port: options.peerPort });
    return supervisor.start({ ...options, peerPort: 0 });
  }
}

function engineOptions(options: Options, settings: Settings): EngineOptions {
  return {
    dataDir: options.dataDir,
    peerHosts: ['0.0.0.0', '::'],
    peerPort: settings.peerPort,
    maxPeersPerTorrent: settings.maxPeersPerTorrent,
    maxPeers: 1_000,
    slabBytes: 48 * MIB,
    hashThreads: 2,
    logLevel: options.logLevel,
    userAgent: `swarmd/${VERSION}`,
    encryption: settings.encryption,
    dht: settings.isDhtOn ? { bootstrap: options.dhtBootstrap } : null,
    lsd: settings.isLsdOn,
    portMapping: settings.isPortMappingOn,
    rateLimits: settings.rateLimits,
    webSeedsOnLoopback: options.fetchAllow.some(([network, bits]) => LOOPBACK.match(network, bits)),
  };
}

function httpPolicy(options: Options): HttpPolicy {
  return {
    trustedProxies: options.trustedProxies,
    hosts: { allowedHosts: options.allowedHosts, mandatory: options.flavor === 'desktop' },
    allowMissingOrigin: options.allowMissingOrigin,
    tls: options.tls !== null,
  };
}

function startJanitor({ loginLimit, sessions }: Services): () => void {
  const timer = setInterval(() => {
    loginLimit.sweep();
    sessions.sweep();
  }, LOGIN_LIMIT_JANITOR_MS);
  return () => clearInterval(timer);
}

function warnOfFallback(log: Log): (file: string, reason: string) => void {
  return (file, reason) => log.warn('a damaged file was passed over', { file, reason });
}

function monotonicMs(): number {
  return performance.now();
}
