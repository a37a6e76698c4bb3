// Peer exchange of one torrent (BEP 11): each connection's `ut_pex`, and what each peer is told and when. Nothing is
// told or believed while the torrent is private (BEP 27).
import type { Clock, PeerAddress } from '../ports.js';
import { formatAddress } from '../peers/address.js';
import { pexCandidates } from '../peers/pex-candidates.js';
import { PexRoster } from '../peers/pex-roster.js';
import type { PeerKey } from '../picker/types.js';
import type { WireExtensionConstructor } from 'bittorrent-protocol';
import { createPexExtension, type PexExchange, type PexFlags, type PexPeer } from '../wire/pex-extension.js';
import type { Peer } from './peer.js';

export interface ExchangeDeps {
  readonly clock: Clock;
  readonly isPrivate: () => boolean;
  onPeers(addresses: readonly PeerAddress[], flagsOf: (address: PeerAddress) => PexFlags | undefined): void;
}

export class Exchange {
  readonly #roster = new PexRoster<PeerKey>();
  readonly #exchanges = new Map<PeerKey, PexExchange>();

  constructor(private readonly deps: ExchangeDeps) {}

  /** What the peer's connection is to use. */
  extensionFor(peer: Peer): WireExtensionConstructor {
    const { key } = peer;
    return createPexExtension(this.deps.clock, {
      onExchange: (exchange) => this.#exchanges.set(key, exchange),
      // The wire goes on for a moment after its connection was closed: `remove` must have the last word.
      onSupported: () => {
        if (!peer.connection.closed) this.#roster.addRecipient(key);
      },
      onPeers: (added) => {
        if (!peer.connection.closed && !this.deps.isPrivate()) this.#hear(added, peer);
      },
      onInvalid: (detail) => peer.connection.close('WIRE_EXTENSION_INVALID', detail),
    });
  }

  /** The others may know of the peer: where it listens is known. Also when what is said of it has changed. */
  list(peer: Peer, address: PeerAddress): void {
    const { connection, isSeed, uploadOnly } = peer;
    const flags = {
      prefersEncryption: connection.protection !== 'none',
      isSeed: isSeed || uploadOnly,
      supportsUtp: false,
      supportsHolepunch: false,
      isReachable: connection.direction === 'outgoing',
    };
    this.#roster.add(peer.key, { address, flags });
  }

  remove(peer: Peer): void {
    this.#exchanges.delete(peer.key);
    this.#roster.remove(peer.key);
    this.#roster.forget(peer.key);
  }

  /** Once a second. */
  tick(nowMs: number): void {
    if (this.deps.isPrivate()) return;
    for (const key of this.#roster.recipientsDue(nowMs)) {
      const message = this.#roster.messageFor(key, nowMs);
      if (message) this.#exchanges.get(key)?.send(message);
    }
  }

  #hear(added: readonly PexPeer[], sender: Peer): void {
    const flags = new Map(added.map((peer) => [formatAddress(peer.address), peer.flags]));
    const candidates = pexCandidates(added, sender.connection.remote);
    if (candidates.length > 0) this.deps.onPeers(candidates, (address) => flags.get(formatAddress(address)));
  }
}
