// Who else may see a torrent (docs/semantics.md sections 3 and 6). Stored with the torrent, where accounts that are
// gone may still be named: a gone owner stands for account 1, a gone grantee for no account.
import type { ShareTarget } from '../../../shared-protocol/dto/accounts.js';
import type { ShareDto } from '../../../shared-protocol/dto/torrents.js';
import { ADMIN_ACCOUNT_ID, type AccountId } from '../../../shared-protocol/ids.js';
import type { LibraryRecord, Share } from '../../../shared-protocol/library-record.js';
import { notFound, RequestError } from '../../errors.js';
import type { Account } from '../../auth/account.js';
import type { Accounts } from './accounts.js';
import type { Library } from '../library/library.js';
import { refOf, sharesOf, type ListedTorrent } from '../library/shares.js';

export interface SharingDeps {
  readonly accounts: Pick<Accounts, 'find' | 'all'>;
  readonly library: Pick<Library, 'editRecord'>;
}

export class Sharing {
  constructor(private readonly deps: SharingDeps) {}

  /** The owner first, then in the order of granting; one holder after another, to those who are shown all of them. */
  list(torrent: ListedTorrent): ShareDto[] {
    return sharesOf(torrent).flatMap(({ ownerId, library }) => {
      const owner = this.#ownerOf(ownerId);
      const granted = library.shares.filter(({ accountId }) => accountId !== owner);
      return [{ accountId: owner, access: 'owner' as const }, ...granted].flatMap(({ accountId, access }) => {
        const account = this.deps.accounts.find(accountId);
        return account ? [{ user_id: account.id, username: account.username, access }] : [];
      });
    });
  }

  /**
   * Grants access to the caller's share; to the owner's, for an administrator. Granting again changes the access. A
   * grant to an administrator is stored, and counts once that account is none any more. Disabled accounts are not
   * offered by `targets`, so they are taken for unknown.
   * @throws RequestError `NOT_FOUND` for an unknown user; `SHARE_REFUSED` for the caller and the owner
   */
  async grant(caller: Account, torrent: ListedTorrent, userId: number, access: Share['access']): Promise<void> {
    const user = this.deps.accounts.all.find(({ id }) => id === userId);
    if (!user || user.disabled) throw notFound('user');
    if (this.#isOwner(torrent, user.id)) throw new RequestError('SHARE_REFUSED', 'user_id: is the owner');
    if (user.id === caller.id) throw new RequestError('SHARE_REFUSED', 'user_id: is your own');
    const granted: Share = { accountId: user.id, access };
    await this.deps.library.editRecord(refOf(sharesOf(torrent)[0]!), (record) => {
      const present = record.shares.find(({ accountId }) => accountId === user.id);
      if (present?.access === access) return record;
      const shares = present
        ? record.shares.map((other) => (other === present ? granted : other))
        : [...record.shares, granted];
      return { ...record, shares, ...(access === 'editor' && { hasOthersChoices: true as const }) };
    });
  }

  /** No error when there is nothing to take back. @throws RequestError `SHARE_REFUSED` for the owner */
  async revoke(torrent: ListedTorrent, userId: number): Promise<void> {
    if (this.#isOwner(torrent, userId)) {
      throw new RequestError('SHARE_REFUSED', 'userID: the access of the owner cannot be taken back');
    }
    const without = (record: LibraryRecord): LibraryRecord => {
      const shares = record.shares.filter(({ accountId }) => accountId !== userId);
      return shares.length === record.shares.length ? record : { ...record, shares };
    };
    await Promise.all(sharesOf(torrent).map((share) => this.deps.library.editRecord(refOf(share), without)));
  }

  /** Enabled accounts besides the caller. */
  targets(caller: Account): ShareTarget[] {
    const others = this.deps.accounts.all.filter(({ id, disabled }) => id !== caller.id && !disabled);
    return others.map(({ id, username }) => ({ id, username }));
  }

  #isOwner(torrent: ListedTorrent, userId: number): boolean {
    return sharesOf(torrent).some(({ ownerId }) => this.#ownerOf(ownerId) === userId);
  }

  #ownerOf(ownerId: AccountId): AccountId {
    return this.deps.accounts.find(ownerId)?.id ?? ADMIN_ACCOUNT_ID;
  }
}
