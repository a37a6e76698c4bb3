// The handshake both ways. Ours has what we offer beyond BEP 3: metadata (BEP 9), peer exchange (BEP 11), taking back a
// have (BEP 54), `upload_only` (BEP 21), our DHT node (BEP 5), and the peer's own address as we see it (BEP 10 `yourip`).
// The peer's decides whether it may stay; then it is introduced to the parts of the swarm.
import ipaddr from 'ipaddr.js';
import type { InfoHash, PeerId } from '../../../shared-protocol/ids.js';
import { clientName } from '../../peers/client-name.js';
import { MAX_QUEUED_REQUESTS, METADATA_WATERMARK_BYTES } from '../../wire/constants.js';
import {
  createMetadataExtension,
  type MetadataExchange,
  type MetadataListener,
} from '../../wire/metadata-extension.js';
import {
  createDontHaveExtension,
  createUploadOnlyExtension,
  type SmallExtensionListener,
} from '../../wire/small-extensions.js';
import type { Peer } from '../peer/peer.js';
import type { SwarmContext } from './swarm-context.js';

export function beginHandshake(swarm: SwarmContext, peer: Peer): void {
  const { connection } = peer;
  const { identity, discovery } = swarm.services;
  if (peer.webSeedUrl === null) {
    addExtensions(swarm, peer);
    const port = identity.listenPort();
    connection.setExtendedHandshake({
      ...(identity.clientName === null ? {} : { v: identity.clientName }),
      reqq: MAX_QUEUED_REQUESTS,
      ...(port > 0 ? { p: port } : {}),
      yourip: Uint8Array.from(ipaddr.process(connection.remote.host).toByteArray()),
      // A peer lets go of who has nothing and wants nothing.
      ...(swarm.isUploadOnly && !swarm.superSeeding.isOn ? { upload_only: 1 } : {}),
    });
  }
  const dht = peer.webSeedUrl === null && !swarm.isPrivate && discovery.dhtPort() > 0;
  connection.sendHandshake(swarm.infoHash, identity.peerId, { dht });
}

/** The peer's handshake has come: it stays, or is closed with a reason. `dht`: it is a node of the DHT (BEP 5). */
export function receiveHandshake(
  swarm: SwarmContext,
  peer: Peer,
  { infoHash, peerId, dht }: { readonly infoHash: InfoHash; readonly peerId: PeerId; readonly dht: boolean },
): void {
  const { peerFilter, identity } = swarm.services;
  const { connection } = peer;
  if (peer.handshakeDone) return;
  if (infoHash !== swarm.infoHash) return connection.close('HANDSHAKE_WRONG_TORRENT');
  if (peerId === identity.peerId) return connection.close('SELF_CONNECTION');
  if (peerFilter.isBanned({ address: connection.remote, peerId })) return connection.close('BANNED');
  if (settleDuplicate(swarm, peer, peerId)) welcome(swarm, peer, peerId, dht);
}

/** A peer with the same id: the connection that the larger id opened stays, so that both ends agree. */
function settleDuplicate({ peers, services }: SwarmContext, peer: Peer, peerId: PeerId): boolean {
  // The id of a web seed follows from its URL, so any peer could turn up with it.
  if (peer.webSeedUrl !== null) return true;
  for (const other of peers.values()) {
    if (other === peer || other.peerId !== peerId || other.webSeedUrl !== null) continue;
    const sameDirection = other.connection.direction === peer.connection.direction;
    const ours = services.identity.peerId > peerId ? 'outgoing' : 'incoming';
    const keepNew = !sameDirection && peer.connection.direction === ours;
    (keepNew ? other : peer).connection.close('DUPLICATE_PEER');
    if (!keepNew) return false;
  }
  return true;
}

/** The peer is told what we have, and each part of the swarm of the peer. */
function welcome(swarm: SwarmContext, peer: Peer, peerId: PeerId, dht: boolean): void {
  const { connection } = peer;
  peer.handshakeDone = true;
  peer.peerId = peerId;
  peer.client = clientName(peerId, null);
  const { content } = swarm;
  // BEP 16: as one who has nothing.
  const have = swarm.superSeeding.meet(peer) ? null : content?.have;
  if (have?.isFull && connection.fast) connection.sendHaveAll();
  else if (have && have.count > 0) connection.sendBitfield(have.bytes);
  else if (connection.fast) connection.sendHaveNone();
  if (content) {
    peer.learnPieceCount(content.info.pieceCount);
  } else {
    peer.early = { all: false, bits: null, haves: [] };
    swarm.metadata?.addPeer(peer);
  }
  swarm.download?.addPeer(peer);
  const dhtPort = swarm.isPrivate ? 0 : swarm.services.discovery.dhtPort();
  if (dht && dhtPort > 0) connection.sendPort(dhtPort);
  if (peer.listenAddress) swarm.exchange.list(peer, peer.listenAddress);
  swarm.events.onPeerMet(peer);
}

function addExtensions(swarm: SwarmContext, peer: Peer): void {
  const { connection } = peer;
  const hears = new ExtensionMessages(swarm, peer);
  connection.useExtension(createMetadataExtension(swarm.content?.infoBytes ?? null, hears));
  if (!swarm.isPrivate) connection.useExtension(swarm.exchange.extensionFor(peer));
  connection.useExtension(createDontHaveExtension(hears));
  connection.useExtension(createUploadOnlyExtension(hears));
}

/** Extension messages of a peer. The wire may still read what came with the bytes that its connection was closed for. */
class ExtensionMessages implements MetadataListener, SmallExtensionListener {
  constructor(
    private readonly swarm: SwarmContext,
    private readonly peer: Peer,
  ) {}

  onExchange(exchange: MetadataExchange): void {
    this.peer.metadata = exchange;
  }

  mayServe(): boolean {
    return this.peer.connection.unsentBytes < METADATA_WATERMARK_BYTES;
  }

  onInfo(infoBytes: Uint8Array): void {
    this.swarm.onMetadata(infoBytes);
  }

  onUnavailable(): void {
    this.swarm.metadata?.onUnavailable(this.peer);
  }

  onDontHave(piece: number): void {
    if (!this.peer.connection.closed) this.swarm.updates.onDontHave(this.peer, piece);
    this.swarm.superSeeding.onPieces(this.peer);
  }

  onUploadOnly(uploadOnly: boolean): void {
    if (!this.peer.connection.closed) this.swarm.updates.onUploadOnly(this.peer, uploadOnly);
  }

  onInvalid(detail: string): void {
    this.peer.connection.close('WIRE_EXTENSION_INVALID', detail);
  }
}
