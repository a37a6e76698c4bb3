// The lists of all remotes, in a thread of their own that is started with the first. A thread that dies, of a list that is
// too large for it, takes all of them along: whoever tells of lists is asked to begin anew.
import { Worker } from 'node:worker_threads';
import type { ListChange } from './remote-list.js';

const ENTRY = new URL('./list-worker.js', import.meta.url);
/** A list of 100,000 torrents and the message that it comes by take some 400 MB for a moment. */
const THREAD_LIMITS = { maxOldGenerationSizeMb: 2_048, maxYoungGenerationSizeMb: 32 };

/** A message to the thread. */
export type ListCall =
  | { readonly kind: 'take'; readonly serverId: number; readonly bytes: Uint8Array }
  | { readonly kind: 'read'; readonly serverIds: readonly number[] }
  | { readonly kind: 'changes'; readonly since: ReadonlyMap<number, number> }
  | { readonly kind: 'find'; readonly serverId: number; readonly infohash: string }
  | { readonly kind: 'forget'; readonly serverId: number };

/** The answer to a call. */
export interface ListReply {
  /** To `take`: how many there are now. */
  readonly torrents?: number;
  /** To `read`: of each server its torrents as JSON, each with a comma before it. */
  readonly parts?: readonly Uint8Array[];
  /** To `changes`: of each server the text of an object without its opening brace, and the revision that it leads to. */
  readonly changes?: ReadonlyMap<number, ListChange>;
  /** To `find`: the torrent as JSON; null: the server does not have it. */
  readonly torrent?: string | null;
}

interface Pending {
  readonly call: ListCall;
  readonly resolve: (reply: ListReply) => void;
  readonly reject: (error: Error) => void;
}

type Posted = { readonly id: number } & ({ readonly reply: ListReply } | { readonly error: string });

export class RemoteLists {
  #worker: Worker | null = null;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;

  /** `onLost`: no list is there any more; the culprits are the servers whose messages were being taken. */
  constructor(private readonly onLost: (reason: string, culprits: ReadonlySet<number>) => void) {}

  /** Takes a message of a remote, whose bytes are given away; how many torrents it has now. Rejects for one that is not valid. */
  async take(serverId: number, bytes: Uint8Array): Promise<number> {
    const { buffer, byteLength } = bytes;
    // A short one shares its memory with others.
    const given = buffer.byteLength === byteLength ? [buffer as ArrayBuffer] : [];
    return (await this.#ask({ kind: 'take', serverId, bytes }, given)).torrents ?? 0;
  }

  /** Torrents as JSON, each with a comma before it. */
  async read(serverIds: readonly number[]): Promise<readonly Uint8Array[]> {
    if (serverIds.length === 0 || !this.#worker) return [];
    return (await this.#ask({ kind: 'read', serverIds })).parts ?? [];
  }

  /** The changes of each server's list since that revision of it; nothing of servers that have told of none. */
  async changes(since: ReadonlyMap<number, number>): Promise<ReadonlyMap<number, ListChange>> {
    if (since.size === 0 || !this.#worker) return new Map();
    return (await this.#ask({ kind: 'changes', since })).changes ?? new Map();
  }

  /** A torrent as JSON; null: the server does not have it. */
  async find(serverId: number, infohash: string): Promise<string | null> {
    return this.#worker ? ((await this.#ask({ kind: 'find', serverId, infohash })).torrent ?? null) : null;
  }

  /** Never rejects: with its thread a list has ended, too. */
  async forget(serverId: number): Promise<void> {
    if (this.#worker) await this.#ask({ kind: 'forget', serverId }).catch(() => undefined);
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    this.#fail('the service is ending');
    await worker?.terminate();
  }

  #ask(call: ListCall, given: readonly ArrayBuffer[] = []): Promise<ListReply> {
    const worker = (this.#worker ??= this.#start());
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { call, resolve, reject });
      worker.postMessage({ id, call }, given);
    });
  }

  #start(): Worker {
    const worker = new Worker(ENTRY, { name: 'remote-lists', resourceLimits: THREAD_LIMITS, execArgv: [] });
    worker.unref();
    worker.on('message', (posted: Posted) => {
      const pending = this.#pending.get(posted.id);
      this.#pending.delete(posted.id);
      if ('reply' in posted) pending?.resolve(posted.reply);
      else pending?.reject(new Error(posted.error));
    });
    let reason = 'the thread of the lists has ended';
    worker.on('error', (error) => void (reason = error.message));
    worker.once('exit', () => {
      if (this.#worker !== worker) return;
      this.#worker = null;
      const culprits = new Set(
        Array.from(this.#pending.values(), ({ call }) => (call.kind === 'take' ? call.serverId : -1)),
      );
      this.#fail(`its list is too large (${reason})`);
      this.onLost(reason, culprits);
    });
    return worker;
  }

  #fail(reason: string): void {
    for (const { reject } of this.#pending.values()) reject(new Error(reason));
    this.#pending.clear();
  }
}
