// The main thread's mirror of the engine's torrents: facts by event, numbers from the stats table. Owns who sees which
// torrent with what access, and is the only way from a route to the engine's torrents.
import type { AddTorrentResult, EngineClient, RateLimits, TorrentSource } from '../../shared-protocol/commands.js';
import { AppError, type ErrorCode } from '../../shared-protocol/errors.js';
import type { EngineEvent, TorrentFacts } from '../../shared-protocol/events.js';
import type { TorrentId } from '../../shared-protocol/ids.js';
import { StatsReader } from '../../shared-protocol/stats-table.js';
import { RequestError } from '../errors.js';
import type { Account } from './accounts.js';
import { resolveSavePath } from './save-path.js';

/** What an account may do with a torrent; each level includes those below it. */
export type Access = 'owner' | 'editor' | 'viewer';
export const ACCESS_RANK: { readonly [Level in Access]: number } = { owner: 2, editor: 1, viewer: 0 };

/** interface.md: an add answers 400 when persistence fails. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set(['STORAGE_FAILED', 'DISK_FULL', 'DISK_FAILED']);

export interface LibraryDeps {
  readonly engine: { readonly client: EngineClient };
  readonly settings: { readonly savePath: string };
}

export interface LibraryOptions {
  readonly allowedPaths: readonly string[];
}

export class Library {
  readonly stats = new StatsReader();
  readonly #torrents = new Map<TorrentId, TorrentFacts>();
  /** Newest first, then by id; null when it has to be sorted again. */
  #sorted: readonly TorrentFacts[] | null = null;
  /** While a new engine loads: what the one before had and the new one has not named yet. */
  #unconfirmed: Set<TorrentId> | null = null;

  constructor(
    private readonly deps: LibraryDeps,
    private readonly options: LibraryOptions,
  ) {}

  handleEvent(event: EngineEvent): void {
    switch (event.name) {
      case 'torrents.added':
        for (const facts of event.payload.torrents) this.#set(facts);
        return;
      case 'torrent.changed':
        this.#set(event.payload.facts);
        return;
      case 'torrent.removed':
        this.#torrents.delete(event.payload.id);
        this.#sorted = null;
        return;
      case 'stats.table':
        this.stats.attach(event.payload.buffer);
        return;
      // Logged where the engine is started (engine/engine-host.ts).
      case 'log':
        return;
    }
  }

  /** A new engine is about to load; torrents stay listed so that nobody takes them for removed. */
  beginReload(): void {
    this.#unconfirmed = new Set(this.#torrents.keys());
  }

  /** The new engine has named all it has. */
  endReload(): void {
    for (const id of this.#unconfirmed ?? []) this.#torrents.delete(id);
    this.#unconfirmed = null;
    this.#sorted = null;
  }

  /** What the account may do with the torrent; null when it must not even know of it. */
  accessOf(account: Account, facts: TorrentFacts): Access | null {
    return account.role === 'admin' || facts.ownerId === account.id ? 'owner' : null;
  }

  find(id: TorrentId): TorrentFacts | undefined {
    return this.#torrents.get(id);
  }

  /** Newest first by `addedAt`, then ascending by id. */
  visibleTo(account: Account): readonly TorrentFacts[] {
    this.#sorted ??= [...this.#torrents.values()].sort((a, b) => b.addedAt - a.addedAt || (a.id < b.id ? -1 : 1));
    if (account.role === 'admin') return this.#sorted;
    return this.#sorted.filter((facts) => this.accessOf(account, facts) !== null);
  }

  /** @throws RequestError `FORBIDDEN`, `TORRENT_REFUSED`, `TORRENT_HIDDEN`; AppError of the engine */
  async add(account: Account, source: TorrentSource, requestedPath: string): Promise<TorrentId> {
    const savePath = await resolveSavePath(requestedPath, {
      defaultPath: this.deps.settings.savePath,
      allowedPaths: this.options.allowedPaths,
      isAdmin: account.role === 'admin',
    });
    const { id, existed } = await this.#addToEngine(account, source, savePath);
    const facts = this.find(id);
    if (existed && facts && this.accessOf(account, facts) === null) throw new RequestError('TORRENT_HIDDEN');
    return id;
  }

  async pause(id: TorrentId): Promise<void> {
    await this.deps.engine.client.pauseTorrent({ id });
  }

  async resume(id: TorrentId): Promise<void> {
    await this.deps.engine.client.resumeTorrent({ id });
  }

  async recheck(id: TorrentId): Promise<void> {
    await this.deps.engine.client.recheckTorrent({ id });
  }

  async remove(id: TorrentId, deleteData: boolean): Promise<void> {
    await this.deps.engine.client.removeTorrent({ id, deleteData });
  }

  /** How many of the addresses were new. */
  async addPeers(id: TorrentId, peers: readonly string[]): Promise<number> {
    return (await this.deps.engine.client.addPeers({ id, peers })).added;
  }

  rateLimits(id: TorrentId): Promise<RateLimits> {
    return this.deps.engine.client.torrentRateLimits({ id });
  }

  /** Of this torrent alone; in force and durable when it resolves. */
  async setRateLimits(id: TorrentId, limits: RateLimits): Promise<void> {
    await this.deps.engine.client.setTorrentRateLimits({ id, ...limits });
  }

  async #addToEngine(account: Account, source: TorrentSource, savePath: string): Promise<AddTorrentResult> {
    try {
      return await this.deps.engine.client.addTorrent({ source, savePath, ownerId: account.id, paused: false });
    } catch (error) {
      if (error instanceof AppError && REFUSALS.has(error.code))
        throw new RequestError('TORRENT_REFUSED', error.message);
      throw error;
    }
  }

  #set(facts: TorrentFacts): void {
    this.#torrents.set(facts.id, facts);
    this.#unconfirmed?.delete(facts.id);
    this.#sorted = null;
  }
}
