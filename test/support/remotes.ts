// Daemons that know each other: one in front, and others that it has as remotes.
import type { RemoteDto } from '../../shared-protocol/dto/remotes.js';
import { signIn, startDaemon, type ApiClient, type DaemonUnderTest, type TorrentView } from './daemon.js';
import { waitUntil } from './peers/wait-until.js';

const TIMEOUT_MS = 60_000;

export type ServerTorrent = TorrentView & { readonly server_id?: number };

type Asking = Pick<ApiClient, 'api'>;

/** A key of an account of its own, made for the front: an administrator unless told otherwise. */
export async function keyOf(daemon: DaemonUnderTest, username: string, given: object = {}): Promise<string> {
  const password = 'eight or more';
  const user = { username, password, role: 'admin', ...given };
  const made = await daemon.api('POST', '/api/users', user);
  if (made.status !== 200) throw new Error(`no account: ${JSON.stringify(made.json)}`);
  return signIn(daemon.url, password, username);
}

/** Sets a remote up; its id. */
export async function addRemote(front: Asking, remote: object): Promise<number> {
  const { status, json } = await front.api<{ id: number }>('POST', '/api/remotes', remote);
  if (status !== 200) throw new Error(`no remote: ${JSON.stringify(json)}`);
  return json.id;
}

export async function remotesOf(front: Asking): Promise<readonly RemoteDto[]> {
  return (await front.api<RemoteDto[]>('GET', '/api/remotes')).json;
}

/** Waits until the remote is in that state, and was heard of if it is connected. */
export function untilState(front: Asking, id: number, state: RemoteDto['state']): Promise<RemoteDto> {
  return waitUntil(`remote ${id} ${state}`, TIMEOUT_MS, async () => {
    const remote = (await remotesOf(front)).find((each) => each.id === id);
    return remote?.state === state && (state !== 'connected' || remote.last_heard > 0) ? remote : undefined;
  });
}

export async function allTorrents(front: Asking): Promise<readonly ServerTorrent[]> {
  return (await front.api<ServerTorrent[]>('GET', '/api/torrents?servers=all')).json;
}

/** Waits until the list of all servers is as it should be. */
export function untilListed(
  front: Asking,
  what: string,
  isSo: (torrents: readonly ServerTorrent[]) => boolean,
): Promise<readonly ServerTorrent[]> {
  return waitUntil(what, TIMEOUT_MS, async () => {
    const torrents = await allTorrents(front);
    return isSo(torrents) ? torrents : undefined;
  });
}

/** A daemon, and the remote of `front` that it is. */
export async function startRemote(front: DaemonUnderTest, name: string, given: object = {}) {
  const daemon = await startDaemon();
  try {
    const id = await addRemote(front, { name, url: daemon.url, api_key: await keyOf(daemon, 'front'), ...given });
    await untilState(front, id, 'connected');
    return { daemon, id };
  } catch (error) {
    await daemon.kill();
    throw error;
  }
}
