// What outlives a restart, in the store's `meta`: our node id (20 bytes) and nodes as compact addresses (six bytes
// each). Whatever is there instead of these reads as nothing. Saving is a convenience: when it fails, nodes are found anew.
import type { TorrentStore } from '../../storage/types.js';
import type { Log, PeerAddress, Random } from '../environment.js';
import { COMPACT_PEER_BYTES, NODE_ID_BYTES, SAVED_MAX_NODES } from './constants.js';
import { addressAt, compactAddress, mayBeNode } from './node-address.js';
import { isNodeIdFor, nodeIdFor, randomNodeId } from './node-id.js';

const ID_KEY = 'dht.id';
const NODES_KEY = 'dht.nodes';

interface SavedStateDeps {
  readonly store: Pick<TorrentStore, 'meta' | 'putMeta'>;
  readonly random: Random;
  readonly log: Log;
}

export class SavedState {
  #saving: Promise<void> = Promise.resolve();

  constructor(private readonly deps: SavedStateDeps) {}

  /** The same at each start. */
  nodeId(): Uint8Array {
    const saved = this.#savedId();
    if (saved) return saved;
    const id = randomNodeId(this.deps.random);
    this.#put(ID_KEY, id);
    return id;
  }

  /** Makes the id of the next start suit our public address (BEP 42), unless it does. */
  planNodeIdFor(ip: string): void {
    const planned = this.#savedId();
    if (!planned || !isNodeIdFor(ip, planned)) this.#put(ID_KEY, nodeIdFor(ip, this.deps.random));
  }

  nodes(): PeerAddress[] {
    const bytes = this.deps.store.meta(NODES_KEY) ?? new Uint8Array(0);
    const nodes: PeerAddress[] = [];
    if (bytes.length % COMPACT_PEER_BYTES !== 0) return nodes;
    for (let at = 0; at < bytes.length && nodes.length < SAVED_MAX_NODES; at += COMPACT_PEER_BYTES) {
      const node = addressAt(bytes, at);
      if (mayBeNode(node, 'local')) nodes.push(node);
    }
    return nodes;
  }

  /** The first 300 of them. */
  saveNodes(nodes: readonly PeerAddress[]): void {
    this.#put(NODES_KEY, Buffer.concat(nodes.slice(0, SAVED_MAX_NODES).map(compactAddress)));
  }

  /** Resolves when everything is saved, or could not be. */
  settled(): Promise<void> {
    return this.#saving;
  }

  #savedId(): Uint8Array | null {
    const id = this.deps.store.meta(ID_KEY);
    return id?.length === NODE_ID_BYTES ? Uint8Array.from(id) : null;
  }

  #put(key: string, value: Uint8Array): void {
    const { store, log } = this.deps;
    const put = store.putMeta(key, value).catch((error: unknown) => {
      log.warn('dht: not saved', { key, error: String(error) });
    });
    this.#saving = Promise.all([this.#saving, put]).then(() => undefined);
  }
}
