// A DHT of its own on loopback for whole daemons: nodes of ours, each on an address of its own, and somebody outside
// who asks them what they have stored.
import bencode from 'bencode';
import { setTimeout as sleep } from 'node:timers/promises';
import type { InfoHash } from '../../shared-protocol/ids.js';
import { eventually, startDhtNode, type TestNode } from './dht-network.js';
import { startStranger } from './dht-stranger.js';

/** A round trip on loopback, on a busy machine. */
const ANSWER_MS = 300;
const JOIN_MS = 15_000;

export interface PrivateDht {
  /** `host:port` of the node that everybody else began at. */
  readonly bootstrap: string;
  /** How many nodes name peers of the torrent; asks each of them once. */
  holders(infoHash: InfoHash): Promise<number>;
  close(): Promise<void>;
}

/**
 * Resolves when everybody knows everybody, as they would after a while in so small a network; just joined they know
 * those around their own ids, where a lookup that begins elsewhere ends too early. `size`: 20 at most, one bucket.
 */
export async function startPrivateDht(size: number): Promise<PrivateDht> {
  const first = await startDhtNode({ host: '127.0.2.1' });
  const begun = Array.from({ length: size - 1 }, (_, i) =>
    startDhtNode({ host: `127.0.2.${i + 2}`, bootstrap: [first.address] }),
  );
  const nodes: readonly TestNode[] = [first, ...(await Promise.all(begun))];
  // From an address that no daemon has, so as not to use up what a node takes from one address.
  const stranger = await startStranger({ host: '127.0.3.1' });
  const close = async (): Promise<void> => {
    await Promise.all([...nodes.map(({ node }) => node.close()), stranger.close()]);
  };
  for (const { node } of nodes) for (const { address } of nodes) node.addNode(address);
  const isJoined = await eventually(() => nodes.every(({ node }) => node.nodeCount === size - 1), JOIN_MS);
  if (!isJoined) {
    await close();
    throw new Error(`DHT: nodes know ${nodes.map(({ node }) => node.nodeCount).join(', ')} others`);
  }
  return {
    bootstrap: `${first.address.host}:${first.address.port}`,
    async holders(infoHash) {
      const before = stranger.received.length;
      const query = {
        t: 'who',
        y: 'q',
        q: 'get_peers',
        a: { id: stranger.id, info_hash: Buffer.from(infoHash, 'hex') },
      };
      for (const { address } of nodes) stranger.send(address.port, bencode.encode(query), address.host);
      await sleep(ANSWER_MS);
      return stranger.received.slice(before).filter(({ r }) => Array.isArray(r?.['values'])).length;
    },
    close,
  };
}
