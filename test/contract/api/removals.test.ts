// Removals that can be undone: the server has them, whatever becomes of who asked; nobody else sees or undoes them, and they
// are carried out by the rights of the moment.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { RemovalBegun, RemovalDto } from '../../../shared-protocol/dto/removals.js';
import { parseInfoHash, type TorrentId } from '../../../shared-protocol/ids.js';
import { startHarness, type HarnessOptions } from '../../support/api-harness.js';
import { openBrowser, scriptOf, THROUGH_A_PROXY, type Client } from '../../support/browser.js';
import { MemoryEngine } from '../../support/memory-engine.js';
import { waitUntil } from '../../support/peers/wait-until.js';
import { VirtualClock } from '../../support/virtual-clock.js';

const PASSWORD = 'correct horse';
const [A, B] = ['a', 'b'].map((digit) => parseInfoHash(digit.repeat(40))) as [TorrentId, TorrentId];

async function start(options: HarnessOptions & { readonly password?: string; readonly clock: VirtualClock }) {
  const { clock } = options;
  const harness = await startHarness({ ...options, args: THROUGH_A_PROXY, deps: { clock } });
  const admin = await scriptOf(harness, await openBrowser(harness, 'admin', options.password ?? harness.password));
  const account = async (username: string) => {
    const user = { username, password: PASSWORD, perm_add_torrents: true, perm_share: true };
    const { id } = await admin.ask<{ id: number }>('POST', '/api/users', user);
    return { id, client: await scriptOf(harness, await openBrowser(harness, username, PASSWORD)) };
  };
  const add = (client: Client, id: TorrentId) =>
    client.ask('POST', '/api/torrents/magnet', { magnet: `magnet:?xt=urn:btih:${id}` });
  const list = async (client: Client) =>
    (await client.ask<{ id: string }[]>('GET', '/api/torrents')).map(({ id }) => id[0]).sort();
  const remove = (client: Client, ...ids: TorrentId[]) =>
    client.ask<RemovalBegun>('POST', '/api/removals', { ids, delete_data: true, grace_seconds: 8 });
  const pending = (client: Client) => client.ask<RemovalDto[]>('GET', '/api/removals');
  /** Once the list is so. */
  const until = (client: Client, expected: readonly string[]) =>
    waitUntil(`the list ${expected.join()}`, 10_000, async () => {
      await clock.advance(1_000);
      return (await list(client)).join() === expected.join() || undefined;
    });
  return { harness, admin, account, add, list, remove, pending, until };
}

async function startWith(t: Test) {
  const clock = new VirtualClock();
  const world = await start({ clock });
  t.teardown(() => world.harness.close());
  return { ...world, clock, ann: await world.account('ann'), bob: await world.account('bob') };
}

void t.test('carried out when it is due, undone until then', async (t) => {
  const { clock, ann, add, list, remove, pending, until } = await startWith(t);
  await add(ann.client, A);
  await add(ann.client, B);
  const first = await remove(ann.client, A);
  const second = await remove(ann.client, B);
  t.match(first, { id: Number, outcomes: [{ id: A, ok: true }] });
  t.same(
    (await pending(ann.client)).map(({ ids }) => ids),
    [[A], [B]],
  );
  await clock.advance(5_000);
  await ann.client.ask('DELETE', `/api/removals/${second.id}`);
  t.same(await list(ann.client), ['a', 'b'], 'neither has gone');
  await until(ann.client, ['b']);
  await waitUntil('nothing pending', 10_000, async () => ((await pending(ann.client)).length === 0 ? true : undefined));
  await clock.advance(60_000);
  t.same(await list(ann.client), ['b']);
  t.equal((await ann.client.call('DELETE', `/api/removals/${first.id}`)).status, 404, 'too late');
});

void t.test('nobody else sees it, undoes it, or removes what is not its own', async (t) => {
  const { clock, admin, ann, bob, add, list, remove, pending, until } = await startWith(t);
  await add(ann.client, A);
  await add(ann.client, B);
  await ann.client.ask('POST', `/api/torrents/${B}/shares`, { user_id: bob.id, access: 'editor' });
  const { id } = await remove(ann.client, A);
  for (const other of [bob.client, admin]) {
    t.same(await pending(other), []);
    t.equal((await other.call('DELETE', `/api/removals/${id}`)).status, 404);
  }
  t.match(await remove(bob.client, A, B), {
    id: null,
    outcomes: [
      { id: A, ok: false, status: 403 },
      { id: B, ok: false, status: 403 },
    ],
  });
  await until(ann.client, ['b']);
  await clock.advance(60_000);
  t.same(await list(ann.client), ['b']);
});

void t.test('by the rights of when it is due, and of the torrent that was meant', async (t) => {
  const { harness, clock, admin, ann, bob, add, list, remove } = await startWith(t);
  await add(bob.client, A);
  await remove(bob.client, A);
  await admin.ask('PUT', `/api/users/${bob.id}`, { disabled: true });
  await add(ann.client, B);
  await remove(ann.client, B);
  await ann.client.ask('DELETE', `/api/torrents/${B}`);
  await clock.advance(2_000);
  await add(ann.client, B);
  harness.engine.setFacts(B, { addedAt: Math.floor(clock.unixMs() / 1_000) });
  t.same(await list(ann.client), ['b'], 'it is another one');
  await clock.advance(60_000);
  await waitUntil('both decided', 10_000, async () => {
    await clock.advance(1_000);
    return (await ann.client.ask<RemovalDto[]>('GET', '/api/removals')).length === 0 ? true : undefined;
  });
  t.same(await list(admin), ['a', 'b']);
});

void t.test('bounded, and refused as a whole', async (t) => {
  const { ann, add, list, pending } = await startWith(t);
  await add(ann.client, A);
  const ask = () => ann.client.call('POST', '/api/removals', { ids: [A], grace_seconds: 60 });
  for (let n = 0; n < 50; n++) t.equal((await ask()).status, 200);
  const refused = await ask();
  t.match([refused.status, refused.json()], [400, { code: 'QUOTA_EXCEEDED' }]);
  t.equal((await pending(ann.client)).length, 50);
  t.same(await list(ann.client), ['a']);
});

void t.test('a restart keeps it: what is due by then is removed, what was undone stays', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'swarmd-removals-'));
  t.teardown(() => rm(dataDir, { recursive: true }));
  const [clock, engine] = [new VirtualClock(), new MemoryEngine()];
  const first = await start({ clock, engine, dataDir });
  const ann = await first.account('ann');
  await first.add(ann.client, A);
  await first.add(ann.client, B);
  await first.remove(ann.client, A);
  const { id } = await first.remove(ann.client, B);
  await ann.client.ask('DELETE', `/api/removals/${id}`);
  await first.harness.close();
  const again = await start({ clock, engine, dataDir, password: first.harness.password });
  t.teardown(() => again.harness.close());
  t.same(await again.list(again.admin), ['a', 'b']);
  await again.until(again.admin, ['b']);
});
