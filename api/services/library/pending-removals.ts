// Removals that were asked for and can still be undone: stored before they are answered, and carried out when they are due,
// whatever becomes of who asked, after a restart too. Owns: an account sees and undoes its own alone; what it may not remove
// any more when it is due stays.
import { z } from 'zod';
import {
  MAX_GRACE_S,
  MAX_PENDING_REMOVALS,
  MAX_PENDING_TORRENTS,
  type RemovalDto,
} from '../../../shared-protocol/dto/removals.js';
import { idSchema, timeSchema } from '../../../shared-protocol/dto/fields.js';
import { forEachLimit } from '../../../shared-protocol/for-each-limit.js';
import { AppError } from '../../../shared-protocol/errors.js';
import type { AccountId, TorrentId } from '../../../shared-protocol/ids.js';
import type { Collection } from '../../../storage/types.js';
import type { Account } from '../../auth/account.js';
import { unixSecondsOf, type Clock, type Timer } from '../../clocks.js';
import type { Engines } from '../../engines/engines.js';
import { notFound, RequestError } from '../../errors.js';
import type { Log } from '../../logging.js';
import type { BackgroundService } from '../background-service.js';
import type { Library } from './library.js';
import { refOf } from './shares.js';

/** Torrents of a batch, too: so many share a commit of the store. */
const TORRENTS_AT_A_TIME = 256;
/** An engine that is away is back within it, as a rule, and a disk that was full may have room. */
const AGAIN_MS = 5_000;

const storedRemovalSchema = z.object({
  id: idSchema,
  user_id: idSchema,
  asked_at: timeSchema,
  due_at: timeSchema,
  delete_data: z.boolean(),
  ids: z.array(z.string()),
  /** Whether it is being carried out, and can be undone no more. */
  is_begun: z.boolean().default(false),
});
type StoredRemoval = z.infer<typeof storedRemovalSchema>;
export const removalsSchema = z.object({ next_id: idSchema, removals: z.array(storedRemovalSchema) });
export type RemovalsData = z.infer<typeof removalsSchema>;
export const NO_REMOVALS: RemovalsData = { next_id: 1, removals: [] };

export interface PendingRemovalsDeps {
  readonly collection: Collection<RemovalsData>;
  readonly library: Pick<Library, 'find' | 'accessOf' | 'shownTo' | 'remove'>;
  readonly engines: Pick<Engines, 'isWhole'>;
  /** Enabled ones. */
  readonly accountOf: (id: number) => Account | undefined;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

export class PendingRemovals implements BackgroundService {
  /** Removals that are being carried out: they can be undone no more. */
  readonly #begun = new Map<number, Promise<void>>();
  /** When those were first seen that a clock that was ahead has made due too late. */
  readonly #noticedAhead = new Map<number, number>();
  #timer: Timer | null = null;
  #isRunning = false;

  constructor(private readonly deps: PendingRemovalsDeps) {
    deps.collection.onChanged(() => this.#wake());
  }

  start(): void {
    this.#isRunning = true;
    this.#wake();
  }

  /** Ends what is under way; the others wait for the next start. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#timer?.cancel();
    await Promise.all(this.#begun.values());
  }

  of(accountId: AccountId): RemovalDto[] {
    return this.#all
      .filter(({ id, user_id, is_begun }) => user_id === accountId && !is_begun && !this.#begun.has(id))
      .map(({ id, due_at, delete_data, ids }) => ({ id, due_at, delete_data, ids }));
  }

  /** @throws RequestError `QUOTA_EXCEEDED`; AppError `STORAGE_FAILED` */
  async begin(
    accountId: AccountId,
    ids: readonly TorrentId[],
    { delete_data, grace_seconds }: { readonly delete_data: boolean; readonly grace_seconds: number },
  ): Promise<RemovalDto> {
    const now = this.#now();
    const removal = { asked_at: now, due_at: now + grace_seconds, delete_data, ids: [...ids], is_begun: false };
    let id = 0;
    await this.deps.collection.update((data) => {
      const own = data.removals.filter(({ user_id }) => user_id === accountId);
      const torrents = own.reduce((sum, each) => sum + each.ids.length, ids.length);
      if (own.length >= MAX_PENDING_REMOVALS || torrents > MAX_PENDING_TORRENTS) {
        throw new RequestError('QUOTA_EXCEEDED', 'removals: too many are pending; try again in a minute', {
          of: 'removals',
        });
      }
      id = data.next_id++;
      data.removals.push({ ...removal, id, user_id: accountId });
    });
    this.#wake();
    return { id, due_at: removal.due_at, delete_data, ids: removal.ids };
  }

  /** @throws RequestError `NOT_FOUND`, also for one that is being carried out; AppError `STORAGE_FAILED` */
  async undo(accountId: AccountId, id: number): Promise<void> {
    if (!this.of(accountId).some((removal) => removal.id === id)) throw notFound('removal');
    await this.deps.collection.update((data) => {
      // It may have become due meanwhile, at another front as well.
      const place = data.removals.findIndex((removal) => removal.id === id && !removal.is_begun);
      if (place < 0) throw notFound('removal');
      data.removals.splice(place, 1);
    });
  }

  /** The account is gone. */
  async forgetAccount(accountId: AccountId): Promise<void> {
    if (this.#all.some(({ user_id }) => user_id === accountId)) {
      await this.#forget(({ user_id }) => user_id === accountId);
    }
  }

  /** Begins what is due, and comes back when the next is. */
  #wake(): void {
    this.#timer?.cancel();
    this.#timer = null;
    if (!this.#isRunning) return;
    const now = this.#now();
    const waiting = this.#all.filter(({ id }) => !this.#begun.has(id));
    const left = waiting.map((removal) => ({ removal, seconds: this.#secondsLeft(removal, now) }));
    for (const { removal, seconds } of left) if (seconds <= 0) this.#begin(removal);
    const next = Math.min(...left.flatMap(({ seconds }) => (seconds > 0 ? seconds : [])));
    if (next < Infinity) this.#wakeIn(next * 1_000);
  }

  /** A clock that was set back is not waited for: what it had due years from now is due after the longest grace. */
  #secondsLeft({ id, due_at }: StoredRemoval, now: number): number {
    if (due_at - now <= MAX_GRACE_S) return due_at - now;
    const nowMs = this.deps.clock.nowMs();
    const noticedMs = this.#noticedAhead.get(id) ?? nowMs;
    this.#noticedAhead.set(id, noticedMs);
    return MAX_GRACE_S - (nowMs - noticedMs) / 1_000;
  }

  #wakeIn(ms: number): void {
    this.#timer = this.deps.clock.after(ms, () => this.#wake());
  }

  #begin(removal: StoredRemoval): void {
    this.#noticedAhead.delete(removal.id);
    const done = this.#carryOutUnlessUndone(removal).then(async (isDone) => {
      if (isDone) await this.#forget(({ id }) => id === removal.id);
      this.#begun.delete(removal.id);
      if (!isDone) this.#again();
    });
    this.#begun.set(
      removal.id,
      done.catch((error: unknown) => {
        this.#begun.delete(removal.id);
        this.deps.log.warn('removal not finished', { removalId: removal.id, reason: String(error) });
        this.#again();
      }),
    );
  }

  #again(): void {
    if (!this.#isRunning) return;
    this.#timer?.cancel();
    this.#wakeIn(AGAIN_MS);
  }

  /** Removes them once nobody can undo it any more; of one that was undone nothing is left to do. */
  async #carryOutUnlessUndone(removal: StoredRemoval): Promise<boolean> {
    let isThere = false;
    await this.deps.collection.update((data) => {
      const stored = data.removals.find(({ id }) => id === removal.id);
      isThere = stored !== undefined;
      if (stored) stored.is_begun = true;
    });
    return !isThere || this.#carryOut(removal);
  }

  /** False: the engine was away, and it is to be tried again. */
  async #carryOut({ user_id, asked_at, delete_data, ids }: StoredRemoval): Promise<boolean> {
    const { library, engines, accountOf, log } = this.deps;
    let isDone = true;
    await forEachLimit(ids, TORRENTS_AT_A_TIME, async (id) => {
      const account = accountOf(user_id);
      const torrent = library.find(id as TorrentId);
      isDone &&= torrent !== undefined || engines.isWhole;
      if (!account || !torrent || library.accessOf(account, torrent) !== 'owner') return;
      const shown = library.shownTo(account, torrent);
      // One that was removed by other means and added again since is another; one of a clock that was ahead is not.
      if (shown.addedAt > asked_at && shown.addedAt <= this.#now()) return;
      try {
        await library.remove(account.role === 'admin' ? { id: torrent.id } : refOf(shown), delete_data);
      } catch (error) {
        const code = error instanceof AppError ? error.code : '';
        isDone &&= !code.startsWith('ENGINE_');
        log.warn('torrent not removed', { torrentId: id, accountId: user_id, reason: String(error) });
      }
    });
    return isDone;
  }

  async #forget(isGone: (removal: StoredRemoval) => boolean): Promise<void> {
    await this.deps.collection.update((data) => {
      data.removals = data.removals.filter((removal) => !isGone(removal));
    });
  }

  get #all(): readonly StoredRemoval[] {
    return this.deps.collection.data.removals;
  }

  #now(): number {
    return unixSecondsOf(this.deps.clock);
  }
}
