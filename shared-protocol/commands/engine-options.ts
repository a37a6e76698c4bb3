// How an engine is started, and how it says that it is.
import type { EncryptionPolicy } from '../encryption-policy.js';
import type { AddressRanges } from '../address-ranges.js';
import type { AccountId } from '../ids.js';
import type { NetworkOptions } from '../network/network-options.js';
import type { Adopter } from './shares.js';
import type { AccountLimit, QueueLimits, RateLimits } from './limits.js';
import type { SharingOptions } from './sharing.js';

/** Options that the engine is started with: plain data, most of it from the run contract and the settings. */
export interface EngineOptions {
  /** Directory of all state; the engine keeps its store in `<dataDir>/torrents`. */
  readonly dataDir: string;
  /** Where archives of the state are written, on the machine of who starts it: nothing of a torrent is there. @default in `dataDir` */
  readonly backupDir?: string;
  /** Real folders below which files of torrents may be, and nowhere else. @default anywhere but in `dataDir` */
  readonly roots?: readonly string[];
  /** The engine as one of several on shared roots (docs/operate/fleet.md). @default it shares none */
  readonly sharing?: SharingOptions;
  /** Addresses the peer listener binds; the first must be there, the others (IPv6) may not. */
  readonly peerHosts: readonly string[];
  /** Port for peers, the same on all addresses and for the DHT; 0 picks a free one. */
  readonly peerPort: number;
  /** Ports of which the first that is free is taken, in place of the one above. @default none */
  readonly peerPorts?: readonly PortRange[];
  /** The interface and the proxy by which others are reached. @default as the system likes, without one */
  readonly network?: NetworkOptions;
  /** Others are told as little as possible of this program and machine. @default false */
  readonly anonymous?: boolean;
  /** Peers per torrent. @default 100 (docs/limits.md, "Starting values") */
  readonly maxPeersPerTorrent: number;
  /** Peers over all torrents. @default 1000 */
  readonly maxPeers: number;
  /** Upload slots over all torrents, set between these by the measured upload rate. @default 8 to 64 */
  readonly uploadSlots?: { readonly min: number; readonly max: number };
  /** Bytes of the shared piece buffer. @default 48 MiB */
  readonly slabBytes: number;
  /** Threads that hash. @default 2 */
  readonly hashThreads: number;
  readonly logLevel: LogLevel;
  readonly userAgent: string;
  readonly encryption: EncryptionPolicy;
  /** null: no DHT, and no socket for it. */
  readonly dht: DhtOptions | null;
  /** Local service discovery (BEP 14). */
  readonly lsd: boolean;
  /** Asks the router for the peer port by UPnP and NAT-PMP. */
  readonly portMapping: boolean;
  /** Over all torrents. */
  readonly rateLimits: RateLimits;
  /** Accounts that have none are left out. @default none */
  readonly accountLimits?: readonly AccountLimit[];
  readonly queueLimits: QueueLimits;
  /** Accounts that may take over files that lie where a torrent's are to be. @default all */
  readonly adopters?: readonly Adopter[];
  /** Ranges inside that are open for all torrents, as CIDR: `--fetch-allow`. */
  readonly fetchAllow: readonly string[];
  /** Addresses of name servers, with ports where they are others than 53; null: the system's. */
  readonly nameServers: readonly string[] | null;
  /** Accounts as `setInsiders` has them. */
  readonly insiders: readonly AccountId[];
  /** Addresses that it has nothing to do with: whatever is on one of the lists. */
  readonly blocklist: readonly AddressRanges[];
}

/** Both included. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

export interface DhtOptions {
  /** Nodes to begin with besides those of the last run; null: the public routers. */
  readonly bootstrap: readonly { readonly host: string; readonly port: number }[] | null;
}

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';

export interface EngineStarted {
  /** The port that really listens for peers. */
  readonly peerPort: number;
  readonly torrents: number;
}

/** Health and load of the engine thread. */
export interface EngineHealth {
  readonly uptimeMs: number;
  /** 99th percentile of the engine thread's event-loop delay since the last call, in milliseconds. */
  readonly loopDelayP99Ms: number;
  readonly torrents: number;
  readonly connections: number;
  /** Nodes in the DHT's routing table; 0 while there is no DHT. */
  readonly dhtNodes: number;
  /** The port that listens for peers; null: none does. */
  readonly listeningPort: number | null;
  /** A peer has come by itself and named a torrent that is here, since there was another way to others or since the start. */
  readonly hasIncoming: boolean;
  /** Bytes of the piece slab in use. */
  readonly slabUsedBytes: number;
  /** Peers and web seeds banned since the engine started. */
  readonly bans: number;
  /** Pieces that failed their hash after a download, and the bytes in them. */
  readonly failedPieces: number;
  readonly wastedBytes: number;
}
