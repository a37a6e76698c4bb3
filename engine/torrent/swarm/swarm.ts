// The connected peers of one torrent, and the introduction of each to the ways in and out. Blocks are the download's,
// requests the upload's, the info dictionary the metadata fetch's, other peers' addresses the exchange's; what a peer
// says about itself is noted by its updates. Who stays is decided elsewhere: by the handshake, the turnover, the timeouts.
// What is here is what takes all of them: that each part learns of each peer that comes or goes, and of the content.
import type { RateLimits } from '../../../shared-protocol/commands/limits.js';
import type { AccountId, InfoHash, PeerId, TorrentId } from '../../../shared-protocol/ids.js';
import type { PartialPiece } from '../../../storage/types.js';
import type { ChokeCandidate, SlotGroup } from '../../choker/types.js';
import type { PeerKey, PiecePriority } from '../../picker/types.js';
import { BLOCK_SIZE_BYTES, type PeerAddress, type PeerSocket } from '../../environment.js';
import type { KnownPeer } from '../../peers/peer-list/known-peer.js';
import type { CloseReason } from '../../wire/errors.js';
import { PeerConnection } from '../../wire/peer-connection.js';
import { uploadOnlyMessage } from '../../wire/small-extensions.js';
import type { DiskFailures } from '../disk-failures.js';
import type { TorrentProgress } from '../pieces/progress.js';
import { Download, type PieceJudge } from '../download/download.js';
import { PeerExchange, type PeerExchangeDeps } from './pex.js';
import { beginHandshake } from './handshake.js';
import { MetadataFetch } from './metadata-fetch.js';
import { Peer, type PeerOrigin } from '../peer/peer.js';
import { PeerMessages } from './peer-messages.js';
import { PeerUpdates } from './peer-updates.js';
import type { GroupLimiters, TorrentServices } from '../session-interface.js';
import { closeIfSilent } from './peer-timeouts.js';
import { SwarmRateLimits } from './rate-limits.js';
import { PeerTurnover } from './peer-turnover.js';
import { SuperSeeding } from './super-seeding.js';
import type { SwarmContent, SwarmContext } from './swarm-context.js';
import { Upload } from '../upload/upload.js';

/** The pieces and the metadata that a swarm has for its torrent. */
export interface SwarmEvents {
  /** Hashed and on disk. */
  onPieceVerified(piece: number): void;
  /** A peer has sent the info dictionary. */
  onMetadata(infoBytes: Uint8Array): void;
}

/** The torrent that the swarm is of, as it is when it is asked. */
export interface SwarmTorrent {
  readonly id: TorrentId;
  readonly services: TorrentServices;
  /** BEP 27; may turn out with the info dictionary. */
  readonly isPrivate: boolean;
  readonly rateLimits: RateLimits;
  /** Wanted once it is whole (BEP 16). */
  readonly superSeeding: boolean;
  /** Connections that it may have. */
  readonly maxPeers: number;
  /** The accounts that run it. */
  readonly runBy: readonly AccountId[];
  /** Counts what is transferred. */
  readonly progress: Pick<TorrentProgress, 'count'>;
  /** Whether the piece may go out. One that is trusted only is hashed first: `onProven` is called then. */
  isProven(piece: number): boolean;
  readonly diskFailures: Pick<DiskFailures, 'onReadFailed' | 'onWriteFailed'>;
  readonly swarmEvents: SwarmEvents;
}

/** The beginnings and ends of connections and downloads, and what peers say of addresses. */
export interface ConnectionEvents {
  /** Resolves with the blocks that are on disk of unfinished pieces, when it writes no more. */
  onDownloadEnding(ending: Promise<readonly PartialPiece[]>): void;
  /** Where a peer that came to us listens was learnt from its extended handshake. */
  onListenAddress(peer: Peer, address: PeerAddress): void;
  /** Addresses that a peer sent (BEP 11). */
  onExchanged: PeerExchangeDeps['onPeers'];
  /** The handshake is through. */
  onPeerMet(peer: Peer): void;
  onPeerClosed(peer: Peer, reason: CloseReason, detail: string): void;
}

export interface SwarmDeps {
  readonly torrent: SwarmTorrent;
  readonly judge: PieceJudge;
  readonly events: ConnectionEvents;
}

/** Peers of a torrent that may not upload. */
const NO_SLOTS: SlotGroup = { slots: 0 };

export class Swarm implements SwarmContext {
  readonly peers = new Map<PeerKey, Peer>();
  download: Download | null = null;
  upload: Upload | null = null;
  metadata: MetadataFetch | null = null;
  #content: SwarmContent | null = null;
  /** Peers that came since have been told that we only upload. */
  #hasStopped = false;
  #mayUpload: boolean;

  readonly infoHash: InfoHash;
  readonly services: TorrentServices;
  readonly events: ConnectionEvents;
  readonly exchange: PeerExchange;
  readonly limits: SwarmRateLimits;
  readonly updates = new PeerUpdates(this);
  readonly superSeeding: SuperSeeding;
  readonly #turnover: PeerTurnover;

  constructor(private readonly deps: SwarmDeps) {
    const { torrent, events } = deps;
    const { services } = torrent;
    const { clock } = services;
    this.infoHash = torrent.id;
    this.services = services;
    this.events = events;
    this.metadata = new MetadataFetch(() => clock.nowMs());
    this.exchange = new PeerExchange({
      clock,
      isPrivate: () => torrent.isPrivate,
      onPeers: (addresses, flagsOf) => events.onExchanged(addresses, flagsOf),
    });
    this.superSeeding = new SuperSeeding({
      peers: this.peers,
      random: services.random,
      nowMs: () => clock.nowMs(),
    });
    this.limits = new SwarmRateLimits(services.limits, torrent.rateLimits, groupsOf(torrent));
    this.#mayUpload = mayUpload(torrent);
    this.#turnover = new PeerTurnover(services, this.peers, () => torrent.maxPeers);
  }

  get isPrivate(): boolean {
    return this.deps.torrent.isPrivate;
  }

  /** We have all we want of it (BEP 21). */
  get isUploadOnly(): boolean {
    return this.#content !== null && this.download === null;
  }

  get content(): SwarmContent | null {
    return this.#content;
  }

  /** The torrent is known now: what peers said before becomes pieces, and serving begins. */
  setContent(content: SwarmContent): void {
    this.#content = content;
    this.metadata = null;
    const { services } = this;
    const { torrent } = this.deps;
    this.upload = new Upload({
      infoHash: this.infoHash,
      geometry: content.info,
      storage: content.storage,
      have: content.have,
      isProven: (piece) => torrent.isProven(piece),
      mayUpload: () => this.#mayUpload,
      buffers: services.buffers,
      nowMs: () => services.clock.nowMs(),
      onUploaded: (bytes) => this.onPayload('up', bytes),
      onReadFailed: (error) => torrent.diskFailures.onReadFailed(error),
    });
    for (const peer of [...this.peers.values()]) {
      if (!peer.learnPieceCount(content.info.pieceCount)) {
        peer.connection.close('WIRE_BITFIELD_LENGTH');
        continue;
      }
      peer.metadata?.provide(content.infoBytes);
    }
    this.updateSuperSeeding();
  }

  /** Follows whether it is wanted, and whether all of it is there. */
  updateSuperSeeding(): void {
    const content = this.#content;
    if (content?.have.isFull && this.deps.torrent.superSeeding) this.superSeeding.begin(content.info.pieceCount);
    else this.superSeeding.end();
  }

  startDownload(configure: (download: Download) => void): void {
    const content = this.#content;
    if (!content || this.download) return;
    const { clock, random, hasher, slabBudget } = this.services;
    const { torrent, judge } = this.deps;
    this.download = new Download({
      info: content.info,
      storage: content.storage,
      hasher,
      room: slabBudget,
      clock,
      random,
      peers: this.peers,
      judge,
      onPieceVerified: (piece) => torrent.swarmEvents.onPieceVerified(piece),
      onDiskError: (error) => torrent.diskFailures.onWriteFailed(error),
    });
    this.download.picker.setHave(content.have.bytes);
    configure(this.download);
    for (const peer of this.peers.values()) {
      if (!peer.handshakeDone) continue;
      if (this.#hasStopped) peer.connection.sendExtended('upload_only', uploadOnlyMessage(false));
      this.download.addPeer(peer);
      this.updates.updateInterest(peer);
    }
  }

  /** Other pieces are wanted than before, while it downloads. */
  setPriorities(pieces: readonly PiecePriority[]): void {
    this.download?.setPriorities(pieces);
    for (const peer of this.peers.values()) {
      this.updates.updateInterest(peer);
      this.download?.fill(peer);
    }
  }

  /** Completed, or the disk refuses writes: nothing more is asked for. `keep`: what is here of pieces is written. */
  stopDownload(keep: boolean): void {
    const { download } = this;
    this.#endDownload(keep);
    this.#hasStopped = true;
    for (const peer of this.peers.values()) {
      // What is on its way was asked for.
      peer.unrequestedBytes -= (download?.picker.outstanding(peer.key) ?? 0) * BLOCK_SIZE_BYTES;
      peer.resumeReading();
      this.updates.updateInterest(peer);
    }
  }

  /** Tells everyone that we only upload now, and lets go of those who do the same (BEP 21). */
  onCompleted(): void {
    this.updateSuperSeeding();
    for (const peer of [...this.peers.values()]) {
      if (this.updates.closeIfRedundant(peer) || !peer.handshakeDone) continue;
      peer.connection.sendExtended('upload_only', uploadOnlyMessage(true));
    }
  }

  /** `encrypted`: begins with an MSE handshake. */
  connect({ address, sources }: Pick<KnownPeer, 'address' | 'sources'>, encrypted: boolean): void {
    const peer = this.#open(this.services.network.connect(address), encrypted, { sources, webSeedUrl: null });
    peer.isHalfOpen = true;
    this.services.host.onHalfOpenChanged(1);
    peer.listenAddress = address;
    peer.holdsKnown = true;
  }

  /** A web seed behind a socket of its own (BEP 19). */
  connectWebSeed(url: string, socket: PeerSocket): void {
    this.#open(socket, false, { sources: 0, webSeedUrl: url });
  }

  /** An incoming connection whose handshake named this torrent; called within that handshake. */
  accept(connection: PeerConnection, peerId: PeerId, dht: boolean): void {
    // Of two connections to one peer one goes at once: no other has to yield for that.
    const isHere = [...this.peers.values()].some((peer) => peer.peerId === peerId);
    if (!isHere && !this.#turnover.makeRoomFor(connection.remote)) return connection.close('TOO_MANY_CONNECTIONS');
    const handler = new PeerMessages(this);
    const peer = this.#meet(connection, { sources: 0, webSeedUrl: null });
    handler.peer = peer;
    connection.setHandler(handler);
    beginHandshake(this, peer);
    handler.onHandshake(this.infoHash, peerId, { dht });
  }

  /** `bound`: where the torrent has one of its own. */
  chokeCandidates(into: ChokeCandidate[], seeding: boolean, bound: SlotGroup | null): void {
    if (!this.upload) return;
    const group = this.#mayUpload ? bound : NO_SLOTS;
    for (const peer of this.peers.values()) {
      if (!peer.handshakeDone) continue;
      const candidate = peer.asChokeCandidate(seeding);
      into.push(group ? { ...candidate, group } : candidate);
    }
  }

  setChoked(key: PeerKey, choked: boolean, optimistic: boolean): void {
    const peer = this.peers.get(key);
    if (!peer) return;
    this.upload?.setChoked(peer, choked);
    // Not before the time of the unchoke itself: that it is no earlier tells whose slot was given by lot.
    if (optimistic) peer.optimisticAtMs = this.services.clock.nowMs();
  }

  /** Tells everyone who lacks it, and drops interest in those who have nothing else for us. */
  onPieceVerified(piece: number): void {
    for (const peer of this.peers.values()) {
      if (!peer.handshakeDone) continue;
      if (!peer.have?.has(piece)) peer.connection.sendHave(piece);
      else this.updates.updateInterest(peer);
    }
  }

  /** A piece that was had on trust has been hashed: what waits for it may go out. */
  onProven(): void {
    for (const peer of this.peers.values()) if (peer.upload) this.upload?.pump(peer);
  }

  /** Others run it by now, or have other limits. */
  onAccountsChanged(): void {
    this.limits.joinGroups(groupsOf(this.deps.torrent));
    this.#mayUpload = mayUpload(this.deps.torrent);
  }

  /** The blocklist has changed. All web seeds are let go of: they resolve their names when connected to again. */
  closeBlocked(): void {
    const { peerFilter } = this.services;
    for (const peer of [...this.peers.values()]) {
      const { remote } = peer.connection;
      if (peer.webSeedUrl !== null || peerFilter.isBlocked(remote.host)) peer.connection.close('BLOCKED');
    }
  }

  /** After the limit of connections was lowered. */
  closeSurplus(): void {
    this.#turnover.closeSurplus();
  }

  /** Once a second while there are peers. */
  tick(nowMs: number, elapsedMs: number): void {
    for (const peer of [...this.peers.values()]) {
      peer.tick(nowMs, elapsedMs);
      closeIfSilent(peer, nowMs);
    }
    this.metadata?.tick();
    this.download?.tick(nowMs);
    this.exchange.tick(nowMs);
    this.superSeeding.tick(nowMs);
    this.#turnover.tick(nowMs);
  }

  closeAll(reason: CloseReason, keep = true): void {
    for (const peer of [...this.peers.values()]) peer.connection.close(reason);
    this.#endDownload(keep);
    this.limits.close();
  }

  #endDownload(keep: boolean): void {
    const { download } = this;
    this.download = null;
    if (download) this.events.onDownloadEnding(download.stop(keep));
  }

  onMetadata(infoBytes: Uint8Array): void {
    // Another peer may have been faster.
    if (!this.#content) this.deps.torrent.swarmEvents.onMetadata(infoBytes);
  }

  onPayload(direction: 'down' | 'up', bytes: number): void {
    this.services.checkThrottle.onPayload(bytes);
    this.deps.torrent.progress.count(direction, bytes);
  }

  /** The socket is there; the handshake is to come. */
  onConnect(peer: Peer): void {
    this.#endHalfOpen(peer);
    peer.connectedAtMs = this.services.clock.nowMs();
    beginHandshake(this, peer);
  }

  onClosed(peer: Peer, reason: CloseReason, detail: string): void {
    if (!this.peers.delete(peer.key)) return;
    this.#endHalfOpen(peer);
    this.upload?.removePeer(peer);
    this.superSeeding.leave(peer);
    this.metadata?.removePeer(peer);
    if (peer.handshakeDone) this.download?.removePeer(peer);
    this.exchange.remove(peer);
    this.limits.leave(peer);
    this.services.host.onConnectionsChanged(-1);
    if (!peer.choked) this.services.host.onInterestChanged();
    this.events.onPeerClosed(peer, reason, detail);
  }

  #open(socket: PeerSocket, encrypted: boolean, origin: PeerOrigin): Peer {
    // The handler needs the peer and the peer its connection, which calls no handler before it is connected.
    const handler = new PeerMessages(this);
    const start = { kind: 'outgoing', infoHash: this.infoHash, encrypted } as const;
    handler.peer = this.#meet(new PeerConnection(socket, start, handler, this.services.connections), origin);
    return handler.peer;
  }

  #meet(connection: PeerConnection, origin: PeerOrigin): Peer {
    const { clock, host, identity } = this.services;
    const rates = this.limits.join({
      onDownReady: () => {
        peer.resumeReading();
        this.download?.fill(peer);
      },
      onUpReady: () => this.upload?.pump(peer),
    });
    const peer = new Peer(identity.nextPeerKey(), connection, clock.nowMs(), rates, origin);
    this.peers.set(peer.key, peer);
    host.onConnectionsChanged(1);
    return peer;
  }

  #endHalfOpen(peer: Peer): void {
    if (!peer.isHalfOpen) return;
    peer.isHalfOpen = false;
    this.services.host.onHalfOpenChanged(-1);
  }
}

function groupsOf({ services, runBy }: SwarmTorrent): GroupLimiters {
  return services.accountLimits.groupsOf(runBy);
}

function mayUpload({ services, runBy }: SwarmTorrent): boolean {
  return services.accountLimits.mayUpload(runBy);
}
