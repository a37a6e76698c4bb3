// Our handshake to a peer, with what we offer beyond BEP 3: metadata (BEP 9), peer exchange (BEP 11), taking back a have
// (BEP 54), `upload_only` (BEP 21), our DHT node (BEP 5), and its own address as we see it (BEP 10 `yourip`).
import ipaddr from 'ipaddr.js';
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
    connection.setExtendedHandshake({
      v: identity.clientName,
      reqq: MAX_QUEUED_REQUESTS,
      p: identity.listenPort(),
      yourip: Uint8Array.from(ipaddr.process(connection.remote.host).toByteArray()),
      ...(swarm.isUploadOnly ? { upload_only: 1 } : {}),
    });
  }
  const dht = peer.webSeedUrl === null && !swarm.isPrivate && discovery.dhtPort() > 0;
  connection.sendHandshake(swarm.infoHash, identity.peerId, { dht });
}

function addExtensions(swarm: SwarmContext, peer: Peer): void {
  const { connection } = peer;
  const hears = new ExtensionMessages(swarm, peer);
  connection.useExtension(createMetadataExtension(swarm.content?.infoBytes ?? null, hears));
  if (!swarm.isPrivate) connection.useExtension(swarm.exchange.extensionFor(peer));
  connection.useExtension(createDontHaveExtension(hears));
  connection.useExtension(createUploadOnlyExtension(hears));
}

/** What a peer says by extensions. The wire may still read what came with the bytes that its connection was closed for. */
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
  }

  onUploadOnly(uploadOnly: boolean): void {
    if (!this.peer.connection.closed) this.swarm.updates.onUploadOnly(this.peer, uploadOnly);
  }

  onInvalid(detail: string): void {
    this.peer.connection.close('WIRE_EXTENSION_INVALID', detail);
  }
}
