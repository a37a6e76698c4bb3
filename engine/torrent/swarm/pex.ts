// Peer exchange of one torrent (BEP 11): each connection's `ut_pex`, and what each peer is told and when. Nothing is
// told or believed while the torrent is private (BEP 27).
import type { Clock, PeerAddress } from '../../environment.js';
import { formatAddress } from '../../net/address.js';
import { pexCandidates, PexRoster } from '../../pex/roster.js';
import type { PeerKey } from '../../picker/types.js';
import type { WireExtension } from '../../wire/peer-wire.js';
import {
  createPexExtension,
  type PexExchange,
  type PexFlags,
  type PexListener,
  type PexPeer,
} from '../../pex/extension.js';
import type { Peer } from '../peer/peer.js';

export interface PeerExchangeDeps {
  readonly clock: Clock;
  readonly isPrivate: () => boolean;
  onPeers(addresses: readonly PeerAddress[], flagsOf: (address: PeerAddress) => PexFlags | undefined): void;
}

export class PeerExchange {
  readonly #roster = new PexRoster<PeerKey>();
  readonly #exchanges = new Map<PeerKey, PexExchange>();

  constructor(private readonly deps: PeerExchangeDeps) {}

  /** The extension that the peer's connection is to use. */
  extensionFor(peer: Peer): WireExtension {
    return createPexExtension(this.deps.clock, new PexEar(this, peer));
  }

  /** Keeps the way by which the peer is told of others. */
  onExchange({ key }: Peer, exchange: PexExchange): void {
    this.#exchanges.set(key, exchange);
  }

  onSupported({ key }: Peer): void {
    this.#roster.addRecipient(key);
  }

  onPeers(sender: Peer, added: readonly PexPeer[]): void {
    if (!this.deps.isPrivate()) this.#hear(added, sender);
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

/** Hears one peer. The wire goes on for a moment after its connection was closed: `remove` must have the last word. */
class PexEar implements PexListener {
  constructor(
    private readonly exchange: PeerExchange,
    private readonly peer: Peer,
  ) {}

  onExchange(exchange: PexExchange): void {
    this.exchange.onExchange(this.peer, exchange);
  }

  onSupported(): void {
    if (!this.peer.connection.closed) this.exchange.onSupported(this.peer);
  }

  onPeers(added: readonly PexPeer[]): void {
    if (!this.peer.connection.closed) this.exchange.onPeers(this.peer, added);
  }

  onInvalid(detail: string): void {
    this.peer.connection.close('WIRE_EXTENSION_INVALID', detail);
  }
}
