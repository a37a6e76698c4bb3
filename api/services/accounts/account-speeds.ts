// Tells the engine how fast the torrents of an account may be together (engine/session/account-limits.ts).
import type { AccountLimit } from '../../../shared-protocol/commands/limits.js';
import type { EngineClient } from '../../../shared-protocol/commands.js';
import type { Account } from '../../auth/account.js';
import { tellEngine } from '../settings/engine-settings.js';
import { toRateLimits } from '../settings/rate-units.js';
import { quotaOf } from '../library/account-quota.js';
import type { Accounts } from './accounts.js';

export interface AccountSpeedsDeps {
  readonly accounts: Pick<Accounts, 'all'>;
  readonly uploads: { isUsedUp(account: Account): boolean };
  readonly engine: { readonly client: Pick<EngineClient, 'setAccountLimits'> };
}

export class AccountSpeeds {
  constructor(private readonly deps: AccountSpeedsDeps) {}

  /** Limits by the accounts of the moment. */
  get limits(): readonly AccountLimit[] {
    const { accounts, uploads } = this.deps;
    return accounts.all.flatMap((account) => {
      const quota = quotaOf(account);
      const isUploadStopped = uploads.isUsedUp(account);
      if (!quota || (quota.down_kbps === 0 && quota.up_kbps === 0 && !isUploadStopped)) return [];
      return [{ accountId: account.id, ...toRateLimits(quota), ...(isUploadStopped && { isUploadStopped }) }];
    });
  }

  /** Accounts have changed, or the engine is another one. @throws AppError `ENGINE_TIMEOUT` */
  async apply(): Promise<void> {
    await tellEngine(() => this.deps.engine.client.setAccountLimits({ limits: this.limits }));
  }
}
