// Accounts and torrents behind qBittorrent's interface: ann owns one torrent, edits and views others, and knows nothing of
// the last; `plain` may nothing but sign in. Each calls with its API key, as tools do.
import type { TorrentId } from '../../shared-protocol/ids.js';
import { parseInfoHash } from '../../shared-protocol/ids.js';
import { multipart, startHarness, type Answer, type Harness } from './api-harness.js';
import { openBrowser, scriptOf, THROUGH_A_PROXY, type Client } from './browser.js';

const PASSWORD = 'correct horse';
export const OWN = parseInfoHash('a'.repeat(40));
export const EDITED = parseInfoHash('b'.repeat(40));
export const VIEWED = parseInfoHash('c'.repeat(40));
export const HIDDEN = parseInfoHash('d'.repeat(40));
/** No account has it. */
export const NONE = parseInfoHash('0'.repeat(40));
export const magnetOf = (hash: string) => `magnet:?xt=urn:btih:${hash}`;

export interface CompatibleScene {
  readonly harness: Harness;
  readonly admin: Client;
  readonly ann: Client;
  readonly plain: Client;
  readonly annId: number;
}

export async function setCompatibleScene(
  t: { teardown(handler: () => Promise<void>): void },
  permissions: object = { perm_add_torrents: true, perm_manage_cat_tags: true },
  args: readonly string[] = [],
): Promise<CompatibleScene> {
  const harness = await startHarness({ args: [...THROUGH_A_PROXY, ...args] });
  t.teardown(() => harness.close());
  const admin = await scriptOf(harness, await openBrowser(harness, 'admin', harness.password));
  const account = async (username: string, permissions: object) => {
    const { id } = await admin.ask<{ id: number }>('POST', '/api/users', {
      username,
      password: PASSWORD,
      ...permissions,
    });
    return { id, client: await scriptOf(harness, await openBrowser(harness, username, PASSWORD)) };
  };
  const { id: annId, client: ann } = await account('ann', { perm_add_torrents: true, ...permissions });
  const { client: plain } = await account('plain', {});
  const add = (client: Client, hash: string) =>
    client.ask('POST', '/api/torrents/magnet', { magnet: magnetOf(hash), sequential: true });
  await add(ann, OWN);
  for (const hash of [EDITED, VIEWED, HIDDEN]) await add(admin, hash);
  await admin.ask('POST', `/api/torrents/${EDITED}/shares`, { user_id: annId, access: 'editor' });
  await admin.ask('POST', `/api/torrents/${VIEWED}/shares`, { user_id: annId, access: 'viewer' });
  return { harness, admin, ann, plain, annId };
}

export type FormFields = Readonly<Record<string, string>>;

/** A change as most tools send it: an encoded form. */
export function change(
  { harness }: Pick<CompatibleScene, 'harness'>,
  { headers }: Pick<Client, 'headers'>,
  path: string,
  fields: FormFields = {},
): Promise<Answer> {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams(fields).toString();
  return harness.call('POST', `/api/v2/${path}`, { headers: { ...headers, ...form }, body });
}

/** Torrent files and fields, as parts. */
export function upload(
  { harness }: Pick<CompatibleScene, 'harness'>,
  { headers }: Pick<Client, 'headers'>,
  parts: Readonly<Record<string, string | Uint8Array>>,
): Promise<Answer> {
  const { headers: type, body } = multipart(parts);
  return harness.call('POST', '/api/v2/torrents/add', { headers: { ...headers, ...type }, body });
}

/** All that there is to see of a torrent by the service's own interface, and all that the engine was told. */
export async function stateOf({ harness, admin }: CompatibleScene, id: TorrentId): Promise<object | null> {
  const list = await admin.ask<readonly { readonly id: string }[]>('GET', '/api/torrents');
  const listed = list.find((torrent) => torrent.id === id);
  if (!listed) return null;
  const { engine } = harness;
  return {
    ...listed,
    rule: await admin.ask('GET', `/api/torrents/${id}/seeding_rule`),
    superSeeding: await admin.ask('GET', `/api/torrents/${id}/super_seeding`),
    limits: engine.limitsOf(id),
    priorities: engine.prioritiesOf(id),
    trackers: engine.trackersOf(id),
    peers: engine.peersOf(id),
    renames: engine.renames.filter((rename) => rename.id === id),
  };
}
