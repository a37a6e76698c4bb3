// Tells the engine whose torrents may take over files that lie at their paths already: administrators anywhere, others in
// their homes. Everybody else's are laid beside what is there (engine/claims/). And in which folder torrent files are added for
// an account, where nobody else's torrents put any.
import type { Adopter } from '../../../shared-protocol/commands/shares.js';
import type { EngineClient } from '../../../shared-protocol/commands.js';
import { AppError, ENGINE_GONE } from '../../../shared-protocol/errors.js';
import type { Folders } from '../../../shared-protocol/folders.js';
import type { AccountId } from '../../../shared-protocol/ids.js';
import type { Engines } from '../../engines/engines.js';
import { tellEngine } from '../settings/engine-settings.js';
import type { Account } from '../../auth/account.js';
import type { Accounts } from './accounts.js';

export interface FileAdoptersDeps {
  readonly accounts: Pick<Accounts, 'all'>;
  readonly engine: { readonly client: Pick<EngineClient, 'setAdopters'> };
  readonly engines: { foldersOf(name: string): Pick<Folders, 'locate'> } & Pick<Engines, 'nameFor'>;
}

/** A folder whose torrent files are added for an account. */
export interface Watched {
  readonly accountId: AccountId;
  /** The folder, by the path that the kernel has for it. */
  readonly path: string;
}

export class FileAdopters {
  #current: readonly Adopter[] = [];
  #applying: Promise<void> = Promise.resolve();
  #watched: Watched | null = null;

  /** Where homes lay when they were looked at last. */
  readonly #found = new Map<AccountId, { readonly home: string; readonly path: string }>();

  constructor(private readonly deps: FileAdoptersDeps) {}

  /** The adopters as they were found last: what another engine is started with. */
  get current(): readonly Adopter[] {
    return this.#current;
  }

  /** Resolves with the adopters by the accounts of the moment, with where their homes really lie. */
  async find(): Promise<readonly Adopter[]> {
    const adopters = await Promise.all(this.deps.accounts.all.map((account) => this.#adopterOf(account)));
    return (this.#current = this.#withWatched(adopters.filter((adopter) => adopter !== null)));
  }

  /** Accounts have changed, or the engine is another one. @throws AppError `ENGINE_TIMEOUT` */
  apply(): Promise<void> {
    // In turn: what was found before a right was taken away must not arrive after it.
    const applied = this.#applying.then(async () => {
      const adopters = await this.find();
      await tellEngine(() => this.deps.engine.client.setAdopters({ adopters }));
    });
    this.#applying = applied.catch(() => undefined);
    return applied;
  }

  /** Resolves when the engine knows in which folder torrent files are added; null: in none. @throws as {@link apply} */
  async watch(watched: Watched | null): Promise<void> {
    const before = this.#watched;
    if (before?.accountId === watched?.accountId && before?.path === watched?.path) return;
    this.#watched = watched;
    try {
      await this.apply();
    } catch (error) {
      this.#watched = before;
      throw error;
    }
  }

  #withWatched(adopters: readonly Adopter[]): readonly Adopter[] {
    if (!this.#watched) return adopters;
    const { accountId, path } = this.#watched;
    const own = adopters.find((adopter) => adopter.accountId === accountId) ?? { accountId, home: '' };
    return [...adopters.filter((adopter) => adopter !== own), { ...own, watched: path }];
  }

  async #adopterOf({ id, role, home, engine }: Account): Promise<Adopter | null> {
    if (role === 'admin') return { accountId: id, home: null };
    if (home === '') return null;
    const { engines } = this.deps;
    try {
      const { kind, path } = await engines.foldersOf(engines.nameFor(engine, home)).locate(home);
      // Its volume may be back soon; how far one gets now is a folder of others.
      if (kind === 'unusable') return { accountId: id, home: this.#lastOf(id, home) };
      this.#found.set(id, { home, path });
      return { accountId: id, home: path };
    } catch (error) {
      // Its engine is away, and is told when it is back. It may be there for another front, and keeps what holds: a home without
      // links in its path is where it says.
      if (error instanceof AppError && ENGINE_GONE.has(error.code))
        return { accountId: id, home: this.#lastOf(id, home) };
      throw error;
    }
  }

  /** Where a home lay last; of another one than it was then nothing is known but its name. */
  #lastOf(id: AccountId, home: string): string {
    const found = this.#found.get(id);
    return found?.home === home ? found.path : home;
  }
}
