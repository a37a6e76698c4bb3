// Which creations of torrents there are, under way and ended. Owns the bounds: how many are under way, how long those that have
// ended are kept, and how much room their torrent files may take; where there is none, who has most gives way.
import { Counts } from '../../../shared-protocol/counts.js';
import type { AccountId } from '../../../shared-protocol/ids.js';
import { notFound, RequestError } from '../../errors.js';

/** Under way, of an account and of all: each holds a list of up to 50,000 files in the engine. No spec values. */
const MAX_UNDER_WAY_OF_AN_ACCOUNT = 2;
const MAX_UNDER_WAY = 16;
/** Kept for an account once they have ended; the oldest goes. */
const MAX_OF_AN_ACCOUNT = 20;
/** Torrent files of all together; the account that has most of them loses its oldest first. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;
/** From the end of a creation until it is forgotten. */
export const KEPT_SECONDS = 3_600;

interface Kept {
  readonly id: number;
  readonly accountId: AccountId;
  /** null: it has not ended well. */
  readonly torrentBytes: Uint8Array | null;
  /** 0 while it is under way. */
  expiresAt: number;
}

export class KeptCreations<Creation extends Kept> {
  readonly #creations = new Map<number, Creation>();
  #lastId = 0;
  /** Being begun, by account: a hundred requests at once are not each the last one. */
  readonly #beginning = new Counts<AccountId>();

  /** `now`: unix seconds. */
  constructor(private readonly now: () => number) {}

  /** Takes in what `work` makes, given its id. @throws RequestError `QUOTA_EXCEEDED` */
  async begin(accountId: AccountId, work: (nextId: () => number) => Promise<Creation>): Promise<Creation> {
    this.#sweep();
    this.#refuseBeyond(accountId);
    return this.#beginning.during(accountId, async () => {
      const creation = await work(() => ++this.#lastId);
      this.#creations.set(creation.id, creation);
      return creation;
    });
  }

  /** The oldest first. `accountId`: whose; null: everybody's. */
  of(accountId: AccountId | null): Creation[] {
    this.#sweep();
    return [...this.#creations.values()].filter((creation) => isOf(creation, accountId));
  }

  /** @throws RequestError `NOT_FOUND` */
  find(id: number, accountId: AccountId | null): Creation {
    this.#sweep();
    const creation = this.#creations.get(id);
    if (!creation || !isOf(creation, accountId)) throw notFound('creation');
    return creation;
  }

  has({ id }: Creation): boolean {
    return this.#creations.has(id);
  }

  delete({ id }: Creation): void {
    this.#creations.delete(id);
  }

  /** Keeps one that has ended; the oldest make room for it where there is none. */
  end(creation: Creation): void {
    creation.expiresAt = this.now() + KEPT_SECONDS;
    const ended = [...this.#creations.values()].filter(({ expiresAt }) => expiresAt !== 0);
    const own = ended.filter(({ accountId }) => accountId === creation.accountId);
    for (const { id } of own.slice(0, -MAX_OF_AN_ACCOUNT)) this.#creations.delete(id);
    for (let id = this.#oldestTooMuch(); id !== null; id = this.#oldestTooMuch()) this.#creations.delete(id);
  }

  /** The oldest of the account with most bytes; null: there is room for all. */
  #oldestTooMuch(): number | null {
    const kept = new Map<AccountId, { bytes: number; oldest: number }>();
    for (const { id, accountId, torrentBytes } of this.#creations.values()) {
      if (!torrentBytes) continue;
      const { bytes, oldest } = kept.get(accountId) ?? { bytes: 0, oldest: id };
      kept.set(accountId, { bytes: bytes + torrentBytes.length, oldest });
    }
    const [most, ...others] = [...kept.values()].sort((a, b) => b.bytes - a.bytes);
    if (!most || others.reduce((sum, { bytes }) => sum + bytes, most.bytes) <= MAX_KEPT_BYTES) return null;
    return most.oldest;
  }

  #refuseBeyond(accountId: AccountId): void {
    const underWay = [...this.#creations.values()].filter(({ expiresAt }) => expiresAt === 0);
    const own = underWay.filter((creation) => creation.accountId === accountId).length;
    if (own + this.#beginning.of(accountId) >= MAX_UNDER_WAY_OF_AN_ACCOUNT) {
      throw new RequestError(
        'QUOTA_EXCEEDED',
        `create: at most ${MAX_UNDER_WAY_OF_AN_ACCOUNT} at a time of an account`,
        { of: 'creations', max: MAX_UNDER_WAY_OF_AN_ACCOUNT },
      );
    }
    if (underWay.length + this.#beginning.total >= MAX_UNDER_WAY) {
      throw new RequestError('QUOTA_EXCEEDED', `create: at most ${MAX_UNDER_WAY} at a time of all accounts`, {
        of: 'creations',
        max: MAX_UNDER_WAY,
      });
    }
  }

  #sweep(): void {
    const now = this.now();
    for (const { id, expiresAt } of this.#creations.values()) {
      if (expiresAt !== 0 && expiresAt <= now) this.#creations.delete(id);
    }
  }
}

function isOf({ accountId }: Kept, wanted: AccountId | null): boolean {
  return wanted === null || accountId === wanted;
}
