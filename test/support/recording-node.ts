// The only node of a DHT (BEP 5): answers everybody, names whom it is told to, and remembers which torrents it was asked
// about or told of.
import type { InfoHash } from '../../shared-protocol/ids.js';
import { startStranger, type Krpc } from './dht-stranger.js';
import { compactPeer } from './peers/magnet-peer.js';

export interface RecordingNode {
  /** `host:port` */
  readonly address: string;
  readonly port: number;
  /** Queries of any kind that have come. */
  readonly queries: number;
  /** How many of them were about the torrent. */
  asked(method: 'get_peers' | 'announce_peer', infoHash: InfoHash): number;
  /** From now on a peer of the torrent. */
  name(infoHash: InfoHash, peer: { readonly host: string; readonly port: number }): void;
  close(): Promise<void>;
}

export async function startRecordingNode(): Promise<RecordingNode> {
  const peers = new Map<string, Buffer>();
  const stranger = await startStranger({
    answer: (query) => {
      const peer = peers.get(hashIn(query));
      return { token: 'aoeu', nodes: Buffer.alloc(0), ...(peer ? { values: [peer] } : {}) };
    },
  });
  return {
    address: `${stranger.host}:${stranger.port}`,
    port: stranger.port,
    get queries() {
      return stranger.received.filter(({ y }) => y === 'q').length;
    },
    asked: (method, infoHash) =>
      stranger.received.filter((message) => message.q === method && hashIn(message) === infoHash).length,
    name: (infoHash, peer) => void peers.set(infoHash, compactPeer(peer)),
    close: () => stranger.close(),
  };
}

function hashIn({ a }: Krpc): string {
  const hash = a?.['info_hash'];
  return hash instanceof Uint8Array ? Buffer.from(hash).toString('hex') : '';
}
