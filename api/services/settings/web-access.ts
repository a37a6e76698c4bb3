// Where the service listens, and who account 1 is (docs/api.md, `/api/settings/web`). Owns the order of a change:
// everything that can be refused is tried first, then it is stored, then the client is answered, then the listener moves.
import type { WebBody, WebDto } from '../../../shared-protocol/dto/settings.js';
import { ADMIN_ACCOUNT_ID } from '../../../shared-protocol/ids.js';
import type { Log } from '../../logging.js';
import type { Account } from '../../auth/account.js';
import type { SettingsData } from './settings-data.js';
import type { Settings } from './settings.js';

type StoredWeb = SettingsData['web'];

/** `went-back`: the new place could not be had. */
export type MoveOutcome = { readonly kind: 'moved' } | { readonly kind: 'went-back' };

/** Exactly one of the two is called. */
export interface PreparedMove {
  commit(): Promise<MoveOutcome>;
  abandon(): Promise<void>;
}

/** The listener, as far as settings move it. */
export interface ListenerMover {
  /** Null when it may stay. @throws RequestError `PORT_UNUSABLE` */
  prepare(before: StoredWeb, after: StoredWeb): Promise<PreparedMove | null>;
}

export interface WebAccessDeps {
  readonly settings: Pick<Settings, 'stored' | 'store' | 'webPins'>;
  readonly accounts: { find(id: typeof ADMIN_ACCOUNT_ID): Account | undefined };
  /** services/accounts/user-admin.ts. */
  readonly userAdmin: {
    readonly change: (id: number, change: { readonly username: string }) => Promise<unknown>;
    readonly setPassword: (id: number, password: string) => Promise<void>;
  };
  readonly listener: ListenerMover;
  readonly log: Log;
}

export class WebAccess {
  #last: Promise<void> = Promise.resolve();

  constructor(private readonly deps: WebAccessDeps) {}

  /** The stored settings; flags may hold in this run. */
  get stored(): WebDto {
    const { username = '', api_key_hint = '' } = this.deps.accounts.find(ADMIN_ACCOUNT_ID) ?? {};
    const { settings } = this.deps;
    return { ...settings.stored('web'), username, api_key: api_key_hint, pinned: settings.webPins };
  }

  /**
   * Resolves when all of it is stored, with what is to be called once the client has its answer: it moves the listener,
   * and has to be called for the next change to get its turn. Nothing is stored when it rejects; only when the disk fails
   * between the two files, and again when the name is put back, is account 1 left renamed.
   * @throws RequestError `NAME_TAKEN`, `PORT_UNUSABLE`; AppError `STORAGE_FAILED`
   */
  set(change: WebBody): Promise<() => void> {
    return new Promise((answer, refuse) => {
      this.#last = this.#last.then(() => this.#apply(change, answer)).catch(refuse);
    });
  }

  /** Without the old one; ends the sessions of account 1. */
  async setPassword(password: string): Promise<void> {
    await this.deps.userAdmin.setPassword(ADMIN_ACCOUNT_ID, password);
  }

  async #apply({ username, ...after }: WebBody, answer: (afterwards: () => void) => void): Promise<void> {
    const before = this.deps.settings.stored('web');
    const move = await this.deps.listener.prepare(before, after);
    try {
      await this.#store(username, after);
    } catch (error) {
      await move?.abandon();
      throw error;
    }
    await new Promise<void>((begin) => answer(begin));
    if ((await move?.commit())?.kind === 'went-back') await this.#takeBack(before);
  }

  /** The name first: it may be refused. */
  async #store(username: string, web: StoredWeb): Promise<void> {
    const previous = this.stored.username;
    if (username !== previous) await this.deps.userAdmin.change(ADMIN_ACCOUNT_ID, { username });
    try {
      await this.deps.settings.store('web', web);
    } catch (error) {
      if (username !== previous) {
        await this.deps.userAdmin.change(ADMIN_ACCOUNT_ID, { username: previous }).catch(() => undefined);
      }
      throw error;
    }
  }

  /** Stores the `bind_all` of before: one that cannot be had would keep the next start from listening at all. */
  async #takeBack({ bind_all }: StoredWeb): Promise<void> {
    try {
      await this.deps.settings.store('web', { ...this.deps.settings.stored('web'), bind_all });
    } catch (error) {
      this.deps.log.error('bind_all is stored although it cannot be had', { reason: String(error) });
    }
  }
}
