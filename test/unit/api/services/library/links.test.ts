// How long a link opens what it leads to, and what is kept of it.
import { randomBytes } from 'node:crypto';
import t from 'tap';
import { firstAdmin } from '../../../../../api/auth/account.js';
import { Library } from '../../../../../api/services/library/library.js';
import { Links, linksSchema, NO_LINKS } from '../../../../../api/services/library/links.js';
import { madeFacts } from '../../../../../bench/load/made-facts.js';
import type { EngineClient } from '../../../../../shared-protocol/commands.js';
import { parseAccountId, parseInfoHash } from '../../../../../shared-protocol/ids.js';
import { MemoryCollection } from '../../../../support/memory-collection.js';

const BOB = { ...firstAdmin('', 0), id: parseAccountId(2), role: 'user' as const };
const ID = parseInfoHash('a'.repeat(40));

function start() {
  const library = new Library({ engine: { client: {} as EngineClient } });
  const facts = madeFacts({ index: 1, id: ID, row: 1, rowTag: 1, ownerId: BOB.id, trackerHost: 't.example' });
  library.handleEvent({ name: 'torrents.added', payload: { torrents: [facts] } });
  const collection = new MemoryCollection(NO_LINKS, (data) => linksSchema.parse(data));
  const time = { now: 1_000 };
  const accountOf = (id: number) => (id === BOB.id ? BOB : undefined);
  const links = new Links({ collection, accountOf, library, randomBytes, now: () => time.now });
  return { links, collection, time };
}

void t.test('it ends by itself, to the second, and makes room', async (t) => {
  const { links, collection, time } = start();
  const { key, id } = await links.create(BOB.id, ID, 60);
  time.now = 1_059;
  t.equal(links.open(key).torrent.id, ID);
  t.same(links.list(ID, BOB.id), [{ id, user_id: BOB.id, created_at: 1_000, expires_at: 1_060 }]);
  time.now = 1_060;
  t.throws(() => links.open(key), { code: 'NOT_FOUND' });
  t.same(links.list(ID, null), []);
  await links.create(BOB.id, ID, 60);
  t.match(
    collection.data.links.map((link) => link.id),
    [id + 1],
    'no id is given twice',
  );
});

void t.test('its key is nowhere', async (t) => {
  const { links, collection } = start();
  const { key } = await links.create(BOB.id, ID, 60);
  t.notMatch(JSON.stringify(collection.data), key);
});

void t.test('it goes with its torrent and its account', async (t) => {
  const { links, collection } = start();
  await links.create(BOB.id, ID, 60);
  await links.handleEvent({ name: 'torrent.removed', payload: { id: parseInfoHash('b'.repeat(40)) } });
  await links.forgetAccount(parseAccountId(3));
  t.equal(collection.data.links.length, 1);
  await links.handleEvent({ name: 'torrent.removed', payload: { id: ID } });
  t.equal(collection.data.links.length, 0);
  await links.create(BOB.id, ID, 60);
  await links.forgetAccount(BOB.id);
  t.equal(collection.data.links.length, 0);
});
