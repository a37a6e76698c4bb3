// A daemon over a memory engine with four torrents, and two tools: admin's, and that of ann, who holds one of them, may edit
// one and look at one, and knows nothing of the last.
import { parseInfoHash } from '../../shared-protocol/ids.js';
import { startHarness } from './api-harness.js';
import { openBrowser, scriptOf, THROUGH_A_PROXY, type Client } from './browser.js';
import { TransmissionTool } from './transmission-rpc.js';

export const PASSWORD = 'correct horse';
export const OWN = parseInfoHash('a'.repeat(40));
export const EDITED = parseInfoHash('b'.repeat(40));
export const VIEWED = parseInfoHash('c'.repeat(40));
export const HIDDEN = parseInfoHash('d'.repeat(40));
export const PASSKEY = 'http://t.example/0123456789abcdef0123456789abcdef/announce';

export async function setTransmissionScene(
  t: { teardown(handler: () => Promise<void>): void },
  permissions: object = {},
) {
  const harness = await startHarness({ args: THROUGH_A_PROXY });
  t.teardown(() => harness.close());
  const adminScript = await scriptOf(harness, await openBrowser(harness, 'admin', harness.password));
  const user = { username: 'ann', password: PASSWORD, perm_add_torrents: true, ...permissions };
  const { id: annId } = await adminScript.ask<{ id: number }>('POST', '/api/users', user);
  const annScript = await scriptOf(harness, await openBrowser(harness, 'ann', PASSWORD));
  const add = (client: Client, hash: string) => {
    const magnet = `magnet:?xt=urn:btih:${hash}&dn=${hash[0]}&tr=${encodeURIComponent(PASSKEY)}`;
    return client.ask('POST', '/api/torrents/magnet', { magnet });
  };
  await add(annScript, OWN);
  for (const hash of [EDITED, VIEWED, HIDDEN]) await add(adminScript, hash);
  await adminScript.ask('POST', `/api/torrents/${EDITED}/shares`, { user_id: annId, access: 'editor' });
  await adminScript.ask('POST', `/api/torrents/${VIEWED}/shares`, { user_id: annId, access: 'viewer' });
  const admin = new TransmissionTool(harness, 'admin', harness.password);
  const ann = new TransmissionTool(harness, 'ann', PASSWORD);
  return { harness, admin, ann, adminScript, annScript, annId };
}

type Fields = Readonly<Record<string, unknown>>;

/** The torrents as the tool is told of them. */
export async function torrentsOf<Torrent = Fields>(
  tool: TransmissionTool,
  fields: readonly string[],
  ids?: unknown,
): Promise<Torrent[]> {
  const args = { fields, ...(ids === undefined ? {} : { ids }) };
  return (await tool.get<{ torrents: Torrent[] }>('torrent-get', args)).torrents;
}

export async function hashesOf(tool: TransmissionTool, ids?: unknown): Promise<string[]> {
  const torrents = await torrentsOf<{ hashString: string }>(tool, ['hashString'], ids);
  return torrents.map(({ hashString }) => hashString).sort();
}
