// Tells the engine whose torrents may reach addresses of private networks (engine/session/inside.ts): those of accounts that
// may change settings. Apart from file-adopters.ts, which asks the disk: a right that was taken away must not wait for it.
import type { EngineClient } from '../../../shared-protocol/commands.js';
import type { AccountId } from '../../../shared-protocol/ids.js';
import { tellEngine } from '../settings/engine-settings.js';
import { hasPermission } from '../../auth/account.js';
import type { Accounts } from './accounts.js';

export interface NetworkInsidersDeps {
  readonly accounts: Pick<Accounts, 'all'>;
  readonly engine: { readonly client: Pick<EngineClient, 'setInsiders'> };
}

export class NetworkInsiders {
  constructor(private readonly deps: NetworkInsidersDeps) {}

  /** The insiders by the accounts of the moment. */
  get accountIds(): readonly AccountId[] {
    const { all } = this.deps.accounts;
    return all.filter((one) => !one.disabled && hasPermission(one, 'perm_change_settings')).map(({ id }) => id);
  }

  /** Accounts have changed, or the engine is another one. @throws AppError `ENGINE_TIMEOUT` */
  async apply(): Promise<void> {
    await tellEngine(() => this.deps.engine.client.setInsiders({ accountIds: this.accountIds }));
  }
}
