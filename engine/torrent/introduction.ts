// Our handshake to a peer, with what we offer beyond BEP 3: metadata (BEP 9), peer exchange (BEP 11), taking back a have
// (BEP 54), `upload_only` (BEP 21), our DHT node (BEP 5), and its own address as we see it (BEP 10 `yourip`).
import ipaddr from 'ipaddr.js';
import { MAX_QUEUED_REQUESTS, METADATA_WATERMARK_BYTES } from '../wire/constants.js';
import { createMetadataExtension } from '../wire/metadata-extension.js';
import { createDontHaveExtension, createUploadOnlyExtension } from '../wire/small-extensions.js';
import type { Peer } from './peer.js';
import type { Swarm } from './swarm.js';

export function introduce(swarm: Swarm, peer: Peer): void {
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

function addExtensions(swarm: Swarm, peer: Peer): void {
  const { connection } = peer;
  connection.useExtension(
    createMetadataExtension(swarm.content?.infoBytes ?? null, {
      onExchange: (exchange) => (peer.metadata = exchange),
      mayServe: () => connection.unsentBytes < METADATA_WATERMARK_BYTES,
      onInfo: (bytes) => {
        // Served metadata is reported the same way; only fetched metadata is news.
        if (!swarm.content) swarm.events.onMetadata(bytes);
      },
      onUnavailable: () => swarm.metadata?.onUnavailable(peer),
      onInvalid: (detail) => connection.close('WIRE_EXTENSION_INVALID', detail),
    }),
  );
  if (!swarm.isPrivate) connection.useExtension(swarm.exchange.extensionFor(peer));
  // The wire may still read what came with the bytes that its connection was closed for.
  const listener = {
    onDontHave: (piece: number) => {
      if (!connection.closed) swarm.words.onDontHave(peer, piece);
    },
    onUploadOnly: (uploadOnly: boolean) => {
      if (!connection.closed) swarm.words.onUploadOnly(peer, uploadOnly);
    },
    onInvalid: (detail: string) => connection.close('WIRE_EXTENSION_INVALID', detail),
  };
  connection.useExtension(createDontHaveExtension(listener));
  connection.useExtension(createUploadOnlyExtension(listener));
}
