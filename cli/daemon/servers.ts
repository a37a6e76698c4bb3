// Servers by name: the daemon itself, `this`, and its remotes.
import type { RemoteDto } from '../../shared-protocol/dto/remotes.js';
import { CommandFailed } from '../exit-codes.js';
import { plain } from '../output/print.js';
import type { ApiClient } from './api-client.js';

export const THIS_SERVER = 'this';

export function remotesOf(api: ApiClient): Promise<readonly RemoteDto[]> {
  return api.call('GET', '/api/remotes');
}

/** The id; null: the daemon itself. @throws CommandFailed where there is none of that name */
export async function serverNamed(api: ApiClient, name: string): Promise<number | null> {
  if (name === THIS_SERVER) return null;
  return (await remoteNamed(api, name)).id;
}

/** @throws CommandFailed where there is none of that name */
export async function remoteNamed(api: ApiClient, name: string): Promise<RemoteDto> {
  const remotes = await remotesOf(api);
  const found = remotes.find((remote) => remote.name.toLowerCase() === name.toLowerCase());
  if (found) return found;
  const there = [THIS_SERVER, ...remotes.map((remote) => plain(remote.name))].join(', ');
  throw new CommandFailed(`no server ${JSON.stringify(plain(name))}; there are: ${there}`);
}
