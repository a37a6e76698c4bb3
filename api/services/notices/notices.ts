// What accounts are told of, each its own alone. A notice is told of before it is stored: one about a full disk must not
// wait for room on it. A thousand torrents may be complete within a second, so news are stored together; what an account
// does with them is durable when it is answered.
import type { NoticesChanged, NoticeDto, NoticesDto } from '../../../shared-protocol/dto/notices.js';
import type { AccountId } from '../../../shared-protocol/ids.js';
import { notFound } from '../../errors.js';
import type { Log } from '../../logging.js';
import { AccountFiles, type AccountFilesDeps } from '../accounts/account-files.js';
import type { BackgroundService } from '../background-service.js';
import { PacedSave } from './paced-save.js';
import { noNotices, Ring, ringSchema, type News, type RingData } from './ring.js';

/** The notices of a burst that a person reads. */
const MAX_TOLD = 20;

export interface NoticesDeps extends AccountFilesDeps {
  /** Unix seconds. */
  readonly now: () => number;
  readonly log: Pick<Log, 'warn'>;
}

interface Kept {
  /** The ring as it is stored, with what is not stored yet. */
  ring: Ring;
  /** Changes that are not stored. */
  readonly changes: ((ring: Ring) => void)[];
  /** The text of what is stored, as far as it is known. */
  storedText: string;
  isStoring: boolean;
  /** Whether another front has stored something that is not in the ring here. */
  isBehind: boolean;
  /** News that listeners have not heard of, the oldest first. */
  readonly added: Map<number, NoticeDto>;
  readonly save: PacedSave;
  /** Whether listeners are about to hear. */
  isAnnounced: boolean;
}

export class Notices implements BackgroundService {
  readonly #files: AccountFiles<RingData>;
  readonly #kept = new Map<AccountId, Promise<Kept>>();
  readonly #telling = new Set<Promise<void>>();
  #listener: ((id: AccountId, changed: NoticesChanged) => void) | null = null;

  constructor(private readonly deps: NoticesDeps) {
    const shape = { name: 'notices' as const, schema: ringSchema, nothing: noNotices };
    this.#files = new AccountFiles(deps, shape, (id) => void this.#follow(id));
  }

  start(): void {}

  /** Resolves when what was told is stored, as far as it can be. */
  async stop(): Promise<void> {
    await Promise.all(this.#telling);
    for (const opening of this.#kept.values()) await (await known(opening))?.save.finish();
  }

  /** Hears of each change, some of them at once. */
  onChanged(listener: (id: AccountId, changed: NoticesChanged) => void): void {
    this.#listener = listener;
  }

  /** Tells the account, soon. */
  tell(id: AccountId, ...news: readonly News[]): void {
    if (news.length === 0 || !this.deps.isAccount(id)) return;
    const telling = this.#tell(id, news)
      .catch((error: unknown) => this.#warn(id, error))
      .finally(() => this.#telling.delete(telling));
    this.#telling.add(telling);
  }

  /** @throws AppError `STORAGE_FAILED` */
  async of(id: AccountId): Promise<NoticesDto> {
    const { ring } = await this.#of(id);
    return { unread: ring.unread, notices: ring.newest };
  }

  /** Resolves to what a client that comes is told first. @throws AppError `STORAGE_FAILED` */
  async greeting(id: AccountId): Promise<NoticesChanged> {
    const { ring } = await this.#of(id);
    return { unread: ring.unread, added: [] };
  }

  /** Resolves when it is durable, as the next two. @throws AppError `STORAGE_FAILED` */
  read(id: AccountId, upTo = Infinity): Promise<void> {
    return this.#change(id, (ring) => ring.read(upTo));
  }

  clear(id: AccountId, upTo = Infinity): Promise<void> {
    return this.#change(id, (ring) => ring.clear(upTo));
  }

  /** @throws RequestError `NOT_FOUND` besides */
  async remove(id: AccountId, notice: number): Promise<void> {
    const { ring } = await this.#of(id);
    if (!ring.newest.some((each) => each.id === notice)) throw notFound('notice');
    await this.#change(id, (changed) => void changed.remove(notice));
  }

  async forgetAccount(id: AccountId): Promise<void> {
    const opening = this.#kept.get(id);
    this.#kept.delete(id);
    (await known(opening))?.save.drop();
    await this.#files.forgetAccount(id);
  }

  /** Removes what accounts left that went just before the last end of the process. */
  sweep(): Promise<void> {
    return this.#files.sweep();
  }

  async #tell(id: AccountId, news: readonly News[]): Promise<void> {
    const kept = await this.#of(id);
    const now = this.deps.now();
    kept.changes.push((ring) => {
      for (const each of news) ring.add(each, now);
    });
    for (const each of news) {
      const notice = kept.ring.add(each, now);
      // Behind those that were added before it.
      if (notice && kept.added.delete(notice.id)) kept.added.set(notice.id, notice);
      else if (notice) kept.added.set(notice.id, notice);
    }
    this.#announceSoon(id, kept);
    kept.save.soon();
  }

  async #change(id: AccountId, change: (ring: Ring) => void): Promise<void> {
    const kept = await this.#of(id);
    change(kept.ring);
    kept.changes.push(change);
    this.#announceSoon(id, kept);
    await kept.save.now();
  }

  /** Later in this turn of the loop others may be told. */
  #announceSoon(id: AccountId, kept: Kept): void {
    if (kept.isAnnounced) return;
    kept.isAnnounced = true;
    queueMicrotask(() => this.#announce(id, kept));
  }

  #announce(id: AccountId, kept: Kept): void {
    const { ring, added } = kept;
    kept.isAnnounced = false;
    const newest = [...added.values()].toReversed().slice(0, MAX_TOLD);
    added.clear();
    this.#listener?.(id, { unread: ring.unread, added: newest });
  }

  #of(id: AccountId): Promise<Kept> {
    const known = this.#kept.get(id);
    if (known) return known;
    const opening = this.#files.read(id).then((data): Kept => {
      const save = new PacedSave({
        store: () => this.#store(id, kept),
        onFailed: (error) => this.#warn(id, error),
      });
      const kept: Kept = {
        ...{ ring: new Ring(data), changes: [], added: new Map(), save },
        ...{ storedText: textOf(data), isStoring: false, isBehind: false, isAnnounced: false },
      };
      return kept;
    });
    this.#kept.set(id, opening);
    opening.catch(() => this.#kept.delete(id));
    return opening;
  }

  /** Stores the ring as it is here, unless another front has stored something meanwhile: then what has changed here is changed there. */
  async #store(id: AccountId, kept: Kept): Promise<void> {
    const [changes, own] = [[...kept.changes], kept.ring.data];
    kept.isStoring = true;
    try {
      await this.#files.update(id, (stored) => {
        const isOthers = JSON.stringify(stored) !== kept.storedText;
        kept.isBehind ||= isOthers;
        const data = isOthers ? ringWith(stored, changes).data : own;
        Object.assign(stored, data);
        kept.storedText = textOf(data);
      });
      kept.changes.splice(0, changes.length);
    } finally {
      kept.isStoring = false;
      if (kept.isBehind) await this.#rebuild(id, kept);
    }
  }

  async #rebuild(id: AccountId, kept: Kept): Promise<void> {
    const data = await this.#files.read(id);
    kept.isBehind = false;
    kept.ring = ringWith(data, kept.changes);
    kept.storedText = textOf(data);
    this.#announceSoon(id, kept);
  }

  /** Another front has changed them. */
  async #follow(id: AccountId): Promise<void> {
    const kept = await known(this.#kept.get(id));
    if (!kept) return;
    kept.isBehind = true;
    // Else it is taken in when that has ended.
    if (!kept.isStoring) await this.#rebuild(id, kept).catch((error: unknown) => this.#warn(id, error));
  }

  #warn(accountId: AccountId, error: unknown): void {
    this.deps.log.warn('notices not stored', { accountId, reason: String(error) });
  }
}

/** Null where there is none, or where it could not be read. */
async function known(opening: Promise<Kept> | undefined): Promise<Kept | null> {
  return (await opening?.catch(() => null)) ?? null;
}

function ringWith(data: RingData, changes: readonly ((ring: Ring) => void)[]): Ring {
  const ring = new Ring(data);
  for (const change of changes) change(ring);
  return ring;
}

function textOf(data: RingData): string {
  return JSON.stringify(ringSchema.parse(data));
}
