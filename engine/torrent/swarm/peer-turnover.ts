// Keeps a torrent's connections worth having: those of little use go when it is nearly full, and a newcomer takes the
// place of one that BEP 40 prefers less. Who that is, peers/turnover.ts decides.
import type { PeerKey } from '../../picker/types.js';
import type { PeerAddress } from '../../environment.js';
import { peersToDrop, victimFor, type TurnoverView } from '../../peers/turnover.js';
import type { Peer } from '../peer/peer.js';
import type { TorrentServices } from '../session-interface.js';

export class PeerTurnover {
  #lastTurnoverMs: number;

  constructor(
    private readonly services: TorrentServices,
    private readonly peers: ReadonlyMap<PeerKey, Peer>,
    private readonly maxPeers: () => number,
  ) {
    this.#lastTurnoverMs = services.clock.nowMs();
  }

  /** Whether a peer that came to us may stay; closes the one that yields. */
  makeRoomFor(newcomer: PeerAddress): boolean {
    const { clock, peerFilter } = this.services;
    if (this.peers.size < this.maxPeers()) return true;
    const victim = victimFor({ priority: peerFilter.priority(newcomer) }, this.#views(), clock.nowMs());
    if (victim === null) return false;
    this.peers.get(victim)?.connection.close('YIELDED');
    return true;
  }

  /** Lets go of the slowest above the limit. */
  closeSurplus(): void {
    const surplus = this.peers.size - this.maxPeers();
    if (surplus <= 0) return;
    const slowest = [...this.peers.values()].sort((a, b) => a.down.rate + a.up.rate - b.down.rate - b.up.rate);
    for (const peer of slowest.slice(0, surplus)) peer.connection.close('TOO_MANY_CONNECTIONS');
  }

  /** Once a second. */
  tick(nowMs: number): void {
    const maxPeers = this.maxPeers();
    const limits = { maxPeers, lastTurnoverMs: this.#lastTurnoverMs };
    // Far from full there is nothing to ask.
    if (this.peers.size < maxPeers / 2) return;
    const drops = peersToDrop(this.#views(), limits, nowMs);
    if (drops.length > 0) this.#lastTurnoverMs = nowMs;
    for (const { key, reason } of drops) {
      this.peers.get(key)?.connection.close(reason === 'inactive' ? 'INACTIVE' : 'TURNOVER');
    }
  }

  #views(): TurnoverView[] {
    const views: TurnoverView[] = [];
    for (const peer of this.peers.values()) {
      if (!peer.handshakeDone || peer.webSeedUrl !== null) continue;
      const { key, connectedAtMs, lastPayloadMs, weAreInterested, interested, down, up, connection } = peer;
      views.push({
        key,
        connectedAtMs,
        lastPayloadMs,
        downloadRate: down.rate,
        uploadRate: up.rate,
        downloadedBytes: down.total,
        uploadedBytes: up.total,
        weAreInterested,
        interested,
        isServed: interested && !peer.choked,
        priority: this.services.peerFilter.priority(connection.remote),
      });
    }
    return views;
  }
}
