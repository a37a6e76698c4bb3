// Links by which players, which know neither cookies nor keys, read the files of one torrent. Owns: a link opens exactly
// what its account may see at the moment, nothing once it has expired, and only to who has its key, which is kept as a
// digest. A torrent or an account that goes takes its links along.
import { z } from 'zod';
import { idSchema, timeSchema } from '../../../shared-protocol/dto/fields.js';
import type { LinkDto } from '../../../shared-protocol/dto/links.js';
import { AppError } from '../../../shared-protocol/errors.js';
import type { EngineEvent } from '../../../shared-protocol/events.js';
import type { AccountId, TorrentId } from '../../../shared-protocol/ids.js';
import type { Collection } from '../../../storage/types.js';
import type { Account } from '../../auth/account.js';
import { digestOf, newApiKey, sameDigest } from '../../auth/api-keys.js';
import { notFound, RequestError } from '../../errors.js';
import type { Library } from './library.js';
import type { ListedTorrent } from './shares.js';

/** Links of an account; every one of them is looked at with each request by a link. No spec value. */
const MAX_LINKS_OF_AN_ACCOUNT = 100;

const storedLinkSchema = z.object({
  id: idSchema,
  /** Hex. */
  digest: z.string(),
  torrent_id: z.string(),
  account_id: idSchema,
  created_at: timeSchema,
  expires_at: timeSchema,
});
export const linksSchema = z.object({ next_id: idSchema, links: z.array(storedLinkSchema) });
export type LinksData = z.infer<typeof linksSchema>;
type StoredLink = LinksData['links'][number];
export const NO_LINKS: LinksData = { next_id: 1, links: [] };

export interface LinksDeps {
  readonly collection: Collection<LinksData>;
  /** Enabled ones of this flavour. */
  readonly accountOf: (id: number) => Account | undefined;
  readonly library: Pick<Library, 'find' | 'accessOf' | 'shownTo'>;
  readonly randomBytes: (length: number) => Uint8Array;
  /** Unix seconds. */
  readonly now: () => number;
}

/** A link's torrent, and the account with whose rights it is read. */
export interface OpenLink {
  readonly id: number;
  readonly account: Account;
  /** The share of it that the account is shown. */
  readonly torrent: ListedTorrent;
}

export class Links {
  constructor(private readonly deps: LinksDeps) {}

  /** Links to the torrent that are good, the oldest first. `accountId`: whose; null: everybody's. */
  list(torrentId: TorrentId, accountId: AccountId | null): LinkDto[] {
    return this.#good.filter((link) => link.torrent_id === torrentId && isOf(link, accountId)).map(toDto);
  }

  /** With its key, in clear for the only time. @throws RequestError `QUOTA_EXCEEDED`; AppError `STORAGE_FAILED` */
  async create(
    accountId: AccountId,
    torrentId: TorrentId,
    expiresInSeconds: number,
  ): Promise<LinkDto & { readonly key: string }> {
    const { collection, now, randomBytes } = this.deps;
    const { key, digest } = newApiKey(randomBytes);
    const created = now();
    const times = { created_at: created, expires_at: created + expiresInSeconds };
    let made: StoredLink | undefined;
    await collection.update((data) => {
      data.links = data.links.filter((link) => this.#isGood(link));
      const own = data.links.filter((link) => link.account_id === accountId);
      if (own.length >= MAX_LINKS_OF_AN_ACCOUNT) {
        throw new RequestError('QUOTA_EXCEEDED', `links: at most ${MAX_LINKS_OF_AN_ACCOUNT} of an account`, {
          of: 'links',
          max: MAX_LINKS_OF_AN_ACCOUNT,
        });
      }
      made = { id: data.next_id++, digest, torrent_id: torrentId, account_id: accountId, ...times };
      data.links.push(made);
    });
    if (!made) throw new AppError('BUG', 'bug: an update resolves after it has run the change');
    return { ...toDto(made), key };
  }

  /** `accountId`: whose it must be; null: anybody's. No error where there is none. */
  revoke(id: number, torrentId: TorrentId, accountId: AccountId | null): Promise<void> {
    return this.#drop((link) => link.id === id && link.torrent_id === torrentId && isOf(link, accountId));
  }

  /** Unknown, expired and without access are the same to whoever asks. @throws RequestError `NOT_FOUND` */
  open(key: string): OpenLink {
    const digest = digestOf(key);
    let found: StoredLink | undefined;
    // All of them, so that the time taken does not tell which one it was.
    for (const link of this.#good) if (sameDigest(link.digest, digest)) found = link;
    const account = found && this.deps.accountOf(found.account_id);
    // It was an id when it was stored.
    const torrent = found && this.deps.library.find(found.torrent_id as TorrentId);
    if (!found || !account || !torrent || this.deps.library.accessOf(account, torrent) === null) throw notFound('link');
    return { id: found.id, account, torrent: this.deps.library.shownTo(account, torrent) };
  }

  async handleEvent(event: EngineEvent): Promise<void> {
    if (event.name === 'torrent.removed') await this.#drop((link) => link.torrent_id === event.payload.id);
  }

  /** The account is gone. */
  async forgetAccount(id: AccountId): Promise<void> {
    await this.#drop((link) => link.account_id === id);
  }

  get #good(): StoredLink[] {
    return this.deps.collection.data.links.filter((link) => this.#isGood(link));
  }

  #isGood({ expires_at }: StoredLink): boolean {
    return expires_at > this.deps.now();
  }

  async #drop(isGone: (link: StoredLink) => boolean): Promise<void> {
    const { collection } = this.deps;
    if (!collection.data.links.some(isGone)) return;
    await collection.update((data) => {
      data.links = data.links.filter((link) => !isGone(link));
    });
  }
}

function isOf(link: StoredLink, accountId: AccountId | null): boolean {
  return accountId === null || link.account_id === accountId;
}

function toDto({ id, account_id, created_at, expires_at }: StoredLink): LinkDto {
  return { id, user_id: account_id, created_at, expires_at };
}
