// Limits through the API: what is stored, what the engine is told of it and when, and who may change it.
import t, { type Test } from 'tap';
import type { Account, AccountsData } from '../../../api/auth/account.js';
import { parseAccountId, parseInfoHash } from '../../../shared-protocol/ids.js';
import { startHarness, type Harness, type HarnessOptions } from '../../support/api-harness.js';
import { wantsGroup } from '../../support/own-engine.js';
import { record } from '../../support/own-database.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const HASH = 'a'.repeat(40);
const LIMITS = { down_kbps: 300, up_kbps: 200, alt_down_kbps: 30, alt_up_kbps: 20, alt_active: false };
const UNLIMITED = { down_kbps: 0, up_kbps: 0, alt_down_kbps: 0, alt_up_kbps: 0, alt_active: false };
const bytes = (down: number, up: number) => ({ downBytesPerSec: down * 1024, upBytesPerSec: up * 1024 });
/** Two engines that are idle have half each. */
const overAll = (down: number, up: number) => (wantsGroup() ? bytes(down / 2, up / 2) : bytes(down, up));

interface Client {
  readonly harness: Harness;
  get(path: string): Promise<unknown>;
  /** The status; the answer must say what it is. */
  put(path: string, body: unknown): Promise<number>;
  toggle(): Promise<unknown>;
}

async function start(t: Test, options: HarnessOptions = {}): Promise<Client> {
  const harness = await startHarness(options);
  t.teardown(() => harness.close());
  return clientOf(harness, { authorization: `Bearer ${await harness.apiKey()}` });
}

function clientOf(harness: Harness, headers: Record<string, string>): Client {
  return {
    harness,
    get: async (path) => (await harness.call('GET', path, { headers })).json(),
    put: async (path, body) => (await harness.call('PUT', path, { headers, body })).status,
    toggle: async () => (await harness.call('POST', '/api/settings/alt_speed/toggle', { headers })).json(),
  };
}

async function storedLimits(harness: Harness): Promise<unknown> {
  return (await record<{ readonly limits: unknown }>(harness.dataDir, 'settings')).limits;
}

void t.test("a torrent's limits: KiB/s in and out, bytes for the engine", async (t) => {
  const { harness, get, put } = await start(t);
  const headers = { authorization: `Bearer ${await harness.apiKey()}` };
  await harness.call('POST', '/api/torrents/magnet', { headers, body: { magnet: `magnet:?xt=urn:btih:${HASH}` } });
  const client = clientOf(harness, headers);
  const path = `/api/torrents/${HASH}/rate_limits`;
  t.same(await client.get(path), { down_kbps: 0, up_kbps: 0 });
  t.equal(await client.put(path, { down_kbps: 2048, up_kbps: 10.9, unknown: 1 }), 200);
  t.same(await client.get(path), { down_kbps: 2048, up_kbps: 10 }, 'fractions are rounded down');
  t.same(harness.engine.limitsOf(parseInfoHash(HASH)), bytes(2048, 10));
  t.equal(await client.put(path, { down_kbps: 0.9, up_kbps: 0 }), 200);
  t.same(await client.get(path), { down_kbps: 0, up_kbps: 0 });
  for (const wrong of [-1, -0.5, '5', null]) t.equal(await client.put(path, { down_kbps: wrong, up_kbps: 0 }), 400);
  t.equal(await client.put(path, '{"down_kbps":1e999,"up_kbps":0}'), 400, 'more than a number holds');
  t.same(await client.get(path), { down_kbps: 0, up_kbps: 0 }, 'nothing of what was refused');
  t.same(await get(path), { error: 'unauthorized' }, 'a key that was replaced');
  t.equal(await put(path, { down_kbps: 1, up_kbps: 1 }), 401);
});

void t.test('the limits over all torrents are stored before the answer, and in force', async (t) => {
  const { harness, get, put } = await start(t);
  t.same(await get('/api/settings/limits'), UNLIMITED);
  t.same(harness.engine.rateLimits, overAll(0, 0));
  t.equal(await put('/api/settings/limits', { ...LIMITS, up_kbps: 200.7 }), 200);
  t.same(await storedLimits(harness), LIMITS);
  t.same(await get('/api/settings/limits'), LIMITS);
  t.same(harness.engine.rateLimits, overAll(300, 200));
  t.equal(await put('/api/settings/limits', { ...LIMITS, down_kbps: -1 }), 400);
  t.same(await get('/api/settings/limits'), LIMITS);
});

void t.test('the alternative pair holds while it is active', async (t) => {
  const { harness, get, put, toggle } = await start(t);
  await put('/api/settings/limits', LIMITS);
  t.same(await toggle(), { alt_active: true });
  t.same(harness.engine.rateLimits, overAll(30, 20));
  t.same(await get('/api/settings/limits'), { ...LIMITS, alt_active: true });
  t.same(await storedLimits(harness), { ...LIMITS, alt_active: true });
  await put('/api/settings/limits', { ...LIMITS, alt_down_kbps: 0, alt_active: true });
  t.same(harness.engine.rateLimits, overAll(0, 20), '0 is no limit there too');
  t.same(await toggle(), { alt_active: false });
  t.same(harness.engine.rateLimits, overAll(300, 200));
  const both = await Promise.all([toggle(), toggle()]);
  t.same(new Set(both), new Set([{ alt_active: true }, { alt_active: false }]), 'two at a time are two');
  t.same(harness.engine.rateLimits, overAll(300, 200));
});

void t.test('a restart keeps them, and settings of before there were limits have none', async (t) => {
  const dataDir = await temporaryDirectory();
  const first = await startHarness({ dataDir });
  const client = clientOf(first, { authorization: `Bearer ${await first.apiKey()}` });
  await client.put('/api/settings/limits', { ...LIMITS, alt_active: true });
  await first.close();
  const second = await startHarness({ dataDir });
  t.same(second.engine.started?.rateLimits, overAll(30, 20), 'from the start on');
  await second.close();
  await record<{ limits?: unknown }>(dataDir, 'settings', (settings) => void delete settings.limits);
  const third = await startHarness({ dataDir });
  t.teardown(() => third.close());
  t.same(third.engine.started?.rateLimits, overAll(0, 0));
});

void t.test('an engine that takes the place of a dead one knows what was changed meanwhile', async (t) => {
  const { harness, put, toggle } = await start(t);
  await put('/api/settings/limits', LIMITS);
  let load = () => {};
  harness.engine.startHeldBy = new Promise((resolve) => (load = resolve));
  harness.transport().kill('test');
  t.same(await toggle(), { alt_active: true }, 'it is stored, so it is no failure');
  load();
  for (let turn = 0; turn < 100; turn++) {
    if ((await harness.call('GET', '/api/healthz')).status === 200) break;
  }
  for (let turn = 0; turn < 100 && harness.engine.rateLimits?.upBytesPerSec !== 20 * 1024; turn++) {
    await harness.call('GET', '/api/bootstrap');
  }
  t.same(harness.engine.rateLimits, overAll(30, 20));
});

void t.test('anybody may look at them; changing takes perm_change_settings', async (t) => {
  const dataDir = await temporaryDirectory();
  const first = await startHarness({ dataDir });
  await clientOf(first, { authorization: `Bearer ${await first.apiKey()}` }).put('/api/settings/limits', LIMITS);
  await first.close();
  for (const mayChange of [false, true]) {
    const user = { role: 'user', perm_change_settings: mayChange } as const;
    await changeAdmin(dataDir, user);
    const harness = await startHarness({ dataDir });
    const client = clientOf(harness, {
      authorization: `Bearer ${await harness.apiKey(await harness.signIn(first.password))}`,
    });
    t.same(await client.get('/api/settings/limits'), LIMITS);
    t.equal(await client.put('/api/settings/limits', LIMITS), mayChange ? 200 : 403);
    t.match(await client.toggle(), mayChange ? { alt_active: true } : { error: 'forbidden' });
    t.equal(await client.put(`/api/torrents/${HASH}/rate_limits`, { down_kbps: 1, up_kbps: 1 }), 403);
    t.same(await client.get(`/api/torrents/${HASH}/rate_limits`), { error: 'forbidden' });
    await harness.close();
  }
});

/** Makes the first account a lesser one, as account management would store it. */
async function changeAdmin(dataDir: string, change: Partial<Account>): Promise<void> {
  await record<AccountsData>(dataDir, 'accounts', (data) => {
    data.accounts = data.accounts.map((account) => ({ ...account, ...change, id: parseAccountId(1) }));
  });
}
