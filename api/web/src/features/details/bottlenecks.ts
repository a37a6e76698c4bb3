// What keeps a torrent from moving faster, from what the page knows of it: its limits, its swarm and its peers. Pure.
import type { QuotaUsageDto } from '../../../../../shared-protocol/dto/accounts.js';
import type { PeerDto } from '../../../../../shared-protocol/dto/inspector.js';
import type { Torrent } from '../../live/messages.js';
import { stateOf } from '../../state/torrent-state.js';

export type Bottleneck =
  | {
      readonly kind: 'disk' | 'missing' | 'stopped' | 'checking' | 'moving' | 'metadata' | 'firstPeers' | 'monthUsedUp';
    }
  | { readonly kind: 'queued'; readonly position: number }
  /** A limit that the rate is at; bytes per second. */
  | { readonly kind: 'ownLimit' | 'accountLimit' | 'sharedLimit'; readonly limit: number }
  /** No peer is connected. `swarm`: how many its trackers count who could help; -1: none has told. */
  | { readonly kind: 'noPeers' | 'noLeechers'; readonly swarm: number }
  /** No seed is connected; `most`: the share that the most complete peer has. */
  | { readonly kind: 'noSeeds'; readonly most: number }
  | {
      readonly kind: 'choked' | 'snubbed' | 'noneInterested' | 'slots' | 'asFastAsPeers' | 'asFastAsWanted';
      readonly count: number;
    };

export interface Pair {
  readonly down_kbps: number;
  readonly up_kbps: number;
}

export interface BottleneckFacts {
  readonly torrent: Torrent;
  /** Null: not told yet. */
  readonly peers: readonly PeerDto[] | null;
  readonly ownLimits: Pair | null;
  /** The quota of the account whose the torrent is; null: not known. */
  readonly account: QuotaUsageDto | null;
  /** Limits that hold for all torrents together now. */
  readonly sharedLimits: Pair | null;
  /** Bytes per second of all torrents that the account sees. */
  readonly total: { readonly down: number; readonly up: number };
}

const KIB = 1024;
/** A rate swings about its limit. */
const AT_LIMIT = 0.85;

/** The most important first; empty until the peers are told. */
export function bottlenecksOf(facts: BottleneckFacts): readonly Bottleneck[] {
  const { torrent, peers } = facts;
  switch (stateOf(torrent)) {
    case 'error':
      return [{ kind: 'disk' }];
    case 'missing':
      return [{ kind: 'missing' }];
    case 'paused':
    case 'finished':
      return [{ kind: 'stopped' }];
    case 'verifying':
      return [{ kind: 'checking' }];
    case 'moving':
      return [{ kind: 'moving' }];
    case 'queued':
      return [{ kind: 'queued', position: torrent.queue_position }];
    case 'metadata':
      return torrent.peers > 0 ? [{ kind: 'metadata' }] : [{ kind: 'noPeers', swarm: torrent.swarm_seeds }];
    case 'seeding':
      // Another whose it is as well may upload it still.
      if (isMonthUsedUp(facts.account) && torrent.upload_rate === 0) return [{ kind: 'monthUsedUp' }];
      return peers ? [...limitsOf(facts, 'up'), ...ofUpload(torrent, peers)] : [];
    default:
      return peers ? [...limitsOf(facts, 'down'), ...ofDownload(torrent, peers)] : [];
  }
}

function isMonthUsedUp(account: QuotaUsageDto | null): boolean {
  if (!account || account.quota.up_bytes_month === 0) return false;
  return account.used.up_bytes_month >= account.quota.up_bytes_month;
}

function limitsOf(
  { torrent, ownLimits, account, sharedLimits, total }: BottleneckFacts,
  way: 'down' | 'up',
): Bottleneck[] {
  const field = way === 'down' ? 'down_kbps' : 'up_kbps';
  const rate = way === 'down' ? torrent.download_rate : torrent.upload_rate;
  const own = (ownLimits?.[field] ?? 0) * KIB;
  const ofAccount = (account?.quota[field] ?? 0) * KIB;
  const accountRate = (way === 'down' ? account?.used.download_rate : account?.used.upload_rate) ?? 0;
  const shared = (sharedLimits?.[field] ?? 0) * KIB;
  return [
    ...(own > 0 && rate >= own * AT_LIMIT ? [{ kind: 'ownLimit' as const, limit: own }] : []),
    ...(ofAccount > 0 && accountRate >= ofAccount * AT_LIMIT
      ? [{ kind: 'accountLimit' as const, limit: ofAccount }]
      : []),
    ...(shared > 0 && total[way] >= shared * AT_LIMIT ? [{ kind: 'sharedLimit' as const, limit: shared }] : []),
  ];
}

function ofDownload(torrent: Torrent, peers: readonly PeerDto[]): Bottleneck[] {
  if (peers.length === 0) return [{ kind: 'noPeers', swarm: torrent.swarm_seeds }];
  const sending = withFlag(peers, 'D');
  const choking = withFlag(peers, 'd');
  const most = Math.max(...peers.map(({ progress }) => progress));
  const found: Bottleneck[] = [];
  if (most < 1) found.push({ kind: 'noSeeds', most });
  const snubbing = withFlag(peers, 'S');
  if (sending === 0 && choking > 0) found.push({ kind: 'choked', count: choking });
  else if (snubbing > 0 && torrent.download_rate === 0) found.push({ kind: 'snubbed', count: snubbing });
  if (found.length > 0) return found;
  return [sending > 0 ? { kind: 'asFastAsPeers', count: sending } : { kind: 'firstPeers' }];
}

function ofUpload(torrent: Torrent, peers: readonly PeerDto[]): Bottleneck[] {
  if (peers.length === 0) return [{ kind: 'noLeechers', swarm: torrent.swarm_leechers }];
  const fed = withFlag(peers, 'U');
  const waiting = withFlag(peers, 'u');
  if (fed === 0 && waiting === 0) return [{ kind: 'noneInterested', count: peers.length }];
  if (waiting > 0) return [{ kind: 'slots', count: waiting }];
  return [{ kind: 'asFastAsWanted', count: fed }];
}

/** Returns how many have the flag. */
function withFlag(peers: readonly PeerDto[], flag: string): number {
  return peers.filter(({ flags }) => flags.includes(flag)).length;
}
