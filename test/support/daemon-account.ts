// A further account of a daemon under test, and its calls with a key of its own.
import type { NewUser } from '../../shared-protocol/dto/accounts.js';
import { ApiClient, signIn, type DaemonUnderTest } from './daemon.js';

/** The password of each account that is made here. */
export const ACCOUNT_PASSWORD = 'eight or more';

export interface AccountUnderTest {
  readonly id: number;
  readonly client: ApiClient;
}

/** May add torrents, unless told otherwise. Each costs one of the five sign-ins that an address has at once. */
export async function makeAccount(
  daemon: DaemonUnderTest,
  username: string,
  given: Partial<NewUser> = {},
): Promise<AccountUnderTest> {
  const user = { perm_add_torrents: true, ...given, username, password: ACCOUNT_PASSWORD };
  const made = await daemon.api('POST', '/api/users', user);
  if (made.status !== 200) throw new Error(`no account ${username}: ${made.status} ${JSON.stringify(made.json)}`);
  const key = await signIn(daemon.url, ACCOUNT_PASSWORD, username);
  const client = new ApiClient(daemon.url, { authorization: `Bearer ${key}` }, () => daemon.stderr);
  return { id: Number(made.json['id']), client };
}

/** The same account of a daemon that was started again on the same directory. */
export async function sameAccount(daemon: DaemonUnderTest, username: string, id: number): Promise<AccountUnderTest> {
  const key = await signIn(daemon.url, ACCOUNT_PASSWORD, username);
  return { id, client: new ApiClient(daemon.url, { authorization: `Bearer ${key}` }, () => daemon.stderr) };
}

/** By the administrator; of adding torrents and changing settings what is not named is taken away. */
export async function setPermissions(
  daemon: DaemonUnderTest,
  { id }: Pick<AccountUnderTest, 'id'>,
  permissions: Readonly<Record<string, boolean>>,
): Promise<void> {
  const none = { perm_add_torrents: false, perm_change_settings: false };
  const { status } = await daemon.api('PUT', `/api/users/${id}`, { ...none, ...permissions });
  if (status !== 200) throw new Error(`permissions not set: ${status}`);
}
