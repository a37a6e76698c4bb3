// A torrent's presence in its swarm: the addresses it knows, its connections, and the content they need. Comes into
// being with the first peer and goes when the last has left for a while; what may happen when is the torrent's to say.
import type { PeerId, TorrentId } from '../../shared-protocol/ids.js';
import { formatAddress } from '../peers/address.js';
import { KnownPeers } from '../peers/known-peers.js';
import { piecePrioritiesFromFiles, type PeerKey } from '../picker/index.js';
import type { CloseReason } from '../wire/errors.js';
import type { PeerConnection } from '../wire/peer-connection.js';
import type { Bitfield } from './bitfield.js';
import type { Content } from './content.js';
import { disconnectKind } from './disconnect.js';
import type { Peer } from './peer.js';
import type { TorrentServices } from './services.js';
import { Suspects } from './suspects.js';
import { Swarm, type SwarmEvents } from './swarm.js';

/** A torrent without peers keeps its content this long. */
const SLEEP_AFTER_MS = 60_000;

export interface PresenceEvents extends Omit<SwarmEvents, 'download' | 'onPeerClosed'> {
  onPieceVerified(piece: number): void;
  onWriteFailed(error: unknown): void;
  /** An address became free to be tried again. */
  onAddressFree(): void;
  /** The first peer comes: there is a swarm to look after from now on, until `onAsleep`. */
  onAwake(): void;
  onAsleep(): void;
}

export interface PresenceDeps {
  readonly id: TorrentId;
  readonly services: TorrentServices;
  /** Reads the content from the store; null while the metadata is unknown or unreadable. */
  readonly load: () => Content | null;
  readonly have: () => Bitfield | null;
  readonly events: PresenceEvents;
}

export class Presence {
  readonly known = new KnownPeers();
  readonly #suspects = new Suspects();
  #content: Content | null = null;
  #swarm: Swarm | null = null;
  #lastPeerMs = 0;
  #released: Promise<void> = Promise.resolve();

  constructor(private readonly deps: PresenceDeps) {}

  get swarm(): Swarm | null {
    return this.#swarm;
  }

  get peerCount(): number {
    return this.#swarm?.peers.size ?? 0;
  }

  /** What is open at the moment. */
  get openedContent(): Content | null {
    return this.#content;
  }

  content(): Content | null {
    this.#content ??= this.deps.load();
    return this.#content;
  }

  /** The metadata has just become known. */
  setContent(content: Content): void {
    this.#content = content;
  }

  /** The connected peers may be served and asked now. */
  giveContent(): void {
    const content = this.content();
    const have = this.deps.have();
    if (content && have) this.#swarm?.setContent({ ...content, have });
  }

  accept(connection: PeerConnection, peerId: PeerId): void {
    this.#wake().accept(connection, peerId);
  }

  /** Connects to the next known address; false when there is none to try now. */
  connectNext(nowMs: number): boolean {
    if (this.peerCount >= this.deps.services.identity.maxPeersPerTorrent()) return false;
    const peer = this.known.take(nowMs);
    if (peer) this.#wake().connect(peer.address);
    return peer !== null;
  }

  startDownload(sequential: boolean): void {
    const content = this.#swarm && this.content();
    if (!this.#swarm || this.#swarm.download || !content) return;
    this.#swarm.startDownload(({ picker }) => {
      picker.setPriorities(piecePrioritiesFromFiles(content.info, content.priorities));
      picker.setSequential(sequential);
    });
    content.storage.createEmptyFiles().catch((error: unknown) => this.deps.events.onWriteFailed(error));
  }

  stopDownload(): void {
    this.#swarm?.stopDownload();
  }

  /** Once a second while awake; goes to sleep by itself unless it is busy otherwise. */
  tick(nowMs: number, elapsedMs: number, isBusy: boolean): void {
    this.#swarm?.tick(nowMs, elapsedMs);
    if (this.peerCount > 0 || isBusy) this.#lastPeerMs = nowMs;
    else if (nowMs - this.#lastPeerMs > SLEEP_AFTER_MS) this.leave('TORRENT_STOPPED');
  }

  /** Closes every connection and lets go of the content. */
  leave(reason: CloseReason): void {
    if (this.#swarm) {
      this.#swarm.closeAll(reason);
      this.#swarm = null;
      this.deps.events.onAsleep();
    }
    this.releaseContent();
  }

  /** Idle torrents hold no parsed metainfo and no descriptors. */
  releaseContent(): void {
    const storage = this.#swarm ? null : this.#content?.storage;
    if (!storage) return;
    this.#content = null;
    this.#released = storage.sync().then(() => storage.close());
    this.#released.catch((error: unknown) => this.deps.events.onWriteFailed(error));
  }

  /** Resolves when what was let go of last has been synced; rejects when that failed. */
  get released(): Promise<void> {
    return this.#released;
  }

  #wake(): Swarm {
    if (this.#swarm) return this.#swarm;
    const { id, services, events } = this.deps;
    this.#swarm = new Swarm(id, services, {
      ...events,
      download: {
        onPieceVerified: (piece) => events.onPieceVerified(piece),
        onPieceFailed: (piece, sources) => this.#onPieceFailed(piece, sources),
        onDiskError: (error) => events.onWriteFailed(error),
      },
      onPeerClosed: (peer, reason, detail) => this.#onPeerClosed(peer, reason, detail),
    });
    this.#lastPeerMs = services.clock.nowMs();
    this.giveContent();
    events.onAwake();
    return this.#swarm;
  }

  #onPieceFailed(piece: number, sources: readonly PeerKey[]): void {
    const { id, services } = this.deps;
    services.log.debug('piece failed its hash', { torrent: id, piece, sources: sources.length });
    for (const key of this.#suspects.onPieceFailed(sources)) this.#swarm?.peers.get(key)?.connection.close('BAD_DATA');
  }

  #onPeerClosed(peer: Peer, reason: CloseReason, detail: string): void {
    const { id, services, events } = this.deps;
    const { remote, direction } = peer.connection;
    this.#suspects.forget(peer.key);
    services.log.debug('peer closed', { torrent: id, peer: formatAddress(remote), reason, detail });
    if (direction === 'incoming') return;
    if (reason === 'SELF_CONNECTION') return this.known.forget(remote);
    const wasUseful = peer.down.total + peer.up.total > 0;
    const kind = disconnectKind(reason, peer.handshakeDone, wasUseful);
    this.known.onDisconnected(remote, kind, services.clock.nowMs());
    events.onAddressFree();
  }
}
