// Who may reach what lies inside: this machine and the networks around it (shared-protocol/address-policy.ts). Accounts
// that may change settings could do so anyway, and may have trackers, web seeds and peers there; what all others bring,
// and what strangers say, leads outside or to ranges of `--fetch-allow`.
import { isPrivilegedPort, type AddressPolicy, type Standing } from '../../shared-protocol/address-policy.js';
import { AppError } from '../../shared-protocol/errors.js';
import type { AccountId } from '../../shared-protocol/ids.js';
import type { TorrentRow } from '../../storage/types.js';
import { connectable, formatAddress } from '../net/address.js';
import type { PeerAddress } from '../environment.js';
import { bringersOf } from '../torrent/holders.js';
import type { InsideRules } from '../torrent/session-interface.js';

export class Inside implements InsideRules {
  #insiders: ReadonlySet<AccountId>;

  constructor(
    private readonly policy: AddressPolicy,
    insiders: readonly AccountId[],
  ) {
    this.#insiders = new Set(insiders);
  }

  /** In place of those before. Returns whose rights have changed. */
  setInsiders(accountIds: readonly AccountId[]): ReadonlySet<AccountId> {
    const before = this.#insiders;
    this.#insiders = new Set(accountIds);
    return new Set([...before, ...accountIds].filter((id) => before.has(id) !== this.#insiders.has(id)));
  }

  isInsider(accountId: AccountId): boolean {
    return this.#insiders.has(accountId);
  }

  standingOf(host: string): Standing {
    return this.policy.standingOf(host);
  }

  /** By the rights of the accounts that brought the tracker: one of them is enough. */
  mayReach(row: TorrentRow, url: string): boolean {
    return bringersOf(row, url).some((accountId) => this.isInsider(accountId));
  }

  accountFor(row: TorrentRow, url: string): AccountId {
    return bringersOf(row, url)[0] ?? row.ownerId;
  }

  /** Whether the account may name the address to us. */
  mayName(address: PeerAddress, accountId: AccountId): boolean {
    return this.#reasonAgainst(address, accountId) === null;
  }

  /** Checks what an account typed. @throws AppError `PEER_ADDRESS_REFUSED` naming the first that it may not reach */
  checkTyped(addresses: readonly PeerAddress[], accountId: AccountId): void {
    for (const address of addresses) {
      const reason = connectable(address) ? this.#reasonAgainst(address, accountId) : null;
      if (reason === null) continue;
      throw new AppError('PEER_ADDRESS_REFUSED', `peers: ${formatAddress(address)} ${reason}`);
    }
  }

  #reasonAgainst({ host, port }: PeerAddress, accountId: AccountId): string | null {
    const standing = this.standingOf(host);
    if (standing === 'never') return 'is an address that nobody may connect to';
    if (standing !== 'inside') return null;
    if (!this.isInsider(accountId)) return 'is not public: only accounts that may change settings may name it';
    return isPrivilegedPort(port) ? 'is a port below 1024 inside this network: only --fetch-allow opens it' : null;
  }
}
