// Records as rows of PostgreSQL, all of them in one transaction of the caller's.
import { randomUUID } from 'node:crypto';
import { AppError } from '../../shared-protocol/errors.js';
import { addRow, lockRow, writeRow } from '../postgres/collection-rows.js';
import type { Query } from '../postgres/query.js';
import type { FeedPoll, SeenItem } from '../types.js';
import { isCollectionName } from './collection-files.js';
import { rememberedPolls } from './feeds-in-folder.js';
import { SESSIONS, type Records, type RememberedPolls, type StoredCollection } from './types.js';

const ITEMS_AT_ONCE = 1_000;

/** `name`: of the database, in messages. @throws AppError `STORAGE_TOO_NEW`: a collection that this program has no file for */
export async function readRows(query: Query, name: string): Promise<Records> {
  const collections = await query<StoredCollection & { readonly data: unknown }>(
    'SELECT name, version, data FROM collections WHERE data IS NOT NULL AND name <> $1',
    [SESSIONS],
  );
  const unknown = collections.find((collection) => !isCollectionName(collection.name));
  if (unknown) {
    const message = `storage: ${name} has the collection ${unknown.name}, which this program does not know`;
    throw new AppError('STORAGE_TOO_NEW', message);
  }
  return {
    collections: collections.sort((one, other) => (one.name < other.name ? -1 : 1)),
    feeds: await readFeedRows(query),
  };
}

/** Into a database that has none. */
export async function writeRows(query: Query, { collections, feeds }: Records): Promise<void> {
  const writer = randomUUID();
  for (const { name, version, data } of collections) {
    await addRow(query, name);
    // What was removed has left its revision, which fronts may have seen.
    const { revision } = await lockRow(query, name, 0);
    await writeRow(query, name, { version, revision: revision + 1, data: JSON.stringify(data) }, writer);
  }
  for (const { feedId, poll, added, items } of feeds) {
    if (poll) await query('INSERT INTO feed_polls (feed_id, poll) VALUES ($1, $2)', [feedId, JSON.stringify(poll)]);
    if (added > 0) await query('INSERT INTO feed_counts (feed_id, added) VALUES ($1, $2)', [feedId, added]);
    for (let from = 0; from < items.length; from += ITEMS_AT_ONCE) {
      const some = items.slice(from, from + ITEMS_AT_ONCE);
      await query(
        'INSERT INTO feed_items (feed_id, key, item) SELECT $1, key, item FROM unnest($2::text[], $3::json[]) AS given (key, item)',
        [feedId, some.map(([key]) => key), some.map(([, item]) => JSON.stringify(item))],
      );
    }
  }
}

async function readFeedRows(query: Query): Promise<RememberedPolls[]> {
  type Row = { readonly feed_id: number };
  const polls = await query<Row & { readonly poll: FeedPoll }>('SELECT feed_id, poll FROM feed_polls');
  const counts = await query<Row & { readonly added: number }>('SELECT feed_id, added::float8 FROM feed_counts');
  const items = await query<Row & { readonly key: string; readonly item: SeenItem }>(
    'SELECT feed_id, key, item FROM feed_items',
  );
  return rememberedPolls(
    polls.map(({ feed_id, poll }) => [feed_id, poll]),
    counts.map(({ feed_id, added }) => [feed_id, added]),
    items.map(({ feed_id, key, item }) => [feed_id, key, item]),
  );
}
