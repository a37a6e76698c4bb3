// Accounts by name.
import type { UserDto } from '../../shared-protocol/dto/accounts.js';
import { CommandFailed } from '../exit-codes.js';
import type { ApiClient } from './api-client.js';

export function usersOf(api: ApiClient): Promise<readonly UserDto[]> {
  return api.call('GET', '/api/users');
}

/** @throws CommandFailed where there is none of that name */
export async function userNamed(api: ApiClient, name: string): Promise<UserDto> {
  const found = (await usersOf(api)).find(({ username }) => username.toLowerCase() === name.toLowerCase());
  if (!found) throw new CommandFailed(`no account ${JSON.stringify(name)}`);
  return found;
}
