// bittorrent-dht ships without types; only what engine/dht uses.

declare module 'bittorrent-dht' {
  import type { EventEmitter } from 'node:events';

  export interface DhtContact {
    readonly id: Buffer;
    readonly host: string;
    readonly port: number;
  }

  /** The routing table: k-bucket's tree. */
  export interface DhtContacts {
    /** Emits `added` (or `ping` when the bucket is full). Called by the package for every node that answers. */
    add(contact: DhtContact): this;
    get(id: Uint8Array): DhtContact | null;
    count(): number;
    toArray(): DhtContact[];
    on(event: 'added' | 'removed', listener: (contact: DhtContact) => void): this;
  }

  /** What the package uses of a `dgram.Socket`; events `message`, `error`, `listening` and `close`. */
  export interface DhtSocket extends EventEmitter {
    send(
      bytes: Uint8Array,
      offset: number,
      length: number,
      port: number,
      host: string,
      done: (error: Error | null) => void,
    ): void;
    bind(): void;
    address(): { readonly address: string; readonly port: number };
    close(): void;
  }

  export interface DhtOptions {
    readonly nodeId?: Uint8Array;
    /** False: the package asks nobody on its own. */
    readonly bootstrap?: false;
    readonly socket?: DhtSocket;
    /** Queries under way, in total. @default 16 */
    readonly concurrency?: number;
    /** Milliseconds until a query counts as unanswered, give or take a quarter. @default 2000 */
    readonly timeout?: number;
    /** Results of lookups kept for announcing (five minutes). @default 1000 */
    readonly maxTables?: number;
    /** Peers that others announced to us, in total and roughly: one generation of two. @default 10000 */
    readonly maxPeers?: number;
    /** Milliseconds that such a peer is kept, give or take a third; 0 for ever. @default 0 */
    readonly maxAge?: number;
  }

  export default class Dht extends EventEmitter {
    constructor(options?: DhtOptions);
    readonly nodeId: Buffer;
    readonly nodes: DhtContacts;
    /** Pings the address and adds the node once it answers. */
    addNode(node: { readonly host: string; readonly port: number }): void;
    removeNode(id: Uint8Array): void;
    /** `get_peers` towards the hash; peers come as `peer` events. Returns what ends it early. */
    lookup(infoHash: Uint8Array, done: (error: Error | null, answers?: number) => void): () => void;
    /** `announce_peer` to the nodes that the last lookup of the hash left tokens of. */
    announce(infoHash: Uint8Array, port: number, done: (error: Error | null, answers?: number) => void): void;
    listen(): void;
    destroy(done: () => void): void;
    on(event: 'peer', listener: (peer: { host: string; port: number }, infoHash: Buffer) => void): this;
    /** A peer was stored for somebody else to find. */
    on(event: 'announce', listener: (peer: { host: string; port: number }, infoHash: Buffer) => void): this;
    on(event: 'error' | 'warning', listener: (error: Error) => void): this;
  }
}
