// Another account of a daemon under test, with its own key: what people other than the administrator may do.
import type { DaemonUnderTest, Reply } from './daemon.js';

export interface OtherAccount {
  readonly id: number;
  call<Body = Readonly<Record<string, unknown>>>(method: string, path: string, body?: unknown): Promise<Reply<Body>>;
  addTorrentFile(bytes: Uint8Array): Promise<string>;
  addMagnet(uri: string): Promise<string>;
  /** By the administrator; all others are taken away. */
  setPermissions(permissions: Readonly<Record<string, boolean>>): Promise<void>;
}

const PASSWORD = 'correct horse battery';

/** It may add torrents and nothing else. */
export async function makeAccount(daemon: DaemonUnderTest, username: string): Promise<OtherAccount> {
  const fields = { username, password: PASSWORD, role: 'user', perm_add_torrents: true };
  const made = await daemon.api<{ readonly id: number }>('POST', '/api/users', fields);
  if (made.status !== 200) throw new Error(`no account: ${made.status}`);
  const { id } = made.json;
  const key = await keyOf(daemon.url, username);
  const call = async <Body>(method: string, path: string, body?: unknown): Promise<Reply<Body>> => {
    const isForm = body instanceof FormData;
    const json = body === undefined || isForm ? {} : { 'content-type': 'application/json' };
    const response = await fetch(`${daemon.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...json },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    return { status: response.status, json: (await response.json()) as Body };
  };
  const added = ({ status, json }: Reply): string => {
    if (status !== 200 || typeof json['id'] !== 'string') throw new Error(`not added: ${JSON.stringify(json)}`);
    return json['id'];
  };
  return {
    id,
    call,
    async addTorrentFile(bytes) {
      const form = new FormData();
      form.set('file', new Blob([bytes]), 'test.torrent');
      return added(await call('POST', '/api/torrents/file', form));
    },
    addMagnet: async (magnet) => added(await call('POST', '/api/torrents/magnet', { magnet })),
    async setPermissions(permissions) {
      const none = { perm_add_torrents: false, perm_change_settings: false };
      const { status } = await daemon.api('PUT', `/api/users/${id}`, { ...none, ...permissions });
      if (status !== 200) throw new Error(`permissions not set: ${status}`);
    },
  };
}

async function keyOf(url: string, username: string): Promise<string> {
  const login = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ username, password: PASSWORD }),
  });
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
  const rotation = await fetch(`${url}/api/me/api_key/rotate`, { method: 'POST', headers: { cookie, origin: url } });
  const { api_key: key } = (await rotation.json()) as { readonly api_key?: string };
  if (key === undefined) throw new Error(`no API key of ${username}: ${login.status}, ${rotation.status}`);
  return key;
}
