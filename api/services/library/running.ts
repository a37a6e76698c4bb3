// Which of an account's torrents run, where administrators have bounded how many, or how much they may take on disk. What is
// beyond is paused, and its record says why (`quotaHold`); it is begun again once there is room, the oldest first. Owns: what
// is held runs for nobody but an administrator, and one that a person pauses is not held any more.
import type { ShareRef } from '../../../shared-protocol/commands/shares.js';
import type { EngineEvent } from '../../../shared-protocol/events.js';
import type { AccountId, TorrentId } from '../../../shared-protocol/ids.js';
import type { QuotaHold } from '../../../shared-protocol/library-record.js';
import { emptyStats, TORRENT_FLAGS } from '../../../shared-protocol/stats-table.js';
import type { Log } from '../../logging.js';
import type { Account } from '../../auth/account.js';
import type { BackgroundService } from '../background-service.js';
import { boundOf, noRoom, quotaOf, tooManyRun } from './account-quota.js';
import type { Library } from './library.js';
import type { Quotas } from './quotas.js';
import { refOf, sharesOf, type ListedTorrent } from './shares.js';

/** How long there may be room before what is held begins. */
const HELD_CHECK_MS = 10_000;
/** How long a count is believed, which looks at all torrents of an account: what other fronts begin is not told here. */
const COUNTED_FOR_MS = 1_000;

/** How many torrents an account runs: those that were counted, and those begun since. What ends only makes it too high. */
interface Count {
  active: number;
  /** Whether it left no room, which holds until something is paused or removed. */
  readonly isFull: boolean;
  readonly atMs: number;
}

export interface RunningDeps {
  readonly library: Pick<
    Library,
    'find' | 'visibleTo' | 'share' | 'stats' | 'pause' | 'resume' | 'remove' | 'editRecord' | 'usageOf'
  >;
  readonly quotas: Pick<Quotas, 'inTurn'>;
  readonly findAccount: (id: AccountId) => Account | undefined;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly log: Pick<Log, 'debug'>;
}

export class Running implements BackgroundService {
  /** Torrents whose size is not known yet. */
  readonly #unsized = new Set<TorrentId>();
  /** Torrents of which a share is held. */
  readonly #held = new Set<TorrentId>();
  /** Torrents whose size has turned out, and whose shares are to be judged. */
  readonly #toJudge = new Set<TorrentId>();
  readonly #counts = new Map<AccountId, Count>();
  readonly #stats = emptyStats();
  #timer: NodeJS.Timeout | null = null;
  #checking: Promise<void> | null = null;
  #isStopped = false;

  constructor(private readonly deps: RunningDeps) {}

  /** After the library has heard of it. */
  handleEvent(event: EngineEvent): void {
    if (event.name === 'torrents.added') for (const { id } of event.payload.torrents) this.#note(id);
    if (event.name === 'torrent.changed') this.#note(event.payload.facts.id);
    if (event.name !== 'torrent.removed') return;
    this.#forgetFull();
    for (const set of [this.#unsized, this.#held, this.#toJudge]) set.delete(event.payload.id);
  }

  start(): void {
    this.#isStopped = false;
    this.#timer = setInterval(() => void this.check(), HELD_CHECK_MS);
  }

  /** Begins nothing more that is held. */
  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    this.#isStopped = true;
    await this.#checking;
  }

  /** Holds what has turned out too large, and begins what is held and has room by now. Never rejects. */
  check(): Promise<void> {
    this.#checking ??= this.#checkNow()
      // Without an engine the next check tries again.
      .catch((error: unknown) => this.deps.log.debug('held torrents not looked at', { reason: String(error) }))
      .finally(() => (this.#checking = null));
    return this.#checking;
  }

  async #checkNow(): Promise<void> {
    do {
      await this.#judgeSized();
      for (const share of this.#heldShares()) {
        if (this.#isStopped) return;
        await this.#resumeIfRoom(share);
      }
    } while (this.#toJudge.size > 0);
  }

  /** Whether one more torrent of the account may run, which is taken to begin then. */
  hasRoom(account: Account): boolean {
    const allowed = boundOf(quotaOf(account)?.active);
    if (this.#activeOf(account.id, allowed) >= allowed) return false;
    this.#noteBegun(account.id);
    return true;
  }

  /** How many torrents the account runs: its shares that are not paused. */
  activeOf({ id }: Pick<Account, 'id'>): number {
    let active = 0;
    for (const share of this.deps.library.visibleTo({ id, role: 'user' })) {
      if (share.ownerId === id && !this.#isPaused(share)) active++;
    }
    return active;
  }

  async pause(share: ShareRef): Promise<void> {
    await this.deps.library.pause(share);
    await this.#release(share);
    this.#forgetFull();
  }

  /** An administrator is asked nothing. @throws RequestError `QUOTA_EXCEEDED` */
  async resume(caller: Pick<Account, 'role'>, ref: ShareRef): Promise<void> {
    const { library, quotas, findAccount } = this.deps;
    const share = library.share(ref);
    const owner = share && findAccount(share.ownerId);
    const quota = owner && quotaOf(owner);
    if (caller.role === 'admin' || !owner || !quota || (quota.active === 0 && quota.bytes === 0)) {
      return this.#resumeNow(ref);
    }
    await quotas.inTurn(owner.id, async () => {
      const now = library.share(ref);
      if (now) this.#refuse(owner, now);
      await this.#resumeNow(ref);
    });
  }

  /** @throws RequestError `QUOTA_EXCEEDED` */
  #refuse(owner: Account, share: ListedTorrent): void {
    const quota = quotaOf(owner);
    if (!quota || !this.#isPaused(share)) return;
    const { bytes } = this.deps.library.usageOf(owner.id);
    // Also one that is not held any more because it was paused by hand.
    if (bytes > boundOf(quota.bytes) && !this.#isComplete(share)) throw noRoom(bytes, quota.bytes, 0);
    const active = this.#activeOf(owner.id, boundOf(quota.active));
    if (active >= boundOf(quota.active)) throw tooManyRun(active, quota.active);
  }

  async #resumeNow(ref: ShareRef): Promise<void> {
    await this.#release(ref);
    const torrent = this.deps.library.find(ref.id);
    for (const share of torrent ? sharesOf(torrent) : []) {
      if ((ref.by === undefined || ref.by === share.ownerId) && this.#isPaused(share)) this.#noteBegun(share.ownerId);
    }
    await this.deps.library.resume(ref);
  }

  async #resumeIfRoom(share: ListedTorrent): Promise<void> {
    const owner = this.deps.findAccount(share.ownerId);
    if (!owner) return;
    await this.deps.quotas.inTurn(owner.id, async () => {
      const now = this.deps.library.share(refOf(share));
      if (!now?.library.quotaHold) return;
      try {
        this.#refuse(owner, now);
      } catch {
        return;
      }
      await this.#resumeNow(refOf(now));
    });
  }

  /** A magnet has turned out to be larger than there is room. */
  async #judgeSized(): Promise<void> {
    const { library, findAccount } = this.deps;
    for (const id of this.#toJudge) {
      const torrent = library.find(id);
      for (const share of torrent ? sharesOf(torrent) : []) {
        const owner = findAccount(share.ownerId);
        const bound = boundOf(owner && quotaOf(owner)?.bytes);
        if (library.usageOf(share.ownerId).bytes > bound && !share.library.quotaHold) await this.#hold(share, 'bytes');
      }
      this.#toJudge.delete(id);
    }
  }

  async #hold(share: ListedTorrent, quotaHold: QuotaHold): Promise<void> {
    const { library, log } = this.deps;
    await library.pause(refOf(share));
    await library.editRecord(refOf(share), (record) => ({ ...record, quotaHold }));
    log.debug('torrent held', { torrentId: share.id, quotaHold });
  }

  /** A person's decision stands: nothing begins it again by itself. */
  async #release(ref: ShareRef): Promise<void> {
    const torrent = this.deps.library.find(ref.id);
    for (const share of torrent ? sharesOf(torrent) : []) {
      const own = refOf(share);
      if (!share.library.quotaHold || (ref.by !== undefined && own.by !== ref.by)) continue;
      await this.deps.library.editRecord(own, ({ quotaHold: _held, ...record }) => record);
    }
  }

  #note(id: TorrentId): void {
    const torrent = this.deps.library.find(id);
    if (!torrent) return;
    if (!torrent.hasMetadata) this.#unsized.add(id);
    else if (this.#unsized.delete(id)) {
      this.#toJudge.add(id);
      void this.check();
    }
    if (sharesOf(torrent).some(({ library }) => library.quotaHold)) this.#held.add(id);
    else this.#held.delete(id);
  }

  /** The oldest first. */
  #heldShares(): ListedTorrent[] {
    const torrents = [...this.#held].flatMap((id) => this.deps.library.find(id) ?? []);
    return torrents
      .flatMap((torrent) => sharesOf(torrent))
      .filter(({ library }) => library.quotaHold)
      .sort((a, b) => a.addedAt - b.addedAt);
  }

  /** Exact where it leaves no room. */
  #activeOf(id: AccountId, allowed: number): number {
    if (allowed === Infinity) return 0;
    const known = this.#counts.get(id);
    const isFresh = known !== undefined && this.deps.now() - known.atMs < COUNTED_FOR_MS;
    if (isFresh && known.isFull === known.active >= allowed) return known.active;
    const active = this.activeOf({ id });
    this.#counts.set(id, { active, isFull: active >= allowed, atMs: this.deps.now() });
    return active;
  }

  #noteBegun(id: AccountId): void {
    const count = this.#counts.get(id);
    if (count) count.active++;
  }

  #forgetFull(): void {
    for (const [id, { isFull }] of this.#counts) if (isFull) this.#counts.delete(id);
  }

  #isComplete({ row, rowTag }: ListedTorrent): boolean {
    return (
      this.deps.library.stats.read(row, rowTag, this.#stats) && (this.#stats.flags & TORRENT_FLAGS.completed) !== 0
    );
  }

  #isPaused({ own, row, rowTag }: ListedTorrent): boolean {
    if (own) return own.paused;
    return !this.deps.library.stats.read(row, rowTag, this.#stats) || (this.#stats.flags & TORRENT_FLAGS.paused) !== 0;
  }
}
