// Accounts over HTTP: what an administrator does to them, what becomes of what they own, and the single one of the
// desktop flavour. What each change ends is in revocation.test.ts.
import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import type { UserDto } from '../../../shared-protocol/dto/accounts.js';
import { startHarness, type Harness } from '../../support/api-harness.js';
import { openBrowser, scriptOf, THROUGH_A_PROXY, tryToSignIn, type Client } from '../../support/browser.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const PASSWORD = 'correct horse';
const OTHER_PASSWORD = 'battery staple';
const MAGNET = `magnet:?xt=urn:btih:${'a'.repeat(40)}`;

async function start(t: { teardown(handler: () => Promise<void>): void }) {
  const harness = await startHarness({ args: THROUGH_A_PROXY });
  t.teardown(() => harness.close());
  const admin = await scriptOf(harness, await openBrowser(harness, 'admin', harness.password));
  return { harness, admin };
}

const create = (admin: Client, username: string, fields: object = {}) =>
  admin.ask<UserDto>('POST', '/api/users', { username, password: PASSWORD, ...fields });

const userNames = async (admin: Client) =>
  (await admin.ask<UserDto[]>('GET', '/api/users')).map(({ id, username }) => `${id} ${username}`);

/** A client with a key and one with a cookie. */
async function bothOf(harness: Harness, username: string, password = PASSWORD): Promise<Client[]> {
  const browser = await openBrowser(harness, username, password);
  return [browser, await scriptOf(harness, browser)];
}

void t.test('from making an account to deleting it', async (t) => {
  const { harness, admin } = await start(t);
  const bob = await create(admin, 'bob', { perm_share: true, role: 'user' });
  t.match(bob, { id: 2, username: 'bob', role: 'user', perm_share: true, perm_manage_rss: false, password_set: true });
  const browser = await openBrowser(harness, 'BOB', PASSWORD);
  t.same(await browser.ask('GET', '/api/me'), bob);
  const changed = await admin.ask<UserDto>('PUT', '/api/users/2', { role: 'admin', perm_share: false, password: 'x' });
  t.same(changed, { ...bob, ...allPermissions(true), role: 'admin' });
  t.same(
    await (await openBrowser(harness, 'bob', PASSWORD)).ask('GET', '/api/me'),
    changed,
    'the password is as it was',
  );
  t.same(await userNames(admin), ['1 admin', '2 bob']);
  await admin.ask('POST', '/api/users/2/password', { new_password: OTHER_PASSWORD });
  t.equal((await tryToSignIn(harness, 'bob', PASSWORD)).status, 401);
  const again = await openBrowser(harness, 'bob', OTHER_PASSWORD);
  await admin.ask('DELETE', '/api/users/2');
  t.equal((await again.call('GET', '/api/me')).status, 401);
  t.equal((await tryToSignIn(harness, 'bob', OTHER_PASSWORD)).status, 401);
  t.same(await userNames(admin), ['1 admin']);
  t.equal((await create(admin, 'bob')).id, 3, 'the same name, somebody else');
});

void t.test('who cannot sign in gets the same answer', async (t) => {
  const { harness, admin } = await start(t);
  await create(admin, 'dis', { disabled: true });
  for (const name of ['nobody', 'dis', 'admin']) {
    const { status, text } = await tryToSignIn(harness, name, name === 'admin' ? 'wrong' : PASSWORD);
    t.match([status, text], [401, '{"error":"invalid credentials"}'], name);
  }
});

void t.test('one who is deleted in the middle of a request is unauthorized', async (t) => {
  const { harness, admin } = await start(t);
  const requests: ((client: Client) => ReturnType<Client['call']>)[] = [
    (client) => client.call('POST', '/api/me/password', { old_password: PASSWORD, new_password: OTHER_PASSWORD }),
    (client) => client.call('POST', '/api/me/api_key/rotate'),
    (client) => client.call('GET', '/api/torrents'),
    (client) => client.call('POST', '/api/torrents/magnet', { magnet: MAGNET }),
  ];
  for (const [index, request] of requests.entries()) {
    const { id } = await create(admin, `user-${index}`, { perm_add_torrents: true });
    const clients = await bothOf(harness, `user-${index}`);
    const answers = Promise.all(clients.map(request));
    await admin.ask('DELETE', `/api/users/${id}`);
    // 400: the other one has changed the password already.
    for (const { status } of await answers) t.ok([200, 400, 401].includes(status), `${status}`);
    for (const client of clients) t.equal((await request(client)).status, 401);
  }
  t.same(await userNames(admin), ['1 admin']);
});

void t.test('two administrators at once', async (t) => {
  const { harness, admin } = await start(t);
  await create(admin, 'eve', { role: 'admin' });
  const eve = await scriptOf(harness, await openBrowser(harness, 'eve', PASSWORD));
  const answers = await Promise.all([
    admin.call('PUT', '/api/users/2', { role: 'user' }),
    eve.call('PUT', '/api/users/1', { role: 'user' }),
  ]);
  const statuses = answers.map(({ status }) => status).sort();
  // The second was refused by the rule, or has lost its role before it asked.
  t.ok(statuses[0] === 200 && [400, 403].includes(statuses[1] ?? 0), statuses.join());
  const remaining = await Promise.all([admin, eve].map((client) => client.call('GET', '/api/users')));
  t.same(remaining.map(({ status }) => status).sort(), [200, 403]);
  const same = { username: 'twin', password: PASSWORD };
  const winner = remaining[0]?.status === 200 ? admin : eve;
  const twins = await Promise.all([1, 2].map(() => winner.call('POST', '/api/users', same)));
  t.same(twins.map(({ status }) => status).sort(), [200, 400]);
});

void t.test('nobody deletes the first account or their own, nor the last administrator', async (t) => {
  const { harness, admin } = await start(t);
  await create(admin, 'eve', { role: 'admin' });
  const eve = await scriptOf(harness, await openBrowser(harness, 'eve', PASSWORD));
  const refused = async (client: Client, method: string, path: string, body?: unknown) => {
    const answer = await client.call(method, path, body);
    return `${answer.status} ${answer.json<{ error: string }>().error}`;
  };
  t.equal(await refused(eve, 'DELETE', '/api/users/1'), '400 id: the first account cannot be deleted');
  t.equal(await refused(eve, 'DELETE', '/api/users/2'), '400 id: your own account cannot be deleted');
  await eve.ask('PUT', '/api/users/1', { disabled: true });
  t.equal((await admin.call('GET', '/api/me')).status, 401);
  const remain = 'at least one enabled administrator must remain';
  t.equal(await refused(eve, 'PUT', '/api/users/2', { role: 'user' }), `400 role: ${remain}`);
  t.equal(await refused(eve, 'PUT', '/api/users/2', { disabled: true }), `400 disabled: ${remain}`);
});

void t.test('what a deleted account owned is of account 1, whatever its role', async (t) => {
  const { harness, admin } = await start(t);
  await create(admin, 'bob', { perm_add_torrents: true });
  await create(admin, 'eve', { role: 'admin' });
  const eve = await scriptOf(harness, await openBrowser(harness, 'eve', PASSWORD));
  const bob = await scriptOf(harness, await openBrowser(harness, 'bob', PASSWORD));
  const { id } = await bob.ask<{ id: string }>('POST', '/api/torrents/magnet', { magnet: MAGNET });
  await eve.ask('PUT', '/api/users/1', { role: 'user' });
  t.same(await admin.ask('GET', '/api/torrents'), []);
  await eve.ask('DELETE', '/api/users/2');
  t.match(await admin.ask('GET', '/api/torrents'), [{ id, access: 'owner' }]);
  t.match(await admin.ask('GET', `/api/torrents/${id}/shares`), [{ user_id: 1, username: 'admin', access: 'owner' }]);
  t.equal((await admin.call('POST', `/api/torrents/${id}/pause`)).status, 200);
});

void t.test('the file with the first password goes with the first change of it, whoever makes it', async (t) => {
  const ways: Record<string, (admin: Client, harness: Harness) => Promise<unknown>> = {
    'its own': (admin, { password }) =>
      admin.ask('POST', '/api/me/password', { old_password: password, new_password: OTHER_PASSWORD }),
    'as a user': (admin) => admin.ask('POST', '/api/users/1/password', { new_password: OTHER_PASSWORD }),
    'in the settings': (admin) => admin.ask('PUT', '/api/settings/web/password', { password: OTHER_PASSWORD }),
  };
  for (const [name, change] of Object.entries(ways)) {
    const { harness, admin } = await start(t);
    const file = join(harness.dataDir, 'initial-admin-password');
    await create(admin, 'bob');
    await admin.ask('POST', '/api/users/2/password', { new_password: OTHER_PASSWORD });
    await t.resolves(access(file), "not with somebody else's");
    await change(admin, harness);
    await t.rejects(access(file), name);
    t.equal((await tryToSignIn(harness, 'admin', OTHER_PASSWORD)).status, 200);
  }
});

void t.test('a key that was ended is shown as none, and another can be made', async (t) => {
  const harness = await startHarness({ args: THROUGH_A_PROXY });
  t.teardown(() => harness.close());
  const browser = await openBrowser(harness, 'admin', harness.password);
  const script = await scriptOf(harness, browser);
  for (let place = 0; place < 2; place++) await browser.ask('DELETE', '/api/me/api_key');
  t.match(await browser.ask('GET', '/api/me'), { has_api_key: false, api_key_hint: '' });
  t.notOk(await script.isKnown());
  t.ok(await (await scriptOf(harness, browser)).isKnown());
});

void t.test('secrets are in no answer', async (t) => {
  const { harness, admin } = await start(t);
  await create(admin, 'bob');
  for (const path of ['/api/me', '/api/users']) {
    const { text } = await admin.call('GET', path);
    t.notMatch(text, /argon2|digest|password_hash/);
    for (const secret of [PASSWORD, harness.password]) t.notOk(text.includes(secret));
  }
});

void t.test('the desktop flavour has one account, and stays as it is', async (t) => {
  const file = join(await temporaryDirectory(), 'password');
  await writeFile(file, PASSWORD);
  const args = [...THROUGH_A_PROXY, '--flavor', 'desktop', '--admin-password-file', file];
  const harness = await startHarness({ args });
  t.teardown(() => harness.close());
  const me = await openBrowser(harness, 'admin', PASSWORD);
  const refusals = [
    await me.call('POST', '/api/users', { username: 'bob', password: PASSWORD }),
    await me.call('PUT', '/api/users/1', { role: 'user' }),
    await me.call('PUT', '/api/users/1', { disabled: true }),
    await me.call('DELETE', '/api/users/1'),
    await me.call('PUT', '/api/users/2', {}),
  ];
  t.same(
    refusals.map(({ status }) => status),
    [400, 400, 400, 400, 404],
  );
  t.same(refusals[0]?.json(), { error: 'single account' });
  t.same(await userNames(me), ['1 admin']);
  t.same(await me.ask('GET', '/api/share_targets'), []);
  t.match(await me.ask('PUT', '/api/users/1', { username: 'me' }), { username: 'me', role: 'admin' });
  t.equal((await tryToSignIn(harness, 'me', PASSWORD)).status, 200);
});

function allPermissions(value: boolean) {
  return {
    perm_add_torrents: value,
    perm_manage_rss: value,
    perm_manage_cat_tags: value,
    perm_change_settings: value,
    perm_share: value,
  };
}
