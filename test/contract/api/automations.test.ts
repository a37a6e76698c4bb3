// Rules in the hands of accounts: what one account's rule can do to another's torrents, what another can make a rule do, and
// that each acts by the rights of the moment, within its bounds, once, over restarts too.
import { mkdtemp, rm } from 'node:fs/promises';
import { mock } from 'node:test';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { systemClock } from '../../../api/clocks.js';
import { LOOK_MS } from '../../../api/services/automations/automation-runs.js';
import type { AutomationDto, AutomationPreview, AutomationRun } from '../../../shared-protocol/dto/automations.js';
import { parseInfoHash, type TorrentId } from '../../../shared-protocol/ids.js';
import { TORRENT_FLAGS } from '../../../shared-protocol/stats-table.js';
import { startHarness } from '../../support/api-harness.js';
import { openBrowser, scriptOf, THROUGH_A_PROXY, type Client } from '../../support/browser.js';
import { MemoryEngine } from '../../support/memory-engine.js';

const PASSWORD = 'correct horse';
const [A, B, C, D] = ['a', 'b', 'c', 'd'].map((digit) => parseInfoHash(digit.repeat(40))) as [TorrentId, TorrentId, TorrentId, TorrentId]; // prettier-ignore
const HOUR_S = 3_600;
const MAX_LOOKS = 500;
const ALL = { match: 'all', conditions: [{ field: 'ratio', op: 'at_least', value: 1 }] };
const pauses = { name: 'Pause', when: ALL, actions: [{ action: 'pause' }] };
const removes = { name: 'Remove', when: ALL, actions: [{ action: 'remove', delete_data: true }] };

interface Shown {
  readonly id: string;
  readonly paused: boolean;
  readonly tags: readonly { readonly id: number }[];
}

interface Options {
  readonly engine?: MemoryEngine;
  readonly dataDir?: string;
  /** Of a start before. */
  readonly password?: string;
}

async function start(t: Test, { password, ...options }: Options = {}) {
  mock.timers.enable({ apis: ['setInterval'] });
  t.teardown(() => mock.timers.reset());
  let laterS = 0;
  const clock = {
    ...systemClock,
    nowMs: () => systemClock.nowMs() + laterS * 1_000,
    unixMs: () => systemClock.unixMs() + laterS * 1_000,
  };
  const harness = await startHarness({ args: THROUGH_A_PROXY, deps: { clock }, ...options });
  const admin = await scriptOf(harness, await openBrowser(harness, 'admin', password ?? harness.password));
  const account = async (username: string, rights: object = {}) => {
    const { id } = await admin.ask<{ id: number }>('POST', '/api/users', { username, password: PASSWORD, ...rights });
    return { id, client: await scriptOf(harness, await openBrowser(harness, username, PASSWORD)) };
  };
  /** Complete, and with a ratio of ten. */
  const add = async (client: Client, id: TorrentId) => {
    await client.ask('POST', '/api/torrents/magnet', { magnet: `magnet:?xt=urn:btih:${id}` });
    harness.engine.setFacts(id, { addedAt: Math.floor(clock.unixMs() / 1_000) });
    harness.engine.setStats(id, { flags: TORRENT_FLAGS.completed, bytesDone: 100, totalUp: 1_000 });
  };
  const make = async (client: Client, rule: object) =>
    (await client.ask<{ id: number }>('POST', '/api/automations', rule)).id;
  const list = (client: Client) => client.ask<Shown[]>('GET', '/api/torrents');
  /** Looks again and again, until it is so. */
  const until = async (isSo: () => Promise<boolean>) => {
    for (let turn = 0; !(await isSo()); turn++) {
      if (turn === MAX_LOOKS) throw new Error('it never came to be so');
      mock.timers.tick(LOOK_MS);
    }
  };
  /** A look, and enough turns for what it begins. */
  const look = async () => {
    mock.timers.tick(LOOK_MS);
    for (let turn = 0; turn < 20; turn++) await list(admin);
  };
  const pass = (seconds: number) => void (laterS += seconds);
  const state = async (client: Client) =>
    Object.fromEntries((await list(client)).map(({ id, paused }) => [id[0], paused]));
  const history = (client: Client, id: number) => client.ask<AutomationRun[]>('GET', `/api/automations/${id}/history`);
  return { harness, admin, account, add, make, list, until, look, pass, state, history };
}
const adders = { perm_add_torrents: true, perm_share: true };

async function startWith(t: Test) {
  const world = await start(t);
  t.teardown(() => world.harness.close());
  const [ann, bob] = [await world.account('ann', adders), await world.account('bob', adders)];
  return { ...world, ann, bob };
}

void t.test('a rule reaches what its account may change, and nothing else', async (t) => {
  const { admin, ann, bob, add, make, look, until, pass, state } = await startWith(t);
  await add(ann.client, A);
  await add(bob.client, B);
  await add(bob.client, C);
  await add(bob.client, D);
  for (const [torrent, access] of [
    [C, 'viewer'],
    [D, 'editor'],
  ] as const) {
    await bob.client.ask('POST', `/api/torrents/${torrent}/shares`, { user_id: ann.id, access });
  }
  pass(HOUR_S);
  await make(ann.client, { ...removes, scope: 'visible' });
  await until(async () => !('a' in (await state(admin))));
  await look();
  t.same(await state(admin), { b: false, c: false, d: false }, 'only what it owns is removed');
  await make(ann.client, pauses);
  await look();
  t.same(await state(bob.client), { b: false, c: false, d: false }, 'what it owns is not what is shared with it');
  await make(ann.client, { ...pauses, scope: 'visible' });
  await until(async () => (await state(bob.client))['d'] === true);
  await look();
  t.same(await state(bob.client), { b: false, c: false, d: true }, 'an editor pauses, a viewer does not');
});

void t.test('an administrator’s rules are about its own torrents unless they say otherwise', async (t) => {
  const { admin, ann, add, make, look, until, state } = await startWith(t);
  await add(admin, A);
  await add(ann.client, B);
  await add(admin, C);
  await add(ann.client, C);
  await make(admin, pauses);
  await until(async () => (await state(admin))['a'] === true);
  await look();
  t.same(await state(ann.client), { b: false, c: false }, 'not what others own, nor their share of the same torrent');
  await make(admin, { ...pauses, scope: 'visible' });
  await until(async () => (await state(ann.client))['b'] === true);
  t.same(await state(ann.client), { b: true, c: false }, 'the first rule has decided whether C runs');
});

void t.test('rules, histories and previews of others are not there', async (t) => {
  const { admin, ann, bob, add, make, look, history } = await startWith(t);
  await add(bob.client, B);
  const id = await make(ann.client, pauses);
  t.same(await bob.client.ask('GET', '/api/automations?all=1'), []);
  for (const [method, path, body] of [
    ['PUT', `/api/automations/${id}`, { enabled: false }],
    ['DELETE', `/api/automations/${id}`, undefined],
    ['GET', `/api/automations/${id}/history`, undefined],
  ] as const) {
    t.equal((await bob.client.call(method, path, body)).status, 404, `${method} ${path}`);
  }
  const preview = await ann.client.ask<AutomationPreview>('POST', '/api/automations/preview', {
    rule: { ...removes, scope: 'visible' },
  });
  t.equal(preview.torrents, 0, 'a preview looks at no torrent that the account does not see');
  t.same(
    (await admin.ask<AutomationDto[]>('GET', '/api/automations?all=1')).map((rule) => rule.user_id),
    [ann.id],
  );
  t.same(await admin.ask('GET', '/api/automations'), []);
  t.equal(
    (await admin.call('PUT', `/api/automations/${id}`, { enabled: false })).status,
    404,
    'to see is not to change',
  );
  await look();
  t.same(await history(admin, id), []);
});

void t.test('patterns on names have bounds, each and all of an account together', async (t) => {
  const { ann, make } = await startWith(t);
  const named = (count: number, pattern: string) => ({
    ...pauses,
    when: { match: 'any', conditions: Array.from({ length: count }, () => ({ ...{ field: 'name', op: 'matches', syntax: 'regex' }, pattern })) }, // prettier-ignore
  });
  const refusal = async (method: string, path: string, body: object) => {
    const answer = await ann.client.call(method, path, body);
    return [answer.status, answer.json()];
  };
  const nested = named(1, `(?:(?:${'a'.repeat(180)}){31}){31}`);
  const expected = [400, { error: 'pattern: Invalid regular expression: repeats too much' }];
  for (const [method, path, body] of [
    ['POST', '/api/automations', nested],
    ['POST', '/api/automations/preview', { rule: nested }],
  ] as const) {
    t.match(await refusal(method, path, body), expected, path);
  }
  const large = named(20, '.{0,490}x');
  const id = await make(ann.client, large);
  await make(ann.client, pauses);
  const tooMuch = { code: 'QUOTA_EXCEEDED', error: 'when: the name patterns of all rules are too large together' };
  t.match((await refusal('POST', '/api/automations', large))[1], tooMuch);
  const small = await make(ann.client, named(8, '.{0,10}x'));
  t.match((await refusal('PUT', `/api/automations/${small}`, { when: large.when }))[1], tooMuch);
  await ann.client.ask('PUT', `/api/automations/${id}`, { when: named(20, '.{0,489}x').when });
  await ann.client.ask('PUT', `/api/automations/${small}`, { name: 'Other', enabled: false });
});

void t.test('rules of an account have a bound together, which leaves others theirs', async (t) => {
  const { ann, bob, make } = await startWith(t);
  const longHost = ['a', 'b', 'c'].map((letter) => letter.repeat(60)).join('.');
  const hosts = Array.from({ length: 50 }, (_, n) => `h${n}.${longHost}`);
  const conditions = Array.from({ length: 20 }, () => ({ field: 'tracker', op: 'is', hosts }));
  const long = { ...pauses, when: { match: 'any', conditions } };
  const id = await make(ann.client, long);
  const tooLong = { error: 'when: all rules together are longer than 262144 characters', code: 'QUOTA_EXCEEDED' };
  t.match((await ann.client.call('POST', '/api/automations', long)).json(), tooLong);
  const short = await make(ann.client, pauses);
  const changed = await ann.client.call('PUT', `/api/automations/${short}`, { when: long.when });
  t.match(changed.json(), tooLong);
  await ann.client.ask('PUT', `/api/automations/${id}`, { enabled: false });
  await make(bob.client, long);
});

void t.test('nobody makes a rule remove what is not theirs to remove', async (t) => {
  const { ann, bob, add, make, look, pass, state, history } = await startWith(t);
  await add(ann.client, A);
  await add(ann.client, B);
  for (const torrent of [A, B]) {
    await ann.client.ask('POST', `/api/torrents/${torrent}/shares`, { user_id: bob.id, access: 'editor' });
  }
  await ann.client.ask('DELETE', `/api/torrents/${B}/shares/${bob.id}`);
  pass(HOUR_S);
  const id = await make(ann.client, removes);
  await look();
  t.same(await state(ann.client), { a: false, b: false }, 'others may edit it, or once might');
  const { matches } = await ann.client.ask<AutomationPreview>('POST', '/api/automations/preview', {
    rule: removes,
    id,
  });
  t.same(
    matches.map(({ actions }) => actions[0]?.outcome),
    ['others_may_edit', 'others_may_edit'],
  );
  t.same(await history(ann.client, id), []);
});

void t.test('a disabled account’s rules rest, and a deleted one’s are gone', async (t) => {
  const { admin, ann, add, make, look, until, list } = await startWith(t);
  await add(ann.client, A);
  await make(ann.client, pauses);
  await admin.ask('PUT', `/api/users/${ann.id}`, { disabled: true });
  await look();
  t.same(
    (await list(admin)).map(({ paused }) => paused),
    [false],
  );
  await admin.ask('PUT', `/api/users/${ann.id}`, { disabled: false });
  await until(async () => (await list(admin)).every(({ paused }) => paused));
  await admin.ask('DELETE', `/api/users/${ann.id}`);
  await until(async () => (await admin.ask<AutomationDto[]>('GET', '/api/automations?all=1')).length === 0);
});

void t.test('what would remove more than it may removes nothing, and stops until it is let go on', async (t) => {
  const { ann, add, make, look, until, pass, list, history } = await startWith(t);
  for (const torrent of [A, B, C]) await add(ann.client, torrent);
  const rule = { ...removes, max_removals: 2 };
  const young = await ann.client.ask<AutomationPreview>('POST', '/api/automations/preview', { rule });
  t.same(
    young.matches.map(({ actions }) => actions[0]?.outcome),
    ['too_young', 'too_young', 'too_young'],
  );
  const id = await make(ann.client, rule);
  await look();
  t.equal((await list(ann.client)).length, 3, 'what was added just now is not removed');
  pass(HOUR_S);
  const old = await ann.client.ask<AutomationPreview>('POST', '/api/automations/preview', { rule, id });
  t.match(old, { matching: 3, acting: 3, would_hold: true });
  await until(async () => (await history(ann.client, id)).length > 0);
  t.equal((await list(ann.client)).length, 3);
  const [held] = await ann.client.ask<AutomationDto[]>('GET', '/api/automations');
  t.match(held, { held: { torrents: 3 }, enabled: true });
  t.match(await history(ann.client, id), [{ kind: 'held', torrents: 3 }]);
  await ann.client.ask('PUT', `/api/automations/${id}`, { max_removals: 3 });
  await until(async () => (await history(ann.client, id)).length > 1);
  t.same(await list(ann.client), []);
  t.match(await history(ann.client, id), [{ kind: 'acted', torrents: 3, failed: 0 }, { kind: 'held' }]);
});

void t.test('what failed is told with its code', async (t) => {
  const { ann, add, make, until, history } = await startWith(t);
  await add(ann.client, A);
  await ann.client.ask('POST', `/api/torrents/${A}/pause`);
  const id = await make(ann.client, { ...pauses, actions: [{ action: 'announce' }] });
  await until(async () => (await history(ann.client, id)).length > 0);
  const [run] = await history(ann.client, id);
  t.match(run, { failed: 1, shown: [{ actions: [], reason: { code: 'TORRENT_NOT_RUNNING' } }] });
  t.equal(run?.shown[0]?.error, 'torrent: it does not run');
});

void t.test('rules do not fight: the first has the kind, and the order can be changed', async (t) => {
  const { ann, add, make, look, until, state } = await startWith(t);
  await add(ann.client, A);
  const stop = await make(ann.client, pauses);
  const go = await make(ann.client, { ...pauses, name: 'Resume', actions: [{ action: 'resume' }] });
  await until(async () => (await state(ann.client))['a'] === true);
  await look();
  t.same(await state(ann.client), { a: true });
  await ann.client.ask('PUT', `/api/automations/${go}`, { position: 0 });
  t.same(
    (await ann.client.ask<AutomationDto[]>('GET', '/api/automations')).map(({ id }) => id),
    [go, stop],
  );
  await look();
  t.same(await state(ann.client), { a: true }, 'another rule has decided it within the hour');
});

void t.test('over a restart conditions go on holding, and what is done once is not done again', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'swarmd-automations-'));
  t.teardown(async () => {
    for (const path of [dataDir, `${dataDir}-files`]) await rm(path, { recursive: true, force: true });
  });
  const engine = new MemoryEngine();
  const first = await start(t, { engine, dataDir });
  const { password } = first.harness;
  await first.add(first.admin, A);
  const waiting = await first.make(first.admin, { ...pauses, for_minutes: 60 });
  const once = await first.make(first.admin, { ...pauses, actions: [{ action: 'queue', to: 'top' }] });
  await first.until(async () => (await first.history(first.admin, once)).length > 0);
  first.pass(HOUR_S / 2);
  await first.look();
  t.match(await first.history(first.admin, once), [{ torrents: 1, failed: 0 }]);
  await first.harness.close();
  mock.timers.reset();

  const second = await start(t, { engine, dataDir, password });
  t.teardown(() => second.harness.close());
  second.pass(HOUR_S / 2);
  await second.look();
  t.same(await second.state(second.admin), { a: false }, 'while nobody looked nothing is known to have held');
  second.pass(HOUR_S / 2 + 60);
  await second.until(async () => (await second.state(second.admin))['a'] === true);
  await second.until(async () => (await second.history(second.admin, waiting)).length > 0);
  t.match(await second.history(second.admin, waiting), [{ torrents: 1 }]);
  const runs = await second.history(second.admin, once);
  t.equal(
    runs.reduce((sum, { torrents }) => sum + torrents, 0),
    1,
  );
});
