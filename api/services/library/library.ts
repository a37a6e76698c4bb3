// The main thread's mirror of the engine's torrents: facts by event, numbers from the stats table. Owns who sees which
// torrent with what access, and is the only way from a route to the engine's torrents.
import type { DetailPart, FilePriority, PiecesDetail } from '../../../shared-protocol/commands/details.js';
import type { InspectParams, TorrentDetails } from '../../../shared-protocol/commands/inspection.js';
import type { JointClient } from '../../../shared-protocol/commands.js';
import type { QueueTarget, RateLimits, TorrentPeerLimits } from '../../../shared-protocol/commands/limits.js';
import type { ShareRef, TorrentOverlap } from '../../../shared-protocol/commands/shares.js';
import { CommonTexts, commonList } from '../../../shared-protocol/common-values.js';
import type { Access } from '../../../shared-protocol/dto/torrents.js';
import type { EngineEvent } from '../../../shared-protocol/events.js';
import { ADMIN_ACCOUNT_ID, type AccountId, type TorrentId } from '../../../shared-protocol/ids.js';
import { StatsReader } from '../../../shared-protocol/stats-table.js';
import type { Account } from '../../auth/account.js';
import { AccountUsage, type Usage } from './account-usage.js';
import { accessToShare, carryOver, refOf, sharesByAccount, sharesOf, type ListedTorrent } from './shares.js';
import { inspectMany } from './inspect-many.js';
import { RecordEdits, type RecordChange } from './record-edits.js';
import type { TorrentOrder } from './torrent-order.js';
import { Visibility } from './visibility.js';

const FILE_PRIORITIES: ReadonlyMap<string, FilePriority> = new Map([
  ['skip', 'skip'],
  ['high', 'high'],
  ['max', 'max'],
]);

export interface LibraryDeps {
  readonly engine: { readonly client: JointClient };
  /** Whether there is such an account. @default whatever the engine names exists */
  readonly isAccount?: (id: AccountId) => boolean;
}

export class Library {
  readonly stats = new StatsReader();
  readonly #torrents = new Map<TorrentId, ListedTorrent>();
  readonly #visibility = new Visibility();
  readonly #usage = new AccountUsage();
  readonly #texts = new CommonTexts();
  /** While a new engine loads: what the one before had and the new one has not named yet. */
  readonly #unconfirmed = new Set<TorrentId>();
  readonly #edits: RecordEdits;

  constructor(private readonly deps: LibraryDeps) {
    this.#edits = new RecordEdits({ engine: deps.engine, share: (ref) => this.share(ref) });
  }

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
      // Told to its owner (services/hooks/hooks.ts).
      case 'files.left':
      // Logged where the engine is started (engine-client/engine-host.ts).
      case 'log':
        return;
    }
  }

  /**
   * An engine is about to load; torrents stay listed so that no client takes them for removed. `isOf` tells of a torrent whether it
   * is one of that engine's.
   */
  beginReload(isOf: (id: TorrentId) => boolean = () => true): void {
    for (const id of this.#torrents.keys()) if (isOf(id)) this.#unconfirmed.add(id);
  }

  /** The engine has named all it has. */
  endReload(isOf: (id: TorrentId) => boolean = () => true): void {
    for (const id of [...this.#unconfirmed]) if (isOf(id)) this.#delete(id);
  }

  /**
   * An account is gone: what it alone held is account 1's from now on (docs/semantics.md section 3), other shares go.
   */
  forgetAccount(id: AccountId): void {
    for (const { id: torrent, ownerId } of [...this.#visibility.ofAccount(id)]) {
      const facts = this.find(torrent);
      if (facts && ownerId === id) this.#set(facts);
    }
  }

  /** Returns what the account may do with the torrent; null when it must not even know of it. */
  accessOf(account: Pick<Account, 'role' | 'id'>, torrent: ListedTorrent): Access | null {
    if (account.role === 'admin') return 'owner';
    const share = torrent.holders ? this.shareFor(account.id, torrent) : torrent;
    return share ? accessToShare(account.id, share) : null;
  }

  /** Returns what the account is shown of it: all, to administrators, or a share. Only for those who may see it. */
  shownTo(account: Pick<Account, 'role' | 'id'>, torrent: ListedTorrent): ListedTorrent {
    return account.role === 'admin' ? torrent : (this.shareFor(account.id, torrent) ?? torrent);
  }

  /** Returns the account's own share, or one that it was granted, whatever its role. */
  shareFor(accountId: AccountId, torrent: ListedTorrent): ListedTorrent | null {
    return sharesByAccount(torrent).get(accountId) ?? null;
  }

  /** In no order. */
  get all(): Iterable<ListedTorrent> {
    return this.#torrents.values();
  }

  find(id: TorrentId): ListedTorrent | undefined {
    return this.#torrents.get(id);
  }

  /** Newest first by `addedAt`, then ascending by id. It goes on changing: a caller that waits copies it first. */
  visibleTo({ role, id }: Pick<Account, 'role' | 'id'>): TorrentOrder {
    return role === 'admin' ? this.#visibility.all : this.#visibility.ofAccount(id);
  }

  /** Returns the usage of what the account owns. */
  usageOf(id: AccountId): Usage {
    return this.#usage.of(id);
  }

  async pause(share: ShareRef): Promise<void> {
    await this.deps.engine.client.pauseTorrent(share);
  }

  async resume(share: ShareRef): Promise<void> {
    await this.deps.engine.client.resumeTorrent(share);
  }

  /** `takeOver`: files at its paths that it did not make become its own. @throws AppError `CHECKED_LATELY` */
  async recheck(share: ShareRef, takeOver: boolean): Promise<void> {
    await this.deps.engine.client.recheckTorrent({ ...share, takeOver });
  }

  /** The share; with the last one the torrent, and its data if they are to go. */
  async remove(share: ShareRef, deleteData: boolean): Promise<void> {
    await this.deps.engine.client.removeTorrent({ ...share, deleteData });
  }

  async pieces(share: ShareRef): Promise<PiecesDetail> {
    const { pieces } = await this.deps.engine.client.inspectTorrent({ ...share, parts: ['pieces'] });
    if (!pieces) throw new Error('bug: the engine left out what it was asked for');
    return pieces;
  }

  /** Parts of one torrent, and of its files as many as are asked for. */
  inspect(share: ShareRef, params: InspectParams): Promise<TorrentDetails> {
    return this.deps.engine.client.inspectTorrent({ ...share, ...params });
  }

  /** In the order of the shares; null for what is not there any more. */
  details(shares: readonly ShareRef[], parts: readonly DetailPart[]): Promise<(TorrentDetails | null)[]> {
    return inspectMany(this.deps.engine.client, { shares, parts });
  }

  /** @throws AppError `METADATA_UNKNOWN` */
  async torrentFile(share: ShareRef): Promise<Buffer> {
    const { buffer, byteOffset, byteLength } = await this.deps.engine.client.exportTorrent(share);
    return Buffer.from(buffer, byteOffset, byteLength);
  }

  overlaps(): Promise<readonly TorrentOverlap[]> {
    return this.deps.engine.client.torrentOverlaps({});
  }

  /** How many of the addresses were new. @throws AppError `PEER_ADDRESS_INVALID`, `PEER_ADDRESS_REFUSED` */
  async addPeers(id: TorrentId, peers: readonly string[], { id: accountId }: Pick<Account, 'id'>): Promise<number> {
    return (await this.deps.engine.client.addPeers({ id, peers, accountId })).added;
  }

  async removeTracker(share: ShareRef, url: string): Promise<void> {
    await this.deps.engine.client.removeTracker({ ...share, url });
  }

  /** By file index; docs/api.md: a string that is no priority means `normal`. @throws AppError `FILE_INDEX_INVALID` */
  async setFilePriorities(share: ShareRef, named: Readonly<Record<string, string>>): Promise<void> {
    const priorities: Record<number, FilePriority> = {};
    for (const [index, name] of Object.entries(named))
      priorities[Number(index)] = FILE_PRIORITIES.get(name) ?? 'normal';
    await this.deps.engine.client.setFilePriorities({ ...share, priorities });
  }

  async setQueuePosition(share: ShareRef, position: number): Promise<void> {
    await this.deps.engine.client.setQueuePosition({ ...share, position });
  }

  async moveInQueue(shares: readonly ShareRef[], to: QueueTarget): Promise<void> {
    await this.deps.engine.client.moveInQueue({ shares, to });
  }

  async setForceStart(share: ShareRef, forceStart: boolean): Promise<void> {
    await this.deps.engine.client.setForceStart({ ...share, forceStart });
  }

  async setSequential(share: ShareRef, sequential: boolean): Promise<void> {
    await this.deps.engine.client.setSequential({ ...share, sequential });
  }

  async setSuperSeeding(share: ShareRef, superSeeding: boolean): Promise<void> {
    await this.deps.engine.client.setSuperSeeding({ ...share, superSeeding });
  }

  /** The first and last pieces of each wanted file come first. */
  async setFirstLastFirst(share: ShareRef, firstLastFirst: boolean): Promise<void> {
    await this.deps.engine.client.setFirstLastFirst({ ...share, firstLastFirst });
  }

  rateLimits(share: ShareRef): Promise<RateLimits> {
    return this.deps.engine.client.torrentRateLimits(share);
  }

  /** Sets the limits of this torrent alone; in force and durable when it resolves. */
  async setRateLimits(share: ShareRef, limits: RateLimits): Promise<void> {
    await this.deps.engine.client.setTorrentRateLimits({ ...share, ...limits });
  }

  peerLimits(share: ShareRef): Promise<TorrentPeerLimits> {
    return this.deps.engine.client.torrentPeerLimits(share);
  }

  /** Sets connections and upload slots of this torrent alone; in force and durable when it resolves. */
  async setPeerLimits(share: ShareRef, limits: TorrentPeerLimits): Promise<void> {
    await this.deps.engine.client.setTorrentPeerLimits({ ...share, ...limits });
  }

  /**
   * Changes what accounts have made of a torrent, durably; edits of one torrent are one after another. Without `by` it is the
   * owner's. @throws RequestError `NOT_FOUND`
   */
  editRecord(share: ShareRef, change: RecordChange): Promise<void> {
    return this.#edits.edit(share, change);
  }

  /** Without `by` the owner's; undefined: there is none, or none any more. */
  share({ id, by }: ShareRef): ListedTorrent | undefined {
    const torrent = this.find(id);
    return torrent && sharesOf(torrent).find((share) => by === undefined || refOf(share).by === by);
  }

  /** Facts that were changed are another object (torrent-list/ relies on it). */
  #set(told: ListedTorrent): void {
    const torrent = this.#kept(this.#ofThoseWhoAre(told));
    const before = this.#torrents.get(torrent.id);
    if (before) {
      carryOver(before, torrent);
      this.#visibility.replace(before, torrent);
    } else this.#visibility.add(torrent);
    if (before) this.#usage.remove(before);
    this.#usage.add(torrent);
    this.#torrents.set(torrent.id, torrent);
    this.#unconfirmed.delete(torrent.id);
  }

  /** The same, with what other torrents have as well held once for all of them. */
  #kept(torrent: ListedTorrent): ListedTorrent {
    const { savePath, trackers, library } = torrent;
    return {
      ...torrent,
      savePath: this.#texts.of(savePath),
      trackers: this.#texts.of(trackers),
      library: { ...library, shares: commonList(library.shares), tagIds: commonList(library.tagIds) },
    };
  }

  /** Leaves out accounts that are gone; what no other account holds of theirs is account 1's. */
  #ofThoseWhoAre(told: ListedTorrent): ListedTorrent {
    const { isAccount = () => true } = this.deps;
    const { id, ownerId, holders } = told;
    const left = holders?.filter(({ accountId }) => isAccount(accountId));
    if (!holders || !left?.length) {
      return isAccount(ownerId) ? told : { ...told, ownerId: ADMIN_ACCOUNT_ID, heldBy: ownerId };
    }
    if (left.length === holders.length) return told;
    for (const { accountId } of holders) if (!isAccount(accountId)) this.#putOut({ id, by: accountId });
    return { ...told, ownerId: left[0]!.accountId, holders: left };
  }

  /** An engine that is away or has just begun tells of the torrent again, and is asked again then. */
  #putOut(share: Required<ShareRef>): void {
    void this.deps.engine.client.leaveTorrent(share).catch(() => undefined);
  }

  #delete(id: TorrentId): void {
    const facts = this.#torrents.get(id);
    if (facts) {
      this.#visibility.remove(facts);
      this.#usage.remove(facts);
    }
    this.#torrents.delete(id);
    this.#unconfirmed.delete(id);
  }
}
