// A magnet's info dictionary: asked of a few peers at a time (BEP 9), each with its own buffer, so that one that
// lies or stalls holds up no other. The first whose bytes hash to the info hash wins; `ut_metadata` checks that.
import type { Peer } from '../peer/peer.js';

/** Peers asked at the same time; each sends the whole dictionary, so more only cost traffic. */
const PARALLEL_PEERS = 4;
/** A peer that has not delivered by then gives its place to another. */
const PEER_TIMEOUT_MS = 30_000;

export class MetadataFetch {
  readonly #waiting = new Set<Peer>();
  readonly #asked = new Map<Peer, { readonly sinceMs: number }>();

  /** Peers that were asked and did not deliver; asked again only when no other peer is left. */
  readonly #spent = new Set<Peer>();

  constructor(private readonly nowMs: () => number) {}

  addPeer(peer: Peer): void {
    this.#waiting.add(peer);
    this.#askMore();
  }

  removePeer(peer: Peer): void {
    this.#waiting.delete(peer);
    this.#spent.delete(peer);
    if (this.#asked.delete(peer)) this.#askMore();
  }

  /** The peer has no metadata, or did not send what it promised. */
  onUnavailable(peer: Peer): void {
    if (!this.#asked.delete(peer)) return;
    peer.metadata?.cancel();
    this.#spent.add(peer);
    this.#askMore();
  }

  tick(): void {
    const now = this.nowMs();
    for (const [peer, { sinceMs }] of [...this.#asked]) {
      if (now - sinceMs > PEER_TIMEOUT_MS) this.onUnavailable(peer);
    }
    if (this.#asked.size > 0 || this.#waiting.size > 0) return;
    for (const peer of this.#spent) this.#waiting.add(peer);
    this.#spent.clear();
    this.#askMore();
  }

  #askMore(): void {
    for (const peer of this.#waiting) {
      if (this.#asked.size >= PARALLEL_PEERS) return;
      this.#waiting.delete(peer);
      this.#asked.set(peer, { sinceMs: this.nowMs() });
      peer.metadata?.fetch();
    }
  }
}
