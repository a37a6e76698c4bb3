// The connections to all remotes that are enabled, and what each told last: how it goes with it, and its list, which stays
// while it is away.
import type { WebSocket } from 'ws';
import type { RemoteState } from '../../../shared-protocol/dto/remotes.js';
import type { Clock } from '../../clocks.js';
import type { Egress } from '../../egress/egress.js';
import type { Log } from '../../logging.js';
import { RemoteConnection } from './remote-connection.js';
import type { ListChange } from './remote-list.js';
import { RemoteLists } from './remote-lists.js';
import { certificateOf, type StoredRemote } from './remote-records.js';

const OPEN_MS = 30_000;
/** A list of more than 100,000 torrents; what is not one takes twenty times as much memory for a moment. */
const MAX_MESSAGE_BYTES = 128 * 1024 * 1024;

export interface RemoteConnectionsDeps {
  readonly egress: Pick<Egress, 'listen'>;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly log: Log;
  /** All that are stored. */
  readonly remotes: () => readonly StoredRemote[];
}

/** How it goes with one. */
export interface Standing {
  readonly state: RemoteState;
  /** Why it is not connected, for people. */
  readonly reason: string | null;
  /** Unix milliseconds from which on it is in that state. */
  readonly sinceMs: number;
  /** Unix milliseconds; 0: never. */
  readonly lastHeardMs: number;
  readonly torrents: number;
}

interface Live {
  /** The record that it was connected by. */
  readonly remote: StoredRemote;
  readonly connection: RemoteConnection | null;
  standing: Standing;
}

const NOT_STARTED: Standing = { state: 'connecting', reason: null, sinceMs: 0, lastHeardMs: 0, torrents: 0 };

export class RemoteConnections {
  readonly #live = new Map<number, Live>();
  readonly #lists: RemoteLists;
  #isRunning = false;

  constructor(private readonly deps: RemoteConnectionsDeps) {
    this.#lists = new RemoteLists((reason, culprits) => {
      deps.log.error('lists of remotes lost', { reason });
      // Whoever told what was too much is not asked for it again at once.
      for (const remote of deps.remotes()) if (!culprits.has(remote.id)) this.#connect(remote);
    });
  }

  start(): void {
    this.#isRunning = true;
    for (const remote of this.deps.remotes()) this.#connect(remote);
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    for (const { connection } of this.#live.values()) connection?.stop();
    this.#live.clear();
    await this.#lists.close();
  }

  standing({ id, enabled }: Pick<StoredRemote, 'id' | 'enabled'>): Standing {
    return this.#live.get(id)?.standing ?? { ...NOT_STARTED, state: enabled ? 'connecting' : 'disabled' };
  }

  /** Torrents of these as JSON, each with a comma before it. */
  torrents(ids: readonly number[]): Promise<readonly Uint8Array[]> {
    return this.#lists.read(ids);
  }

  /** The changes of the lists of these since a revision of each. */
  changes(since: ReadonlyMap<number, number>): Promise<ReadonlyMap<number, ListChange>> {
    return this.#lists.changes(since);
  }

  /** A torrent as JSON; null: the server does not have it. What is told of the list is as it was last. */
  torrent(id: number, infohash: string): Promise<string | null> {
    return this.#lists.find(id, infohash);
  }

  /**
   * Remotes were added, changed or removed: forgets what is gone or leads elsewhere, which does not show what it showed before,
   * and connects to what is new. Never rejects.
   */
  async follow(): Promise<void> {
    const stored = new Map(this.deps.remotes().map((remote) => [remote.id, remote]));
    const others = [...this.#live.values()].filter(({ remote }) => leadsElsewhere(remote, stored.get(remote.id)));
    await Promise.all(others.map((live) => this.#forget(live)));
    // As they are stored by now: they may have been changed again, or removed.
    for (const remote of this.deps.remotes()) if (!this.#live.has(remote.id)) this.#connect(remote);
  }

  #forget({ remote, connection }: Live): Promise<void> {
    connection?.stop();
    this.#live.delete(remote.id);
    return this.#lists.forget(remote.id);
  }

  #connect(remote: StoredRemote): void {
    if (!this.#isRunning) return;
    this.#live.get(remote.id)?.connection?.stop();
    const { clock, random } = this.deps;
    const change = (standing: Partial<Standing>): void => void (live.standing = { ...live.standing, ...standing });
    const connection = remote.enabled
      ? new RemoteConnection({
          ...{ clock, random },
          open: (signal) => this.#open(remote, signal),
          onMessage: async (bytes) => {
            change({ torrents: await this.#lists.take(remote.id, bytes), lastHeardMs: clock.unixMs() });
          },
          onState: (state, reason) => {
            if (live.standing.state !== state) change({ sinceMs: clock.unixMs() });
            change({ state, reason });
            this.deps.log.info('remote', { name: remote.name, state, reason });
          },
        })
      : null;
    const standing: Standing = { ...NOT_STARTED, state: 'disabled', sinceMs: clock.unixMs() };
    const live: Live = { remote, connection, standing };
    this.#live.set(remote.id, live);
    connection?.start();
  }

  #open(remote: StoredRemote, signal: AbortSignal): Promise<WebSocket> {
    return this.deps.egress.listen(`${remote.url}/api/ws?frames=delta`, {
      ...{ caller: null, certificate: certificateOf(remote), maxBytes: MAX_MESSAGE_BYTES, timeoutMs: OPEN_MS, signal },
      headers: { authorization: `Bearer ${remote.api_key}` },
    });
  }
}

function leadsElsewhere(before: StoredRemote, after: StoredRemote | undefined): boolean {
  return (['url', 'api_key', 'tls', 'enabled'] as const).some((field) => before[field] !== after?.[field]);
}
