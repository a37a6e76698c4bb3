// The connected peers of one torrent, and the introduction of each to the ways in and out. What a peer says about
// itself is noted here; blocks are the download's, requests the upload's, the info dictionary the metadata fetch's.
import type { InfoHash, PeerId } from '../../shared-protocol/ids.js';
import type { TorrentStorage } from '../disk/types.js';
import type { TorrentInfo } from '../metainfo/index.js';
import type { ChokeCandidate } from '../choker/types.js';
import type { PeerKey } from '../picker/types.js';
import type { PeerAddress } from '../ports.js';
import { clientName } from '../peers/client-name.js';
import {
  CONNECT_TIMEOUT_MS,
  HANDSHAKE_TIMEOUT_MS,
  KEEP_ALIVE_MS,
  MAX_QUEUED_REQUESTS,
  PEER_TIMEOUT_MS,
} from '../wire/constants.js';
import type { CloseReason } from '../wire/errors.js';
import { createMetadataExtension } from '../wire/metadata-extension.js';
import { PeerConnection } from '../wire/peer-connection.js';
import type { Bitfield } from './bitfield.js';
import { Download, type DownloadDeps } from './download.js';
import { MetadataFetch } from './metadata.js';
import { Peer } from './peer.js';
import { PeerHandler } from './peer-handler.js';
import type { TorrentServices } from './services.js';
import { Upload } from './upload.js';

/** What is known once the info dictionary is. */
export interface SwarmContent {
  readonly info: TorrentInfo;
  readonly infoBytes: Uint8Array;
  readonly storage: TorrentStorage;
  readonly have: Bitfield;
}

export interface SwarmEvents {
  readonly download: DownloadDeps['events'];
  onMetadata(infoBytes: Uint8Array): void;
  onPayload(direction: 'down' | 'up', bytes: number): void;
  onReadFailed(error: unknown): void;
  /** The address a peer listens on, learnt from its extended handshake. */
  onListenAddress(address: PeerAddress): void;
  onPeerClosed(peer: Peer, reason: CloseReason, detail: string): void;
}

export class Swarm {
  readonly peers = new Map<PeerKey, Peer>();
  download: Download | null = null;
  upload: Upload | null = null;
  metadata: MetadataFetch | null = null;
  #content: SwarmContent | null = null;

  constructor(
    readonly infoHash: InfoHash,
    readonly services: TorrentServices,
    readonly events: SwarmEvents,
  ) {
    this.metadata = new MetadataFetch(() => services.clock.nowMs());
  }

  get content(): SwarmContent | null {
    return this.#content;
  }

  /** The torrent is known now: peers' early words become pieces, and serving begins. */
  setContent(content: SwarmContent): void {
    this.#content = content;
    this.metadata = null;
    const { services } = this;
    this.upload = new Upload({
      geometry: content.info,
      storage: content.storage,
      have: content.have,
      buffers: services.buffers,
      nowMs: () => services.clock.nowMs(),
      onUploaded: (_peer, bytes) => this.events.onPayload('up', bytes),
      onReadFailed: (error) => this.events.onReadFailed(error),
    });
    for (const peer of [...this.peers.values()]) {
      if (!peer.learnPieceCount(content.info.pieceCount)) {
        peer.connection.close('WIRE_BITFIELD_LENGTH');
        continue;
      }
      peer.metadata?.provide(content.infoBytes);
      this.upload.addPeer(peer);
    }
  }

  startDownload(configure: (download: Download) => void): void {
    const content = this.#content;
    if (!content || this.download) return;
    const { clock, random, hasher, room } = this.services;
    this.download = new Download({
      info: content.info,
      storage: content.storage,
      hasher,
      room,
      clock,
      random,
      peers: this.peers,
      events: this.events.download,
    });
    this.download.picker.setHave(content.have.bytes);
    configure(this.download);
    for (const peer of this.peers.values()) {
      if (!peer.handshakeDone) continue;
      this.download.addPeer(peer);
      this.updateInterest(peer);
    }
  }

  /** Completed, or the disk refuses writes: nothing more is asked for. */
  stopDownload(): void {
    this.download?.stop();
    this.download = null;
    for (const peer of this.peers.values()) this.updateInterest(peer);
  }

  /** Peers that have nothing to gain from us nor we from them (BEP 21's reasoning). */
  closeRedundantSeeds(): void {
    for (const peer of [...this.peers.values()]) if (peer.isSeed) peer.connection.close('REDUNDANT_SEED');
  }

  connect(address: PeerAddress): void {
    const { clock, network, identity, copyPayload } = this.services;
    const socket = network.connect(address);
    const key = identity.nextPeerKey();
    // The handler needs the peer and the peer its connection, which speaks to nobody before it is connected.
    const handler = new PeerHandler(this);
    const connection = new PeerConnection(socket, 'outgoing', handler, () => clock.nowMs(), copyPayload);
    const peer = new Peer(key, connection, clock.nowMs());
    handler.peer = peer;
    this.#add(peer);
  }

  /** An incoming connection whose handshake named this torrent; called within that handshake. */
  accept(connection: PeerConnection, peerId: PeerId): void {
    if (this.peers.size >= this.services.identity.maxPeersPerTorrent()) return connection.close('TOO_MANY_CONNECTIONS');
    const handler = new PeerHandler(this);
    const { clock, identity } = this.services;
    const peer = new Peer(identity.nextPeerKey(), connection, clock.nowMs());
    handler.peer = peer;
    connection.setHandler(handler);
    this.#add(peer);
    this.introduce(peer);
    handler.onHandshake(this.infoHash, peerId);
  }

  /** Sends our handshake with the extensions we offer. */
  introduce(peer: Peer): void {
    const { connection } = peer;
    const { identity } = this.services;
    connection.useExtension(
      createMetadataExtension(this.#content?.infoBytes ?? null, {
        onExchange: (exchange) => (peer.metadata = exchange),
        onInfo: (bytes) => {
          // Served metadata is reported the same way; only fetched metadata is news.
          if (!this.#content) this.events.onMetadata(bytes);
        },
        onUnavailable: () => this.metadata?.onUnavailable(peer),
        onInvalid: (detail) => connection.close('WIRE_EXTENSION_INVALID', detail),
      }),
    );
    connection.setExtendedHandshake({
      v: identity.clientName,
      reqq: MAX_QUEUED_REQUESTS,
      p: identity.listenPort(),
    });
    connection.sendHandshake(this.infoHash, identity.peerId);
  }

  /** The handshake is through both ways: what we have, and what the peer is to each part. */
  welcome(peer: Peer, peerId: PeerId): void {
    peer.handshakeDone = true;
    peer.peerId = peerId;
    peer.client = clientName(peerId, null);
    const have = this.#content?.have;
    if (have?.isFull && peer.connection.fast) peer.connection.sendHaveAll();
    else if (have && have.count > 0) peer.connection.sendBitfield(have.bytes);
    else if (peer.connection.fast) peer.connection.sendHaveNone();
    if (this.#content) {
      peer.learnPieceCount(this.#content.info.pieceCount);
      this.upload?.addPeer(peer);
    } else {
      peer.early = { all: false, bits: null, haves: [] };
      this.metadata?.addPeer(peer);
    }
    this.download?.addPeer(peer);
  }

  /** A peer with the same id: the connection that the larger id opened stays, so that both ends agree. */
  settleDuplicate(peer: Peer, peerId: PeerId): boolean {
    for (const other of this.peers.values()) {
      if (other === peer || other.peerId !== peerId) continue;
      const sameDirection = other.connection.direction === peer.connection.direction;
      const ours = this.services.identity.peerId > peerId ? 'outgoing' : 'incoming';
      const keepNew = !sameDirection && peer.connection.direction === ours;
      (keepNew ? other : peer).connection.close('DUPLICATE_PEER');
      if (!keepNew) return false;
    }
    return true;
  }

  updateInterest(peer: Peer): void {
    const wanted = peer.handshakeDone && (this.download?.picker.isInteresting(peer.key) ?? false);
    if (wanted === peer.weAreInterested) return;
    peer.weAreInterested = wanted;
    peer.connection.sendInterested(wanted);
    if (wanted) this.download?.fill(peer);
  }

  chokeCandidates(into: ChokeCandidate[], seeding: boolean): void {
    if (!this.upload) return;
    for (const peer of this.peers.values()) if (peer.handshakeDone) into.push(peer.asChokeCandidate(seeding));
  }

  setChoked(key: PeerKey, choked: boolean, optimistic: boolean): void {
    const peer = this.peers.get(key);
    if (!peer) return;
    if (optimistic) peer.optimisticAtMs = this.services.clock.nowMs();
    this.upload?.setChoked(peer, choked);
  }

  /** Tells everyone who lacks it, and drops interest in those who have nothing else for us. */
  onPieceVerified(piece: number): void {
    for (const peer of this.peers.values()) {
      if (!peer.handshakeDone) continue;
      if (!peer.have?.has(piece)) peer.connection.sendHave(piece);
      else this.updateInterest(peer);
    }
  }

  /** Once a second while there are peers. */
  tick(nowMs: number, elapsedMs: number): void {
    for (const peer of [...this.peers.values()]) {
      peer.tick(elapsedMs);
      this.#checkTimeouts(peer, nowMs);
    }
    this.metadata?.tick();
    this.download?.tick(nowMs);
  }

  closeAll(reason: CloseReason): void {
    for (const peer of [...this.peers.values()]) peer.connection.close(reason);
    this.download?.stop();
    this.download = null;
  }

  onClosed(peer: Peer, reason: CloseReason, detail: string): void {
    if (!this.peers.delete(peer.key)) return;
    this.upload?.removePeer(peer);
    this.metadata?.removePeer(peer);
    if (peer.handshakeDone) this.download?.removePeer(peer);
    this.services.host.onConnectionsChanged(-1);
    if (!peer.choked) this.services.host.onInterestChanged();
    this.events.onPeerClosed(peer, reason, detail);
  }

  #add(peer: Peer): void {
    this.peers.set(peer.key, peer);
    this.services.host.onConnectionsChanged(1);
  }

  #checkTimeouts(peer: Peer, nowMs: number): void {
    const { connection } = peer;
    if (!peer.handshakeDone) {
      const waited = nowMs - peer.connectedAtMs;
      if (waited > CONNECT_TIMEOUT_MS + HANDSHAKE_TIMEOUT_MS) connection.close('HANDSHAKE_TIMEOUT');
      return;
    }
    if (nowMs - connection.lastReceivedMs > PEER_TIMEOUT_MS) connection.close('PEER_TIMEOUT');
    else if (nowMs - connection.lastSentMs > KEEP_ALIVE_MS) connection.sendKeepAlive();
  }
}
