// What the engine is started with: flags before stored settings, and the fixed sizes of this build.
import { formatCidr } from '../../shared-protocol/address-policy.js';
import type { EngineOptions, EngineStarted } from '../../shared-protocol/commands/engine-options.js';
import { startOnFreePort } from '../engine-client/free-port.js';
import type { Log } from '../logging.js';
import type { Options } from '../cli/options.js';
import type { Settings } from '../services/settings/settings.js';
import { VERSION } from '../version.js';
import type { Supervised } from './supervised-engine.js';

const MIB = 1024 * 1024;

/** The options that change while the service runs. */
type OptionsOfNow = Required<
  Pick<EngineOptions, 'rateLimits' | 'accountLimits' | 'blocklist' | 'adopters' | 'insiders'>
>;

export function engineOptions(
  options: Options,
  settings: Settings,
  { rateLimits, accountLimits, blocklist, adopters, insiders }: OptionsOfNow,
): EngineOptions {
  return {
    dataDir: options.dataDir,
    backupDir: options.backupDir,
    peerHosts: ['0.0.0.0', '::'],
    peerPort: settings.peerPort,
    peerPorts: settings.peerPorts,
    network: settings.network,
    anonymous: settings.isAnonymous,
    maxPeersPerTorrent: settings.maxPeersPerTorrent,
    maxPeers: settings.maxPeers,
    ...(settings.uploadSlots && { uploadSlots: settings.uploadSlots }),
    slabBytes: 48 * MIB,
    hashThreads: 2,
    logLevel: options.logLevel,
    userAgent: `swarmd/${VERSION}`,
    encryption: settings.encryption,
    dht: settings.isDhtOn ? { bootstrap: options.dhtBootstrap } : null,
    lsd: settings.isLsdOn,
    portMapping: settings.isPortMappingOn,
    rateLimits,
    accountLimits,
    queueLimits: settings.queueLimits,
    fetchAllow: options.fetchAllow.map(formatCidr),
    nameServers: options.nameServers,
    insiders,
    blocklist,
    adopters,
  };
}

/** A port that was only stored gives way when another program has it; one that was asked for does not. */
export async function startSupervised(
  engine: Pick<Supervised, 'start'>,
  options: EngineOptions,
  settings: Settings,
  log: Log,
): Promise<EngineStarted> {
  if (settings.isPeerPortForced) return engine.start(options);
  return startOnFreePort(
    (wanted) => engine.start(wanted),
    options,
    () => log.warn('the stored peer port is taken; using a free one', { port: options.peerPort }),
  );
}
