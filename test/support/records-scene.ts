// A data directory with records of all kinds, and a database to carry them into.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseInfoHash } from '../../shared-protocol/ids.js';
import { firstShape } from '../../storage/collection-shape.js';
import { openDataDirectory } from '../../storage/data-directory.js';
import { DirectoryStateStore } from '../../storage/directory-state-store.js';
import { openFeedMemory } from '../../storage/lmdb-feed-memory.js';
import type { FeedMemory, StateStore } from '../../storage/types.js';
import type { PostgresCluster } from './postgres.js';
import { temporaryDirectory } from './temporary-directory.js';

type Data = Readonly<Record<string, unknown>>;

/** Texts that titles of feeds may have: U+0000, half of a pair, what looks like an escape, keys in an order of their own. */
export const AWKWARD: Data = {
  z: 'a\u0000b',
  a: '\ud800',
  escaped: '\\u0000 " \\',
  10: 'ten',
  2: 'two',
  big: 2 ** 53 - 1,
};

const TORRENT = parseInfoHash('ab'.repeat(20));
const FEED = 7;
/** More than are written at once. */
export const ITEMS = 1_234;

/** All that is stored under these names. */
export const STORED: Readonly<Record<string, Data>> = {
  accounts: {
    next_id: 3,
    accounts: [
      { id: 1, api_key_digest: 'x' },
      { id: 2, api_key_digest: 'y' },
    ],
  },
  settings: { save_path: '/srv', awkward: AWKWARD },
  labels: { next_category_id: 2, categories: [{ id: 1, name: 'Films' }], tags: [] },
  feeds: { feeds: [{ id: FEED, url: 'https://feeds.example/' }] },
  webhooks: { webhooks: [{ id: 1, secret: 'geheim' }] },
  'automation-history': { entries: [AWKWARD] },
  'preferences/1': { theme: 'dark' },
  'preferences/2': { theme: 'light' },
  'notices/2': { notices: [AWKWARD] },
};
const SHAPE = firstShape({ parse: (data: unknown) => data as Data }, {} as Data);

export async function recordsScene(cluster: PostgresCluster) {
  const base = await temporaryDirectory();
  const dataDir = join(base, 'data');
  const database = await cluster.createDatabase();
  const databaseFile = await databaseFileIn(base, cluster.address(database));
  const directory = await openDataDirectory(dataDir);
  const store = new DirectoryStateStore(dataDir);
  for (const [name, data] of Object.entries(STORED)) await storeUnder(store, name, data);
  const memory = openFeedMemory(directory.file('feeds'));
  await memory.putPoll(FEED, {
    url: 'https://feeds.example/',
    etag: '"ü"',
    lastModified: '',
    judgedBy: 'f',
    lastPolled: 5,
  });
  // Whoever waits for each has them in as many commits.
  const items = Array.from({ length: ITEMS }, (_, n) =>
    n % 2 === 0
      ? memory.putItem(FEED, `guid ${n}`, { kind: 'done', at: n, torrentId: n === 0 ? TORRENT : null }, n === 0)
      : memory.putItem(FEED, `guid ${n}`, { kind: 'failed', at: n, tries: 2, retryAt: n }),
  );
  await Promise.all(items);
  await memory.close();
  directory.release();
  return { base, dataDir, database, databaseFile };
}

export async function databaseFileIn(folder: string, address: string): Promise<string> {
  const file = join(folder, 'database');
  await writeFile(file, `${address}\n`, { mode: 0o600 });
  return file;
}

export async function storeUnder(store: StateStore, name: string, data: Data): Promise<void> {
  const collection = await store.open(name, SHAPE);
  await collection.update((draft) => void Object.assign(draft, data));
}

/** What is stored there, by the ports that a daemon has. */
export async function seenIn(store: StateStore, memory: FeedMemory) {
  const names = [...Object.keys(STORED).filter((name) => !name.includes('/'))];
  for (const folder of ['preferences/', 'notices/']) names.push(...(await store.names(folder)).sort());
  const collections: Record<string, string> = {};
  for (const name of names) collections[name] = JSON.stringify((await store.open(name, SHAPE)).data);
  const kinds = Array.from({ length: ITEMS }, (_, n) => memory.item(FEED, `guid ${n}`));
  return {
    collections,
    items: kinds,
    feeds: memory.feedIds().map((id) => ({ poll: memory.poll(id), added: memory.added(id) })),
    hasTorrent: memory.hasTorrent(FEED, TORRENT),
  };
}

/** What is stored in a data directory that nobody uses. */
export async function seenInFiles(dataDir: string) {
  const directory = await openDataDirectory(dataDir);
  const memory = openFeedMemory(directory.file('feeds'));
  try {
    return await seenIn(new DirectoryStateStore(dataDir), memory);
  } finally {
    await memory.close();
    directory.release();
  }
}
