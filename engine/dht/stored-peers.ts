// What others may store with us: mirrors the peers that the package keeps, as it has one limit for all torrents
// together only. Asked before an announce reaches the package; told when the package has stored one.
import type { Clock, PeerAddress } from '../environment.js';
import {
  STORE_MAX_PEERS_PER_HOST,
  STORE_MAX_PEERS_PER_TORRENT,
  STORE_MAX_TORRENTS,
  STORE_PEER_LIFE_MS,
} from './constants.js';
import { compactAddress } from './node-address.js';

/** Address and port as one number of 48 bits, and when the entry is forgotten. */
type Peers = Map<number, number>;

const PORTS = 65_536;

export class StoredPeers {
  /** By info hash in hex; the one announced longest ago first. */
  readonly #torrents = new Map<string, Peers>();

  constructor(private readonly clock: Clock) {}

  get torrentCount(): number {
    return this.#torrents.size;
  }

  /** Whether there is room for this peer. */
  admits(infoHash: string, peer: PeerAddress): boolean {
    this.#forgetOldTorrents();
    const peers = this.#torrents.get(infoHash);
    if (!peers) return this.#torrents.size < STORE_MAX_TORRENTS;
    const key = keyOf(peer);
    if (peers.has(key)) return true;
    forgetOldPeers(peers, this.clock.nowMs());
    if (peers.size >= STORE_MAX_PEERS_PER_TORRENT) return false;
    let ofHost = 0;
    for (const other of peers.keys()) if (Math.floor(other / PORTS) === Math.floor(key / PORTS)) ofHost++;
    return ofHost < STORE_MAX_PEERS_PER_HOST;
  }

  /** The package has stored this peer. */
  stored(infoHash: string, peer: PeerAddress): void {
    const peers: Peers = this.#torrents.get(infoHash) ?? new Map<number, number>();
    this.#torrents.delete(infoHash);
    this.#torrents.set(infoHash, peers);
    const key = keyOf(peer);
    peers.delete(key);
    peers.set(key, this.clock.nowMs() + STORE_PEER_LIFE_MS);
  }

  #forgetOldTorrents(): void {
    const nowMs = this.clock.nowMs();
    for (const [infoHash, peers] of this.#torrents) {
      forgetOldPeers(peers, nowMs);
      if (peers.size > 0) return;
      this.#torrents.delete(infoHash);
    }
  }
}

function forgetOldPeers(peers: Peers, nowMs: number): void {
  for (const [key, forgetMs] of peers) {
    if (forgetMs > nowMs) return;
    peers.delete(key);
  }
}

function keyOf(peer: PeerAddress): number {
  const bytes = compactAddress(peer);
  return bytes.readUInt32BE(0) * PORTS + bytes.readUInt16BE(4);
}
