// Two engines that share a root, accounts of each, and links on the disk that lead into the folder that engines share.
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import { makeAccount, type AccountUnderTest } from './daemon-account.js';
import { makeTorrent } from './make-torrent.js';
import { startSharedRootScene } from './shared-root-scene.js';

const TIMEOUT_MS = 60_000;
const PIECE_LENGTH = 16_384;
export const FILM_BYTES = 3 * PIECE_LENGTH;
/** Contents of the file `secret` in the folder, of the length of the torrents'. */
export const SECRET = 's'.repeat(FILM_BYTES);

export type Call = readonly [method: string, path: string, body: object];
export type Asks = Pick<AccountUnderTest['client'], 'api'>;

const made = (name: string) =>
  makeTorrent({
    name,
    pieceLength: PIECE_LENGTH,
    files: [{ path: ['film'], bytes: Buffer.alloc(FILM_BYTES, name) }],
  });

export async function setHiddenFolderScene(t: Test) {
  const { front, shared, has } = await startSharedRootScene(t);
  await has('b', 0);
  const [hidden, home] = [join(shared, '.swarmd'), join(shared, 'bob')];
  await mkdir(home);
  await symlink(hidden, join(shared, 'way'));
  await symlink(join(hidden, 'engines'), join(home, 'way'));
  await writeFile(join(hidden, 'secret'), SECRET);
  const bob = await makeAccount(front, 'bob', { engine: 'b', home });
  /** A torrent that is whole, of the account whose folder it is. */
  const whole = async (client: Pick<typeof front, 'addTorrentFile' | 'waitFor'>, folder: string, name: string) => {
    const { torrentBytes, payload, infoHash } = made(name);
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, 'film'), payload);
    await client.addTorrentFile(torrentBytes, folder);
    await client.waitFor(infoHash, ({ completed }) => completed, TIMEOUT_MS);
    return infoHash;
  };
  const ways = (folder: string) => [
    hidden,
    `${hidden}/engines`,
    `${hidden}/.`,
    `${folder}/../${folder === home ? '' : 'shared/'}.swarmd/engines`,
    join(folder, 'way'),
    `${folder}/way/new`,
  ];
  return { front, shared, hidden, home, bob, whole, ways };
}

/** Why a path is refused; of the home of an account nothing more is said. */
export const REFUSED = /what engines know of each other is there|^forbidden$/;

/** Those that were not refused for their path. */
export async function taken(client: Asks, calls: readonly Call[]): Promise<unknown[]> {
  const answers = [];
  for (const [method, path, body] of calls) {
    const { status, json } = await client.api<{ readonly error?: string }>(method, path, body);
    const isRefused = (status === 400 || status === 403) && REFUSED.test(json.error ?? '');
    if (!isRefused) answers.push([method, path, body, status, json]);
  }
  return answers;
}
