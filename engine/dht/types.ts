// The DHT as the session sees it.
import type { InfoHash } from '../../shared-protocol/ids.js';
import type { Outlet } from '../../shared-protocol/network/outlet.js';
import type { ResolveName } from '../../shared-protocol/names/name-resolver.js';
import type { TorrentStore } from '../../storage/types.js';
import type { Clock, Log, PeerAddress, Random } from '../environment.js';

export interface DhtNodeDeps {
  readonly clock: Clock;
  /** Must be unpredictable: transaction ids and the node id come from it. */
  readonly random: Random;
  readonly log: Log;
  /** Keeps our node id and known nodes across restarts. */
  readonly store: Pick<TorrentStore, 'meta' | 'putMeta'>;
  /** Called during lookups, with each peer once for each lookup. */
  readonly onPeers: (infoHash: InfoHash, peers: readonly PeerAddress[]) => void;
  /** False for addresses that we neither ask, hear nor hand on, such as those of the blocklist. */
  readonly isAllowed?: (address: PeerAddress) => boolean;
  /** Resolves the names of bootstrap hosts. @default by the system's name servers */
  readonly names?: ResolveName;
  /** The way to other nodes. @default the system's */
  readonly outlet?: Outlet;
}

export interface DhtNodeOptions {
  /** IPv4 literal to bind to: `0.0.0.0`, or `127.0.0.1` in tests. */
  readonly host: string;
  /** UDP port; 0 for any. */
  readonly port: number;
  /** Asked while no node is known; null for the public routers. */
  readonly bootstrap: readonly PeerAddress[] | null;
}

export interface DhtNode {
  /** The UDP port that is bound: what `port` messages (BEP 5) name. */
  readonly port: number;
  /** Nodes in the routing table. */
  readonly nodeCount: number;
  /** An address that may be a node, from a peer's `port` message; asked when limits allow. Anything is fine here. */
  addNode(address: PeerAddress): void;
  /** Looks up and announces the torrent from now on; a port of 0 means: look up only. Not for private torrents. */
  add(infoHash: InfoHash, announce: { port(): number }): void;
  remove(infoHash: InfoHash): void;
  /** The torrent was just added by an account or is out of peers: looked up soon, though at most once a minute. */
  hurry(infoHash: InfoHash): void;
  /** Our public IPv4 address: the node id of the next start will suit it (BEP 42). */
  setExternalAddress(ip: string): void;
  /** Others are allowed than before: nodes that are not are forgotten. */
  dropDisallowed(): void;
  stats(): DhtStats;
  /** Saves nodes and closes the socket. */
  close(): Promise<void>;
}

/** Counters since the start, unless said otherwise. */
export interface DhtStats {
  /** Now in the table. */
  readonly nodes: number;
  /** Torrents looked up in turn, now. */
  readonly torrents: number;
  readonly lookups: number;
  readonly announces: number;
  readonly peersFound: number;
  readonly traffic: TrafficCounters;
}

export interface TrafficCounters {
  readonly received: number;
  /** Dropped because of their length, their bencoding, or arguments that BEP 5 does not allow. */
  readonly malformed: number;
  /** Queries for what we do not offer: BEP 44 and others. */
  readonly unknownQueries: number;
  /** Dropped because their source sends too much. */
  readonly flooding: number;
  /** From addresses that are not allowed. */
  readonly disallowed: number;
  /** Replies to nothing that we asked, or from somewhere else. */
  readonly unsolicited: number;
  readonly queriesSent: number;
  readonly repliesSent: number;
  readonly replyBytesSent: number;
  /** Replies not sent because the budget was used up. */
  readonly overBudget: number;
  /** Announces of others refused because of our limits. */
  readonly notStored: number;
  readonly sendErrors: number;
  /** Anything thrown by the package while it had a message; always a bug. */
  readonly packageErrors: number;
}
