// The mirror of the engine's torrents: who sees which, in what order, through any changes.
import fc from 'fast-check';
import t from 'tap';
import { firstAdmin, type Account } from '../../../../../api/auth/account.js';
import { Library } from '../../../../../api/services/library/library.js';
import type { TorrentFacts } from '../../../../../shared-protocol/events.js';
import { ADMIN_ACCOUNT_ID, parseAccountId, parseInfoHash } from '../../../../../shared-protocol/ids.js';
import { createInProcessTransport } from '../../../../support/in-process-transport.js';
import { NEW_LIBRARY_RECORD } from '../../../../../shared-protocol/library-record.js';
import { TEST_ENGINE_OPTIONS } from '../../../../support/engine-options.js';
import { MemoryEngine } from '../../../../support/memory-engine.js';

const MAGNET = `magnet:?xt=urn:btih:${'a'.repeat(40)}`;
const ADMIN = firstAdmin('', 0);
const [BOB, CAROL, DAVE] = [2, 3, 4].map((id): Account => ({ ...ADMIN, id: parseAccountId(id), role: 'user' }));
const USERS = [BOB!, CAROL!, DAVE!];

function start() {
  const accounts = new Set([ADMIN, ...USERS].map(({ id }) => id));
  const engine = createInProcessTransport(new MemoryEngine().handlers);
  const library = new Library({ engine, isAccount: (id) => accounts.has(id) });
  return { accounts, engine, library };
}

function factsOf(index: number, change: Partial<TorrentFacts> = {}): TorrentFacts {
  return {
    id: parseInfoHash(index.toString(16).padStart(40, '0')),
    row: index,
    rowTag: index,
    name: String(index),
    trackers: '',
    savePath: '/files',
    totalBytes: 1,
    isPrivate: false,
    hasMetadata: true,
    metadataBytes: 1_000,
    addedAt: 0,
    completedAt: null,
    ownerId: ADMIN_ACCOUNT_ID,
    library: NEW_LIBRARY_RECORD,
    error: null,
    ...change,
  };
}

const sharedWith = (...shares: TorrentFacts['library']['shares']) => ({ ...NEW_LIBRARY_RECORD, shares });

void t.test('each account has the torrents that it may see, newest first, whatever happens', async (t) => {
  const account = fc.constantFrom(...USERS.map(({ id }) => id), ADMIN_ACCOUNT_ID);
  const share = fc.record({ accountId: account, access: fc.constantFrom('viewer' as const, 'editor' as const) });
  const facts = fc
    .record({
      index: fc.nat(30),
      addedAt: fc.nat(3),
      ownerId: account,
      shares: fc.uniqueArray(share, { selector: ({ accountId }) => accountId, maxLength: 3 }),
    })
    .map(({ index, shares, ...change }) => factsOf(index, { ...change, library: sharedWith(...shares) }));
  const step = fc.oneof(
    fc.array(facts, { maxLength: 5 }).map((torrents) => ({ name: 'torrents.added' as const, payload: { torrents } })),
    facts.map((changed) => ({ name: 'torrent.changed' as const, payload: { facts: changed } })),
    facts.map(({ id }) => ({ name: 'torrent.removed' as const, payload: { id } })),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(step, fc.boolean()), { maxLength: 40 }), (steps) => {
      const { library } = start();
      const known = new Map<string, TorrentFacts>();
      for (const [event, isLookedAt] of steps) {
        library.handleEvent(event);
        if (event.name === 'torrents.added') for (const each of event.payload.torrents) known.set(each.id, each);
        if (event.name === 'torrent.changed') known.set(event.payload.facts.id, event.payload.facts);
        if (event.name === 'torrent.removed') known.delete(event.payload.id);
        if (!isLookedAt) continue;
        const sorted = [...known.values()].sort((a, b) => b.addedAt - a.addedAt || (a.id < b.id ? -1 : 1));
        for (const viewer of [ADMIN, ...USERS]) {
          const expected = sorted.filter((each) => library.accessOf(viewer, each) !== null);
          t.same([...library.visibleTo(viewer)], expected);
        }
      }
    }),
    { numRuns: 200 },
  );
});

void t.test('access', async (t) => {
  const { library } = start();
  const [bob, carol, dave] = USERS as [Account, Account, Account];
  const facts = factsOf(1, {
    ownerId: bob.id,
    library: sharedWith({ accountId: carol.id, access: 'viewer' }, { accountId: ADMIN.id, access: 'viewer' }),
  });
  t.same(
    [ADMIN, bob, carol, dave].map((account) => library.accessOf(account, facts)),
    ['owner', 'owner', 'viewer', null],
  );
  t.equal(library.accessOf({ ...ADMIN, role: 'user' }, facts), 'viewer', 'an administrator no more');
});

void t.test('a record that another front has changed meanwhile is changed as it is then', async (t) => {
  const { engine, library } = start();
  let facts: TorrentFacts | null = null;
  engine.onEvent((event) => {
    library.handleEvent(event);
    if (event.name === 'torrent.changed') facts = event.payload.facts;
  });
  await engine.client.start(TEST_ENGINE_OPTIONS);
  const options = { savePath: '/files', ownerId: ADMIN_ACCOUNT_ID, paused: true };
  const { id } = await engine.client.addTorrent({ source: { kind: 'magnet', uri: MAGNET }, ...options });
  const seen: (number | null)[] = [];
  let isFirst = true;
  await library.editRecord({ id }, (record) => {
    seen.push(record.categoryId);
    // The other front's order is on its way when this one is given.
    if (isFirst) void engine.client.setLibraryRecord({ id, record: { ...record, categoryId: 1 } });
    isFirst = false;
    return { ...record, tagIds: [2] };
  });
  t.same(seen, [null, 1], 'made anew of what there is');
  t.match(facts, { library: { categoryId: 1, tagIds: [2] } });
  // Here there is nothing to be taken away yet, and there is.
  isFirst = true;
  await library.editRecord({ id }, (record) => {
    if (isFirst) void engine.client.setLibraryRecord({ id, record: { ...record, tagIds: [2, 3] } });
    isFirst = false;
    return record.tagIds.includes(3) ? { ...record, tagIds: [2] } : record;
  });
  t.match(facts, { library: { tagIds: [2] } });
});

void t.test('what a deleted account owned is account 1’s, then and after a restart of the engine', async (t) => {
  const { accounts, library } = start();
  const [bob, carol] = USERS as [Account, Account, Account];
  const owned = factsOf(1, { ownerId: bob.id, library: sharedWith({ accountId: carol.id, access: 'editor' }) });
  const granted = factsOf(2, { ownerId: carol.id, library: sharedWith({ accountId: bob.id, access: 'viewer' }) });
  const demoted = { ...ADMIN, role: 'user' as const };
  library.handleEvent({ name: 'torrents.added', payload: { torrents: [owned, granted] } });
  t.same([...library.visibleTo(demoted)], []);
  accounts.delete(bob.id);
  library.forgetAccount(bob.id);
  const check = () => {
    t.match([...library.visibleTo(demoted)], [{ id: owned.id, ownerId: ADMIN_ACCOUNT_ID }]);
    t.equal(library.accessOf(demoted, library.find(owned.id)!), 'owner');
    t.same(
      [...library.visibleTo(carol)].map(({ id }) => id),
      [owned.id, granted.id],
    );
  };
  check();
  library.beginReload();
  library.handleEvent({ name: 'torrents.added', payload: { torrents: [owned, granted] } });
  library.endReload();
  check();
});
