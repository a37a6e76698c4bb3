// Incoming connections before their torrent is known: the handshake has to come soon and name a torrent that is
// online; then the connection is the torrent's. Those that say nothing cannot keep others out: there are few of them
// at any time, and the longest silent makes room for the newest (docs/limits.md 2.10).
import type { HandshakeExtensions } from 'bittorrent-protocol';
import type { InfoHash, PeerId } from '../../shared-protocol/ids.js';
import { formatAddress, isLocalHost, networkOf } from '../net/address.js';
import type { Clock, Log, PeerSocket } from '../environment.js';
import { HANDSHAKE_TIMEOUT_MS } from '../wire/constants.js';
import type { CloseReason } from '../wire/errors.js';
import { PeerConnection, type ConnectionDeps, type ConnectionHandler } from '../wire/peer-connection.js';

export interface IncomingDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly peerId: PeerId;
  /** Connections that the session may still have. */
  readonly room: () => number;
  readonly isBanned: (host: string) => boolean;
  readonly connections: ConnectionDeps;
  /** Gives the connection to its torrent, which answers the handshake; false when there is none. */
  readonly hand: (infoHash: InfoHash, connection: PeerConnection, peerId: PeerId, dht: boolean) => boolean;
}

/** No spec value: what dials us at once after a start, many times over. */
export const MAX_PENDING = 256;
/** Pending connections of one public network. */
export const MAX_PENDING_PER_NETWORK = 8;

interface Pending {
  readonly deadlineMs: number;
  /** The network that may have only so many; null for neighbours. */
  readonly network: string | null;
}

export class IncomingConnections {
  /** In the order in which they came. */
  readonly #pending = new Map<PeerConnection, Pending>();

  #hasCome = false;

  constructor(private readonly deps: IncomingDeps) {}

  /** A peer has named a torrent that is here, since connections were all closed or since the start. */
  get hasCome(): boolean {
    return this.#hasCome;
  }

  /** Connections that have not said yet what they want. */
  get pending(): number {
    return this.#pending.size;
  }

  accept(socket: PeerSocket): void {
    const { host } = socket.remote;
    const network = isLocalHost(host) ? null : networkOf(host);
    if (this.deps.isBanned(host) || !this.#makeRoom(network)) return socket.destroy();
    const handler = new Greeting(
      (infoHash, peerId, { dht }) => this.#onHandshake(connection, infoHash, peerId, dht === true),
      (reason, detail) => this.#onClose(connection, reason, detail),
    );
    const { clock, connections } = this.deps;
    const connection = new PeerConnection(socket, { kind: 'incoming' }, handler, connections);
    this.#pending.set(connection, { deadlineMs: clock.nowMs() + HANDSHAKE_TIMEOUT_MS, network });
  }

  /** Once a second. */
  tick(nowMs: number): void {
    for (const [connection, { deadlineMs }] of this.#pending) {
      if (nowMs >= deadlineMs) connection.close('HANDSHAKE_TIMEOUT');
    }
  }

  /** Others are banned than before. */
  closeBanned(): void {
    for (const connection of [...this.#pending.keys()]) {
      if (this.deps.isBanned(connection.remote.host)) connection.close('BLOCKED');
    }
  }

  closeAll(): void {
    this.#hasCome = false;
    for (const connection of [...this.#pending.keys()]) connection.close('ENGINE_STOPPING');
  }

  /** False when there is none. */
  #makeRoom(network: string | null): boolean {
    const room = Math.min(this.deps.room(), MAX_PENDING);
    if (room <= 0) return false;
    if (network !== null) {
      let same = 0;
      for (const pending of this.#pending.values()) if (pending.network === network) same++;
      if (same >= MAX_PENDING_PER_NETWORK) return false;
    }
    for (const connection of this.#pending.keys()) {
      if (this.#pending.size < room) break;
      connection.close('YIELDED');
    }
    return true;
  }

  #onHandshake(connection: PeerConnection, infoHash: InfoHash, peerId: PeerId, dht: boolean): void {
    // It is the end that dialled that learns from the answer whose address this is, and hangs up.
    if (peerId === this.deps.peerId) return connection.sendHandshake(infoHash, peerId);
    this.#pending.delete(connection);
    if (this.deps.room() <= 0) return connection.close('TOO_MANY_CONNECTIONS');
    if (this.deps.hand(infoHash, connection, peerId, dht)) this.#hasCome = true;
    else connection.close('HANDSHAKE_UNKNOWN_TORRENT');
  }

  #onClose(connection: PeerConnection, reason: CloseReason, detail: string): void {
    this.#pending.delete(connection);
    this.deps.log.debug('incoming connection closed', { peer: formatAddress(connection.remote), reason, detail });
  }
}

/** Until the handshake names a torrent nothing else means anything. */
class Greeting implements ConnectionHandler {
  constructor(
    readonly onHandshake: (infoHash: InfoHash, peerId: PeerId, extensions: HandshakeExtensions) => void,
    readonly onClose: (reason: CloseReason, detail: string) => void,
  ) {}

  onConnect(): void {}
  onChoke(): void {}
  onUnchoke(): void {}
  onInterested(): void {}
  onNotInterested(): void {}
  onHave(): void {}
  onBitfield(): void {}
  onHaveAll(): void {}
  onHaveNone(): void {}
  onAllowedFast(): void {}
  onPort(): void {}
  onExtendedHandshake(): void {}
  onRequest(): void {}
  onCancel(): void {}
  onReject(): void {}
  onBlockStart(): null {
    return null;
  }
  onBlockEnd(): void {}
  onReadEnd(): void {}
  onDrain(): void {}
}
