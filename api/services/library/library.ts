// The main thread's mirror of the engine's torrents: facts by event, numbers from the stats table. Owns who sees which
// torrent with what access, and is the only way from a route to the engine's torrents.
import type {
  EngineClient,
  FilePriority,
  PiecesDetail,
  RateLimits,
  TorrentOverlap,
} from '../../../shared-protocol/commands.js';
import type { Access } from '../../../shared-protocol/dto/torrents.js';
import type { EngineEvent, TorrentFacts } from '../../../shared-protocol/events.js';
import { ADMIN_ACCOUNT_ID, type AccountId, type TorrentId } from '../../../shared-protocol/ids.js';
import type { LibraryRecord } from '../../../shared-protocol/library-record.js';
import { StatsReader } from '../../../shared-protocol/stats-table.js';
import { notFound } from '../../errors.js';
import type { Account } from '../accounts/accounts.js';
import { Holdings, type Holding } from './holdings.js';
import type { TorrentOrder } from './torrent-order.js';
import { Visibility } from './visibility.js';

const ACCESS_RANK: { readonly [Level in Access]: number } = { owner: 2, editor: 1, viewer: 0 };

export function includesAccess(has: Access, needed: Access): boolean {
  return ACCESS_RANK[has] >= ACCESS_RANK[needed];
}

const FILE_PRIORITIES: ReadonlyMap<string, FilePriority> = new Map([
  ['skip', 'skip'],
  ['high', 'high'],
  ['max', 'max'],
]);

export interface LibraryDeps {
  readonly engine: { readonly client: EngineClient };
  /** Whether there is such an account. @default whatever the engine names exists */
  readonly isAccount?: (id: AccountId) => boolean;
}

export class Library {
  readonly stats = new StatsReader();
  readonly #torrents = new Map<TorrentId, TorrentFacts>();
  readonly #visibility = new Visibility();
  readonly #holdings = new Holdings();
  /** While a new engine loads: what the one before had and the new one has not named yet. */
  #unconfirmed: Set<TorrentId> | null = null;
  /** The last edit of a torrent's record: the next one begins when it has ended. */
  readonly #edits = new Map<TorrentId, Promise<void>>();

  constructor(private readonly deps: LibraryDeps) {}

  handleEvent(event: EngineEvent): void {
    switch (event.name) {
      case 'torrents.added':
        for (const facts of event.payload.torrents) this.#set(facts);
        return;
      case 'torrent.changed':
        this.#set(event.payload.facts);
        return;
      case 'torrent.removed':
        this.#delete(event.payload.id);
        return;
      case 'stats.table':
        this.stats.attach(event.payload);
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
    for (const id of this.#unconfirmed ?? []) this.#delete(id);
    this.#unconfirmed = null;
  }

  /** An account is gone: what it owned is account 1's from now on (semantics.md section 3). */
  forgetAccount(id: AccountId): void {
    for (const facts of [...this.#visibility.ofAccount(id)]) if (facts.ownerId === id) this.#set(facts);
  }

  /** What the account may do with the torrent; null when it must not even know of it. */
  accessOf(account: Pick<Account, 'role' | 'id'>, facts: TorrentFacts): Access | null {
    if (account.role === 'admin' || facts.ownerId === account.id) return 'owner';
    return facts.library.shares.find(({ accountId }) => accountId === account.id)?.access ?? null;
  }

  /** In no order. */
  get all(): Iterable<TorrentFacts> {
    return this.#torrents.values();
  }

  find(id: TorrentId): TorrentFacts | undefined {
    return this.#torrents.get(id);
  }

  /** Newest first by `addedAt`, then ascending by id. It goes on changing: whoever waits copies it first. */
  visibleTo({ role, id }: Account): TorrentOrder {
    return role === 'admin' ? this.#visibility.all : this.#visibility.ofAccount(id);
  }

  /** Of what it owns. */
  holdingOf(id: AccountId): Holding {
    return this.#holdings.of(id);
  }

  async pause(id: TorrentId): Promise<void> {
    await this.deps.engine.client.pauseTorrent({ id });
  }

  async resume(id: TorrentId): Promise<void> {
    await this.deps.engine.client.resumeTorrent({ id });
  }

  /** `takeOver`: files at its paths that it did not make become its own. */
  async recheck(id: TorrentId, takeOver: boolean): Promise<void> {
    await this.deps.engine.client.recheckTorrent({ id, takeOver });
  }

  async remove(id: TorrentId, deleteData: boolean): Promise<void> {
    await this.deps.engine.client.removeTorrent({ id, deleteData });
  }

  async pieces(id: TorrentId): Promise<PiecesDetail> {
    const { pieces } = await this.deps.engine.client.inspectTorrent({ id, parts: ['pieces'] });
    if (!pieces) throw new Error('bug: the engine left out what it was asked for');
    return pieces;
  }

  overlaps(): Promise<readonly TorrentOverlap[]> {
    return this.deps.engine.client.torrentOverlaps({});
  }

  /** How many of the addresses were new. @throws AppError `PEER_ADDRESS_INVALID`, `PEER_ADDRESS_REFUSED` */
  async addPeers(id: TorrentId, peers: readonly string[], { id: accountId }: Pick<Account, 'id'>): Promise<number> {
    return (await this.deps.engine.client.addPeers({ id, peers, accountId })).added;
  }

  /** @throws AppError `TRACKER_INVALID` */
  async addTracker(id: TorrentId, url: string, { id: accountId }: Pick<Account, 'id'>): Promise<void> {
    await this.deps.engine.client.addTracker({ id, url, accountId });
  }

  async removeTracker(id: TorrentId, url: string): Promise<void> {
    await this.deps.engine.client.removeTracker({ id, url });
  }

  /** By file index; interface.md: a string that is no priority means `normal`. @throws AppError `FILE_INDEX_INVALID` */
  async setFilePriorities(id: TorrentId, named: Readonly<Record<string, string>>): Promise<void> {
    const priorities: Record<number, FilePriority> = {};
    for (const [index, name] of Object.entries(named))
      priorities[Number(index)] = FILE_PRIORITIES.get(name) ?? 'normal';
    await this.deps.engine.client.setFilePriorities({ id, priorities });
  }

  async setQueuePosition(id: TorrentId, position: number): Promise<void> {
    await this.deps.engine.client.setQueuePosition({ id, position });
  }

  async setForceStart(id: TorrentId, forceStart: boolean): Promise<void> {
    await this.deps.engine.client.setForceStart({ id, forceStart });
  }

  async setSequential(id: TorrentId, sequential: boolean): Promise<void> {
    await this.deps.engine.client.setSequential({ id, sequential });
  }

  rateLimits(id: TorrentId): Promise<RateLimits> {
    return this.deps.engine.client.torrentRateLimits({ id });
  }

  /** Of this torrent alone; in force and durable when it resolves. */
  async setRateLimits(id: TorrentId, limits: RateLimits): Promise<void> {
    await this.deps.engine.client.setTorrentRateLimits({ id, ...limits });
  }

  /**
   * Changes what accounts have made of a torrent, durably; edits of one torrent are one after another. Nothing is
   * written when the change returns the record it was given.
   * @throws RequestError `NOT_FOUND`
   */
  editRecord(id: TorrentId, change: (record: LibraryRecord) => LibraryRecord): Promise<void> {
    const edit = (this.#edits.get(id) ?? Promise.resolve()).then(() => this.#editNow(id, change));
    const settled = edit
      .catch(() => undefined)
      .then(() => {
        if (this.#edits.get(id) === settled) this.#edits.delete(id);
      });
    this.#edits.set(id, settled);
    return edit;
  }

  async #editNow(id: TorrentId, change: (record: LibraryRecord) => LibraryRecord): Promise<void> {
    const facts = this.find(id);
    if (!facts) throw notFound('torrent');
    const record = change(facts.library);
    // The event with the new record arrives before the answer (shared-protocol/transport.ts).
    if (record !== facts.library) await this.deps.engine.client.setLibraryRecord({ id, record });
  }

  /** Facts that were changed are another object (snapshot/ relies on it). */
  #set(told: TorrentFacts): void {
    const isOwned = this.deps.isAccount?.(told.ownerId) ?? true;
    const facts = isOwned ? told : { ...told, ownerId: ADMIN_ACCOUNT_ID };
    const before = this.#torrents.get(facts.id);
    if (before) this.#visibility.replace(before, facts);
    else this.#visibility.add(facts);
    if (before) this.#holdings.remove(before);
    this.#holdings.add(facts);
    this.#torrents.set(facts.id, facts);
    this.#unconfirmed?.delete(facts.id);
  }

  #delete(id: TorrentId): void {
    const facts = this.#torrents.get(id);
    if (facts) {
      this.#visibility.remove(facts);
      this.#holdings.remove(facts);
    }
    this.#torrents.delete(id);
  }
}
