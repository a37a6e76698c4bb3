// What the engine is started with: flags before stored settings, and the fixed sizes of this build.
import ipaddr from 'ipaddr.js';
import type { AddressRanges } from '../../shared-protocol/address-ranges.js';
import type { Adopter, EngineOptions, EngineStarted, RateLimits } from '../../shared-protocol/commands.js';
import { AppError } from '../../shared-protocol/errors.js';
import type { Log } from '../logging.js';
import type { Options } from '../options.js';
import type { EngineSupervisor } from '../services/engine-supervisor.js';
import type { Settings } from '../services/settings/settings.js';
import { VERSION } from '../version.js';

const LOOPBACK = ipaddr.parse('127.0.0.1');
const MIB = 1024 * 1024;

export function engineOptions(
  options: Options,
  settings: Settings,
  rateLimits: RateLimits,
  blocklist: AddressRanges | null,
  adopters: readonly Adopter[],
): EngineOptions {
  return {
    dataDir: options.dataDir,
    peerHosts: ['0.0.0.0', '::'],
    peerPort: settings.peerPort,
    maxPeersPerTorrent: settings.maxPeersPerTorrent,
    maxPeers: options.maxPeers,
    slabBytes: 48 * MIB,
    hashThreads: 2,
    logLevel: options.logLevel,
    userAgent: `swarmd/${VERSION}`,
    encryption: settings.encryption,
    dht: settings.isDhtOn ? { bootstrap: options.dhtBootstrap } : null,
    lsd: settings.isLsdOn,
    portMapping: settings.isPortMappingOn,
    rateLimits,
    queueLimits: settings.queueLimits,
    webSeedsOnLoopback: options.fetchAllow.some(([network, bits]) => LOOPBACK.match(network, bits)),
    blocklist,
    adopters,
  };
}

/** A port that was only stored gives way when somebody else has it; one that was asked for does not. */
export async function startSupervised(
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
