// What an engine of its own process is started with: what its front says, but for what belongs to this machine. Pure.
import type { CommandName, CommandParams } from '../shared-protocol/commands.js';
import type { EngineOptions, LogLevel } from '../shared-protocol/commands/engine-options.js';
import type { SharingOptions } from '../shared-protocol/commands/sharing.js';

/** Options of who runs the process, whatever a front says. */
export interface OwnOptions {
  readonly dataDir: string;
  /** Real folders; none: anywhere. */
  readonly roots: readonly string[];
  /** null: it shares no roots. */
  readonly sharing: Pick<SharingOptions, 'engineId' | 'roots'> | null;
  /** null: as the front says. */
  readonly peerPort: number | null;
  readonly fetchAllow: readonly string[] | null;
  readonly logLevel: LogLevel;
  /** Names this program, whose version may be another than the front's. */
  readonly userAgent: string;
}

/** The lease of an engine on shared roots. */
export type LeaseHeld = Pick<SharingOptions, 'epoch' | 'leaseEnd'>;

/** Options that an engine takes on while it runs, each by its command. */
const LIVE = [
  ...(['rateLimits', 'accountLimits', 'queueLimits', 'adopters', 'insiders'] as const),
  ...(['blocklist', 'network', 'maxPeersPerTorrent'] as const),
];
type Live = Pick<EngineOptions, (typeof LIVE)[number]>;
const IS_LIVE: ReadonlySet<string> = new Set(LIVE);
const PORTS: ReadonlySet<string> = new Set(['peerPort', 'peerPorts'] satisfies (keyof EngineOptions)[]);

/** `lease`: the one that it begins under, where it shares roots. */
export function ownOptions(
  { sharing: _, backupDir: _there, ...said }: EngineOptions,
  own: OwnOptions,
  lease: LeaseHeld | null,
): EngineOptions {
  return {
    ...said,
    ...(own.sharing && lease && { sharing: { ...own.sharing, ...lease } }),
    ...{ dataDir: own.dataDir, logLevel: own.logLevel, userAgent: own.userAgent },
    ...(own.roots.length > 0 && { roots: own.roots }),
    ...(own.peerPort !== null && { peerPort: own.peerPort, peerPorts: [] }),
    ...(own.fetchAllow !== null && { fetchAllow: own.fetchAllow }),
  };
}

/** Whether the engine has to begin again for what is wanted. `peerPort`: the one that it has now. */
export function mustRestart(has: EngineOptions, wanted: EngineOptions, peerPort: number): boolean {
  const isSamePort =
    wanted.peerPort === peerPort ||
    JSON.stringify([has.peerPort, has.peerPorts ?? []]) === JSON.stringify([wanted.peerPort, wanted.peerPorts ?? []]);
  return !isSamePort || JSON.stringify(fixedOf(has)) !== JSON.stringify(fixedOf(wanted));
}

/** Options of an engine that runs, with what of others it takes on while it does. */
export function liveOptions(has: EngineOptions, wanted: EngineOptions): EngineOptions {
  const live: Partial<Live> = Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => IS_LIVE.has(name) && value !== undefined),
  );
  return { ...has, ...live };
}

/** The options that hold from one start to the next, in one order; the port is compared apart. */
function fixedOf(options: EngineOptions): unknown[] {
  const fixed = Object.entries(options).filter(([name]) => !IS_LIVE.has(name) && !PORTS.has(name));
  return fixed.toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** The options after a command that changes them; the same ones after any other. */
export function changedBy<Name extends CommandName>(
  options: EngineOptions,
  name: Name,
  params: CommandParams<Name>,
): EngineOptions {
  const change = CHANGES[name] as ((params: CommandParams<Name>) => Partial<Live>) | undefined;
  return change ? { ...options, ...change(params) } : options;
}

const CHANGES: { readonly [Name in CommandName]?: (params: CommandParams<Name>) => Partial<Live> } = {
  setRateLimits: (rateLimits) => ({ rateLimits }),
  setAccountLimits: ({ limits }) => ({ accountLimits: limits }),
  setQueueLimits: (queueLimits) => ({ queueLimits }),
  setPeerLimits: ({ maxPeersPerTorrent }) => ({ maxPeersPerTorrent }),
  setAdopters: ({ adopters }) => ({ adopters }),
  setInsiders: ({ accountIds }) => ({ insiders: accountIds }),
  setBlocklist: ({ lists }) => ({ blocklist: lists }),
  setNetwork: (network) => ({ network }),
};
