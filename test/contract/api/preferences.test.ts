// Preferences of accounts: merged by name, bounded, durable, nobody else's to read or write, and gone with the account.
import t, { type Test } from 'tap';
import { startHarness } from '../../support/api-harness.js';
import { record, withRecords } from '../../support/own-database.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { World, type Caller } from './runner/world.js';

const PATH = '/api/me/preferences';
const ANN = { name: 'ann', isAdmin: false, permissions: [] };
const BOB = { name: 'bob', isAdmin: false, permissions: [] };

async function start(t: Test, args: readonly string[] = [], dataDir?: string) {
  const world = await World.start(args, dataDir);
  t.teardown(() => world.close());
  const ask = (who: Caller, method: string, body?: unknown, path = PATH) =>
    world.harness.call(method, path, { headers: who.bearer, ...(body === undefined ? {} : { body }) });
  const read = async (who: Caller) => (await ask(who, 'GET')).json();
  return { world, ask, read };
}

void t.test('entries are merged by name, and null takes one away', async (t) => {
  const { world, ask, read } = await start(t);
  const ann = await world.caller(ANN);
  t.same(await read(ann), {});
  const set = await ask(ann, 'PUT', { a: { b: [1, null, 'ü'] }, c: false });
  t.same([set.status, set.json()], [200, { a: { b: [1, null, 'ü'] }, c: false }]);
  t.same((await ask(ann, 'PUT', { c: 0, constructor: 'own' })).json(), {
    a: { b: [1, null, 'ü'] },
    c: 0,
    constructor: 'own',
  });
  t.same((await ask(ann, 'PUT', { a: null, constructor: null, none: null })).json(), { c: 0 });
  await Promise.all(Array.from({ length: 20 }, (_, n) => ask(ann, 'PUT', { [`at-once-${n}`]: n })));
  t.equal(Object.keys((await read(ann)) as object).length, 21, 'none is lost of those that come at once');
});

void t.test('a refused change leaves everything as it was', async (t) => {
  const { world, ask, read } = await start(t);
  const ann = await world.caller(ANN);
  const full = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`entry-${n}`, n]));
  t.equal((await ask(ann, 'PUT', full)).status, 200);
  const refused = await ask(ann, 'PUT', { 'entry-0': 'changed', another: 1 });
  t.match(
    [refused.status, refused.json()],
    [400, { error: 'preferences: at most 100 of an account', code: 'QUOTA_EXCEEDED' }],
  );
  t.equal((await ask(ann, 'PUT', { 'entry-1': 'x'.repeat(65_000) })).status, 400);
  t.same(await read(ann), full);
  t.equal((await ask(ann, 'PUT', { 'entry-0': null, another: 1 })).status, 200, 'in place of another');
});

void t.test('what cannot be stored in any case is refused before its entries are looked at', async (t) => {
  const { world, ask } = await start(t);
  const ann = await world.caller(ANN);
  const named = (count: number, value: unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`entry-${n}`, value]));
  const [many, long] = ['100', '64 KiB'].map((most) => `preferences: at most ${most} of an account`);
  for (const [changes, error] of [
    [named(201, null), many],
    [named(40_000, null), long],
    [{ 'No Name': Array.from({ length: 200_000 }, () => 1) }, long],
  ] as const) {
    const refused = await ask(ann, 'PUT', changes);
    t.match([refused.status, refused.json()], [400, { error, code: 'QUOTA_EXCEEDED' }]);
  }
  await ask(ann, 'PUT', { 'the-one-before': 1 });
  const anew = await ask(ann, 'PUT', { 'the-one-before': null, ...named(100, 1) });
  t.same(anew.json(), named(100, 1), 'all of them anew');
});

void t.test('an account has its own only, administrators included', async (t) => {
  const { world, ask, read } = await start(t);
  const [ann, bob] = [await world.caller(ANN), await world.caller(BOB)];
  await ask(ann, 'PUT', { whose: 'ann' });
  await ask(world.admin, 'PUT', { whose: 'admin' });
  t.same(await read(bob), {});
  t.same(await read(world.admin), { whose: 'admin' });
  for (const path of [`${PATH}?account=${ann.id}`, `${PATH}?id=${ann.id}`]) {
    await ask(bob, 'PUT', { whose: 'bob', id: ann.id, account: ann.id }, path);
  }
  t.same(await read(ann), { whose: 'ann' });
  t.equal((await ask(bob, 'GET', undefined, `/api/users/${ann.id}/preferences`)).status, 404);
  t.equal((await world.harness.call('GET', PATH)).status, 401);
});

void t.test('they are there after a restart, and gone with the account', async (t) => {
  const dataDir = await temporaryDirectory();
  const first = await World.start([], dataDir);
  const ann = await first.caller(ANN);
  const as = (who: Caller, body: unknown) => first.harness.call('PUT', PATH, { headers: who.bearer, body });
  await as(ann, { whose: 'ann' });
  await as(first.admin, { whose: 'admin' });
  const names = async () => (await withRecords(dataDir, (store) => store.names('preferences/'))).sort();
  t.same(await names(), ['preferences/1', `preferences/${ann.id}`]);
  const late = as(ann, { late: true });
  await first.harness.call('DELETE', `/api/users/${ann.id}`, { headers: first.admin.bearer });
  await late;
  await first.close();
  // As a process leaves it that ends between the two.
  await record(dataDir, 'preferences/999', () => undefined);
  const again = await startHarness({ dataDir });
  t.teardown(() => again.close());
  t.same((await again.call('GET', PATH, { headers: first.admin.bearer })).json(), { whose: 'admin' });
  t.same(await names(), ['preferences/1']);
});

void t.test('the account of the desktop has them too', async (t) => {
  const dataDir = await temporaryDirectory();
  const { world, ask, read } = await start(t, ['--flavor', 'desktop'], dataDir);
  t.equal((await ask(world.admin, 'PUT', { view: 'cards' })).status, 200);
  t.same(await read(world.admin), { view: 'cards' });
  t.same(await withRecords(dataDir, (store) => store.names('preferences/')), ['preferences/1']);
});
