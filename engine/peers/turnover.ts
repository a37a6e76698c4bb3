// Which connections make room for others (docs/limits.md 2.18): a torrent that is nearly full exchanges its least
// useful peers now and then (libtorrent's peer_turnover), lets go of those that sleep, and weighs newcomers by BEP 40.
// Pure: it closes nothing. A peer that transfers, is served by us or has only just come is left alone.
import { MINUTE_MS, SECOND_MS } from '../environment.js';

/** libtorrent `peer_turnover_interval`, `peer_turnover` and `peer_turnover_cutoff`. */
const TURNOVER_INTERVAL_MS = 300 * SECOND_MS;
const TURNOVER_SHARE = 0.04;
const NEARLY_FULL = 0.9;
/** libtorrent `inactivity_timeout`. */
const INACTIVITY_MS = 600 * SECOND_MS;
/** Long enough for bitfield, interest and a choke round. */
const SETTLING_MS = MINUTE_MS;

/** A peer whose handshake is through. Times are monotonic milliseconds. */
export interface TurnoverView {
  readonly key: number;
  readonly connectedAtMs: number;
  /** When payload last went one way or the other; null: never. */
  readonly lastPayloadMs: number | null;
  /** Payload bytes per second now, and in all. */
  readonly downloadRate: number;
  readonly uploadRate: number;
  readonly downloadedBytes: number;
  readonly uploadedBytes: number;
  /** Whether it has pieces that we want; whether it wants some of ours; whether it wants some and we unchoked it. */
  readonly weAreInterested: boolean;
  readonly interested: boolean;
  readonly isServed: boolean;
  /** BEP 40; larger is preferred. */
  readonly priority: number;
}

export interface TurnoverLimits {
  readonly maxPeers: number;
  /** When a peer was last dropped for these reasons, or the torrent came to life. */
  readonly lastTurnoverMs: number;
}

export interface TurnoverDrop {
  readonly key: number;
  readonly reason: 'inactive' | 'turnover';
}

/** Whether a side still wants pieces. `uploadOnly`: it has all that it wants (BEP 21); a seed has everything. */
export interface Completion {
  readonly isSeed: boolean;
  readonly uploadOnly: boolean;
}

/** The peers to close now; none unless the torrent is nearly full. Cheap enough to ask once a second. */
export function peersToDrop(peers: readonly TurnoverView[], limits: TurnoverLimits, nowMs: number): TurnoverDrop[] {
  const cutoff = limits.maxPeers * NEARLY_FULL;
  if (peers.length < cutoff) return [];
  const spare = peers.filter((peer) => isSpare(peer, nowMs));
  // As many as leave room; the rest may yet wake up.
  const surplus = peers.length - Math.ceil(cutoff) + 1;
  const drops: TurnoverDrop[] = spare
    .filter((peer) => isInactive(peer, nowMs))
    .sort((a, b) => lastActiveMs(a) - lastActiveMs(b) || a.key - b.key)
    .slice(0, surplus)
    .map(({ key }) => ({ key, reason: 'inactive' }));
  if (nowMs - limits.lastTurnoverMs < TURNOVER_INTERVAL_MS) return drops;
  const share = Math.max(1, Math.floor(peers.length * TURNOVER_SHARE));
  const gone = new Set(drops.map(({ key }) => key));
  const least = spare.filter(({ key }) => !gone.has(key)).sort((a, b) => compareValue(a, b, nowMs));
  for (const { key } of least.slice(0, Math.max(0, share - drops.length))) drops.push({ key, reason: 'turnover' });
  return drops;
}

/**
 * The peer that yields when one comes to a full torrent: the one of lowest BEP 40 priority, if the newcomer's is
 * higher; null: none, refuse the newcomer. Both ends of a connection compute the same priority, so that full peers
 * agree on which to keep and the swarm stays well connected.
 */
export function victimFor(
  newcomer: Pick<TurnoverView, 'priority'>,
  peers: readonly TurnoverView[],
  nowMs: number,
): number | null {
  let victim: TurnoverView | null = null;
  for (const peer of peers) {
    if (peer.priority >= (victim ?? newcomer).priority || !isSpare(peer, nowMs)) continue;
    victim = peer;
  }
  return victim?.key ?? null;
}

/** Neither side can want anything of the other any more. */
export function isRedundant(us: Completion, them: Completion): boolean {
  return (us.isSeed || us.uploadOnly) && (them.isSeed || them.uploadOnly);
}

function isSpare(peer: TurnoverView, nowMs: number): boolean {
  const transfers = peer.downloadRate > 0 || peer.uploadRate > 0;
  return !transfers && !peer.isServed && nowMs - peer.connectedAtMs >= SETTLING_MS;
}

function isInactive(peer: TurnoverView, nowMs: number): boolean {
  return !peer.weAreInterested && !peer.interested && nowMs - lastActiveMs(peer) >= INACTIVITY_MS;
}

function lastActiveMs({ connectedAtMs, lastPayloadMs }: TurnoverView): number {
  return Math.max(connectedAtMs, lastPayloadMs ?? connectedAtMs);
}

/** The least worth first: what either side hopes for, then what it has moved for its time here, then BEP 40. */
function compareValue(a: TurnoverView, b: TurnoverView, nowMs: number): number {
  return hope(a) - hope(b) || yieldOf(a, nowMs) - yieldOf(b, nowMs) || a.priority - b.priority || a.key - b.key;
}

function hope({ weAreInterested, interested }: TurnoverView): number {
  return (weAreInterested ? 2 : 0) + (interested ? 1 : 0);
}

function yieldOf({ downloadedBytes, uploadedBytes, connectedAtMs }: TurnoverView, nowMs: number): number {
  return (downloadedBytes + uploadedBytes) / (nowMs - connectedAtMs);
}
