// Torrents that a daemon under test makes of files: what it tells of them, and waiting for one to end.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import { startDaemon, type ApiClient, type Reply } from './daemon.js';
import { makeScratch } from './peers/scratch.js';
import { waitUntil } from './peers/wait-until.js';

const TIMEOUT_MS = 60_000;
const BYTES = 64 * 1024 * 1024;

export interface CreationView {
  readonly id: number;
  readonly user_id: number;
  readonly path: string;
  readonly state: string;
  readonly bytes_done: number;
  readonly bytes_total: number;
  readonly files: number;
  readonly piece_length: number;
  readonly infohash: string | null;
  readonly torrent_id: string | null;
  readonly error: string | null;
  readonly code: string | null;
  readonly expires_at: number;
}

type Client = Pick<ApiClient, 'api' | 'download'>;

/** A daemon that outlives a restart, and a place beside it. */
export async function setScene(t: Test) {
  const scratch = await makeScratch('create', 2 * BYTES);
  t.teardown(() => scratch.remove());
  const places = { dataDir: join(scratch.path, 'data'), savePath: join(scratch.path, 'downloads') };
  const daemon = await startDaemon(places);
  t.teardown(() => daemon.stop());
  const files = async (root: string, contents: Readonly<Record<string, Uint8Array | string>>) => {
    for (const [name, bytes] of Object.entries(contents)) {
      await mkdir(join(root, name, '..'), { recursive: true });
      await writeFile(join(root, name), bytes);
    }
    return root;
  };
  return { daemon, scratch: scratch.path, files };
}

export const begin = (client: Client, body: object): Promise<Reply<CreationView & { readonly error: string }>> =>
  client.api('POST', '/api/create', body);

export async function ended(client: Client, id: number): Promise<CreationView> {
  return waitUntil(`creation ${id} to end`, TIMEOUT_MS, async () => {
    const { json } = await client.api<CreationView>('GET', `/api/create/${id}`);
    return json.expires_at > 0 ? json : undefined;
  });
}

/** Fails unless it is begun; how it has ended. */
export async function created(client: Client, body: object): Promise<CreationView> {
  const { status, json } = await begin(client, body);
  if (status !== 200) throw new Error(`not begun: ${status} ${JSON.stringify(json)}`);
  return ended(client, json.id);
}
