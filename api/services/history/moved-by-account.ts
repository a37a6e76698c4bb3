// Bytes that accounts have moved since the process began, each counted as in their series (attribution.ts). Of an account
// that is deleted two numbers stay.
import type { AccountId } from '../../../shared-protocol/ids.js';
import type { Moved } from '../../../storage/traffic-history.js';
import type { ListedTorrent } from '../library/shares.js';
import { countedFor } from './attribution.js';

const NOTHING: Moved = { down: 0, up: 0 };

export class MovedByAccount {
  readonly #moved = new Map<AccountId, Moved>();

  count(torrent: ListedTorrent, { down, up }: Moved): void {
    for (const { accountId } of countedFor(torrent)) {
      const before = this.of(accountId);
      this.#moved.set(accountId, { down: before.down + down, up: before.up + up });
    }
  }

  of(accountId: AccountId): Moved {
    return this.#moved.get(accountId) ?? NOTHING;
  }
}
