// Opens what has to be there before anything else: the stored settings and the accounts, and makes both on a first start.
import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ADMIN_ACCOUNT_ID } from '../../shared-protocol/ids.js';
import type { DataDirectory } from '../../storage/data-directory.js';
import { firstShape } from '../../storage/collection-shape.js';
import { SESSIONS } from '../../storage/records/types.js';
import type { Collection, StateStore } from '../../storage/types.js';
import { NO_SHARED_SESSIONS, sharedSessionsSchema, type SharedSessionsData } from '../auth/shared-sessions.js';
import { Passwords } from '../auth/passwords.js';
import { unixSeconds } from '../clocks.js';
import type { Log } from '../logging.js';
import type { Options } from '../cli/options.js';
import { accountsSchema } from '../auth/account.js';
import { Accounts } from '../services/accounts/accounts.js';
import { forgetInitialPassword, forgetStalePassword, prepareFirstStart } from '../services/accounts/first-start.js';
import { assertApartFromState } from '../services/settings/save-paths.js';
import { defaultSettings, settingsSchema } from '../services/settings/settings-data.js';
import { Settings } from '../services/settings/settings.js';

export interface OpenStoresDeps {
  readonly log: Log;
  readonly notify: (text: string) => void;
  readonly passwords?: Passwords;
}

/** @throws AppError `STORAGE_TOO_NEW`, `STORAGE_FAILED`; `SAVE_PATH_INVALID` near the data directory or among backups */
export async function openSettings(store: StateStore, options: Options, log: Log): Promise<Settings> {
  const defaults = defaultSettings(options.savePath ?? join(homedir(), 'Downloads'));
  const collection = await store.open('settings', firstShape(settingsSchema, defaults));
  const settings = new Settings(collection, options);
  await settleSavePath(settings, options, log);
  if (collection.data === defaults) await settings.persist();
  return settings;
}

/** Keeps the stored save path, unless it may not be used: then the command line can say something else. */
async function settleSavePath(settings: Settings, options: Options, log: Log): Promise<void> {
  const { savePath: given } = options;
  try {
    await assertApartFromState(settings.savePath, options);
  } catch (error) {
    if (given === null || given === settings.savePath) throw error;
    await assertApartFromState(given, options);
    await settings.store('save_path', given);
  }
  const { savePath } = settings;
  if (given !== null && given !== savePath) log.warn('the stored save path holds, not --save-path', { savePath });
}

/** With account 1. @throws AppError `STORAGE_TOO_NEW`, `STORAGE_FAILED`; Error when the password file cannot be used */
export async function openAccounts(
  store: StateStore,
  directory: DataDirectory,
  options: Options,
  deps: OpenStoresDeps,
): Promise<Accounts> {
  const { log, notify } = deps;
  const collection = await store.open('accounts', firstShape(accountsSchema, { next_id: 1, accounts: [] }));
  const initialPasswordFile = directory.file('initial-admin-password');
  const { adminPasswordFile, databaseFile, flavor } = options;
  const isDaemon = flavor === 'daemon';
  const passwords = deps.passwords ?? new Passwords();
  const notForgotten = (error: unknown) =>
    log.warn('the first password is still in its file', { reason: String(error) });
  const accounts = new Accounts({
    collection,
    passwords,
    randomBytes,
    now: unixSeconds,
    forgetInitialPassword: () => forgetInitialPassword(initialPasswordFile).catch(notForgotten),
    isSingle: !isDaemon,
  });
  const first = await prepareFirstStart(
    { accounts, randomBytes },
    { adminPasswordFile, initialPasswordFile, leaveUnset: !isDaemon },
  );
  if (first.kind === 'not-first' && databaseFile !== null) {
    // Another front may have changed it while this one was not there.
    const hash = accounts.find(ADMIN_ACCOUNT_ID)?.password_hash ?? null;
    const requester = { key: 'start', isFresh: true };
    const opens = (password: string) => passwords.verify(hash, password, requester);
    await forgetStalePassword(initialPasswordFile, opens).catch(notForgotten);
  }
  if (first.kind === 'password-made') {
    notify(`First start: sign in as admin with the password ${first.password} (kept in ${initialPasswordFile})`);
  } else if (isDaemon && accounts.find(ADMIN_ACCOUNT_ID)?.password_hash === null) {
    notify('Account 1 has no password: start once with --flavor desktop and set one in the web settings.');
  }
  return accounts;
}

/** Opens the sessions of browsers at all fronts. @throws AppError `STORAGE_TOO_NEW`, `STORAGE_FAILED` */
export function openSharedSessions(store: StateStore): Promise<Collection<SharedSessionsData>> {
  return store.open(SESSIONS, firstShape(sharedSessionsSchema, NO_SHARED_SESSIONS));
}
