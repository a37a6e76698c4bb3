// Tells the engine how fast the torrents of an account may be together (engine/session/account-limits.ts).
import type { AccountLimit, EngineClient } from '../../../shared-protocol/commands.js';
import { tellEngine } from '../settings/engine-settings.js';
import { toRateLimits } from '../settings/rate-units.js';
import { quotaOf } from '../library/account-quota.js';
import type { Accounts } from './accounts.js';

export interface AccountSpeedsDeps {
  readonly accounts: Pick<Accounts, 'all'>;
  readonly engine: { readonly client: Pick<EngineClient, 'setAccountLimits'> };
}

export class AccountSpeeds {
  constructor(private readonly deps: AccountSpeedsDeps) {}

  /** Limits by the accounts of the moment. */
  get limits(): readonly AccountLimit[] {
    return this.deps.accounts.all.flatMap((account) => {
      const quota = quotaOf(account);
      if (!quota || (quota.down_kbps === 0 && quota.up_kbps === 0)) return [];
      return [{ accountId: account.id, ...toRateLimits(quota) }];
    });
  }

  /** Accounts have changed, or the engine is another one. @throws AppError `ENGINE_TIMEOUT` */
  async apply(): Promise<void> {
    await tellEngine(() => this.deps.engine.client.setAccountLimits({ limits: this.limits }));
  }
}
