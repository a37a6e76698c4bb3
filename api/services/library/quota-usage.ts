// How much of its quota an account uses, for itself and for administrators.
import { NO_QUOTA, type QuotaUsageDto } from '../../../shared-protocol/dto/accounts.js';
import { emptyStats } from '../../../shared-protocol/stats-table.js';
import { notFound, RequestError } from '../../errors.js';
import type { Account } from '../../auth/account.js';
import { quotaOf } from './account-quota.js';
import type { Library } from './library.js';
import type { Running } from './running.js';
import { statsOfShare } from './shares.js';

export interface QuotaUsageDeps {
  readonly library: Pick<Library, 'usageOf' | 'visibleTo' | 'stats'>;
  readonly running: Pick<Running, 'activeOf'>;
  /** Bytes that the account has uploaded this month. */
  readonly uploads: { of(account: Account): Promise<number> };
  readonly accounts: { readonly all: readonly Account[] };
}

export class QuotaUsage {
  constructor(private readonly deps: QuotaUsageDeps) {}

  /** `named`: another account, for administrators. @throws RequestError `FORBIDDEN`, `NOT_FOUND` */
  async of(caller: Account, named: string | undefined): Promise<QuotaUsageDto> {
    const { library, running, uploads } = this.deps;
    const account = this.#account(caller, named);
    const up_bytes_month = await uploads.of(account);
    const { bytes, torrents } = library.usageOf(account.id);
    return {
      quota: quotaOf(account) ?? NO_QUOTA,
      used: { bytes, torrents, active: running.activeOf(account), ...this.#rates(account), up_bytes_month },
    };
  }

  #rates({ id }: Account): { download_rate: number; upload_rate: number } {
    const { library } = this.deps;
    const stats = emptyStats();
    const sum = { download_rate: 0, upload_rate: 0 };
    for (const share of library.visibleTo({ id, role: 'user' })) {
      if (share.ownerId !== id || !library.stats.read(share.row, share.rowTag, stats)) continue;
      const { downloadRate, uploadRate } = share.own ? statsOfShare(stats, share) : stats;
      sum.download_rate += Math.round(downloadRate);
      sum.upload_rate += Math.round(uploadRate);
    }
    return sum;
  }

  #account(caller: Account, named: string | undefined): Account {
    if (named === undefined || named === String(caller.id)) return caller;
    if (caller.role !== 'admin') throw new RequestError('FORBIDDEN');
    const found = this.deps.accounts.all.find(({ id }) => id === Number(named));
    if (!found) throw notFound('user');
    return found;
  }
}
