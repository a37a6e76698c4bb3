// The connection is lost at the moment of a commit: whether the change was written is found out, not guessed.
import t, { type Test } from 'tap';
import { DEFAULT_DATABASE_OPTIONS, openDatabase } from '../../../storage/postgres/database.js';
import { openPostgresCollection } from '../../../storage/postgres/postgres-collection.js';
import type { Collection } from '../../../storage/types.js';
import { nextChange } from '../../support/next-change.js';
import { testWith } from '../../support/peers/index.js';
import { PostgresCluster, postgres } from '../../support/postgres.js';
import { PostgresRelay } from '../../support/postgres-relay.js';

interface Names {
  names: string[];
}

let cluster: PostgresCluster;
if (postgres.isAvailable()) cluster = await PostgresCluster.start();

async function openFront(t: Test, address: string, outcomeMs: number): Promise<Collection<Names>> {
  const database = await openDatabase(address, { ...DEFAULT_DATABASE_OPTIONS, outcomeMs });
  t.teardown(() => database.close());
  return openPostgresCollection(database, 'names', {
    version: 1,
    defaults: { names: [] },
    migrate: (data) => data,
    validate: (data) => data as Names,
  });
}

/** One front behind a relay, and another beside it. */
async function twoFronts(t: Test, outcomeMs = DEFAULT_DATABASE_OPTIONS.outcomeMs) {
  const name = await cluster.createDatabase();
  const relay = await PostgresRelay.start(cluster.directory);
  const front = await openFront(t, cluster.address(name, relay.directory), outcomeMs);
  const other = await openFront(t, cluster.address(name), outcomeMs);
  return { relay, front, other };
}

const add =
  (name: string) =>
  (data: Names): void =>
    void data.names.push(name);

void testWith(t, postgres, 'before the server has heard of it: the change is refused', async (t) => {
  const { relay, front, other } = await twoFronts(t);
  relay.loseAtCommit('before');
  await t.rejects(front.update(add('lost')), { code: 'STORAGE_FAILED', message: /before a change was written/ });
  t.same(front.data.names, []);
  await front.update(add('next'));
  await other.update(add('other'));
  t.same(other.data.names, ['next', 'other']);
});

void testWith(t, postgres, 'after the server has answered: the change holds', async (t) => {
  const { relay, front } = await twoFronts(t);
  relay.loseAtCommit('after');
  let told = 0;
  front.onChanged(() => void told++);
  await front.update(add('kept'));
  await front.update(add('next'));
  t.same([front.data.names, told], [['kept', 'next'], 0]);
});

void testWith(t, postgres, 'the server hears of it late: nothing is decided before that', async (t) => {
  const { relay, front, other } = await twoFronts(t);
  relay.loseAtCommit('late');
  const seen = nextChange(other);
  await front.update(add('late'));
  await seen;
  t.same([front.data.names, other.data.names], [['late'], ['late']]);
});

void testWith(t, postgres, 'others have changed it before it is looked at', async (t) => {
  const { relay, front, other } = await twoFronts(t);
  relay.loseAtCommit('after', async () => {
    for (const name of ['b', 'c']) await other.update(add(name));
  });
  const seen = nextChange(front);
  await front.update(add('a'));
  await seen;
  t.same(front.data.names, ['a', 'b', 'c']);
});

void testWith(t, postgres, 'others have changed it in place of one that was not written', async (t) => {
  const { relay, front, other } = await twoFronts(t);
  let changed: Promise<void> | null = null;
  const seen = nextChange(front);
  // The other waits until the server knows that the first is lost.
  relay.loseAtCommit('before', async () => void (changed = other.update(add('other'))));
  await t.rejects(front.update(add('lost')), { code: 'STORAGE_FAILED' });
  await changed;
  await seen;
  t.same([front.data.names, other.data.names], [['other'], ['other']]);
});

void testWith(t, postgres, 'the database stays away: that it is not known is said, and seen later', async (t) => {
  const { relay, front } = await twoFronts(t, 300);
  relay.loseAtCommit('after', async () => relay.shut());
  await t.rejects(front.update(add('unknown')), { code: 'STORAGE_FAILED', data: { outcome: 'unknown' } });
  t.same(front.data.names, []);
  const seen = nextChange(front);
  relay.reopen();
  await seen;
  t.same(front.data.names, ['unknown']);
});
