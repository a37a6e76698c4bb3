// Tells the engine whose torrents may take over files that lie at their paths already: administrators anywhere, others in
// their homes. Everybody else's are laid beside what is there (engine/claims/).
import type { Adopter, EngineClient } from '../../../shared-protocol/commands.js';
import { realLocation } from '../../../storage/real-location.js';
import { tellEngine } from '../settings/engine-settings.js';
import type { Account, Accounts } from './accounts.js';

export interface AdoptersDeps {
  readonly accounts: Pick<Accounts, 'all'>;
  readonly engine: { readonly client: Pick<EngineClient, 'setAdopters'> };
}

export class Adopters {
  constructor(private readonly deps: AdoptersDeps) {}

  /** As the accounts are now. */
  async list(): Promise<Adopter[]> {
    const adopters = await Promise.all(this.deps.accounts.all.map(adopterOf));
    return adopters.filter((adopter) => adopter !== null);
  }

  /** Accounts have changed, or the engine is another one. @throws AppError `ENGINE_TIMEOUT` */
  async apply(): Promise<void> {
    const adopters = await this.list();
    await tellEngine(() => this.deps.engine.client.setAdopters({ adopters }));
  }
}

async function adopterOf({ id, role, home }: Account): Promise<Adopter | null> {
  if (role === 'admin') return { accountId: id, home: null };
  return home === '' ? null : { accountId: id, home: (await realLocation(home)).path };
}
