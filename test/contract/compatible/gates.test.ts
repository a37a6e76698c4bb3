// Who is let in to each route of qBittorrent's interface and each method of Transmission's, from their tables: nobody
// without a credential, no page of another site, and no account without the permission; and that an account that is signed
// in is never told to sign in.
import t from 'tap';
import { ROUTE_TABLE } from '../../../api/compatible/qbittorrent/routes.js';
import type { Row } from '../../../api/compatible/qbittorrent/row.js';
import { METHOD_TABLE } from '../../../api/compatible/transmission/methods.js';
import { PERMISSIONS, type Permission } from '../../../shared-protocol/dto/accounts.js';
import { openBrowser, scriptOf, type Client } from '../../support/browser.js';
import { change, setCompatibleScene, type CompatibleScene } from '../../support/compatible-scene.js';
import { TransmissionTool } from '../../support/transmission-rpc.js';

const PASSWORD = 'correct horse';
const NOT_ALLOWED = 'this account may not do that';
const ROUTES: readonly (readonly [string, Row])[] = Object.entries(ROUTE_TABLE);
const GUARDED = ROUTES.filter(([, { gate }]) => gate !== 'public');
const CHANGES = ROUTES.filter(([, { kind }]) => kind === 'change');

/** Everything of the service that a change could have touched. */
async function everything({ admin }: Pick<CompatibleScene, 'admin'>): Promise<string> {
  const settings = ['limits', 'queue_limits', 'peer_limits', 'seeding_rules', 'save_path', 'adding', 'network'];
  const lists = ['torrents', 'categories', 'tags', 'feeds', 'users', 'create', 'schedule_rules', 'bans'];
  const paths = [...lists, ...settings.map((name) => `settings/${name}`)];
  const answers = paths.map((path) => admin.ask<unknown>('GET', `/api/${path}`));
  return JSON.stringify(await Promise.all(answers), (key, value: unknown) => (/_at$/.test(key) ? 0 : value));
}

async function accountWith(scene: CompatibleScene, username: string, granted: readonly Permission[]): Promise<Client> {
  const permissions = Object.fromEntries(PERMISSIONS.map((name) => [name, granted.includes(name)]));
  await scene.admin.ask('POST', '/api/users', { username, password: PASSWORD, ...permissions });
  return scriptOf(scene.harness, await openBrowser(scene.harness, username, PASSWORD));
}

void t.test('qBittorrent: without a credential, or from another site, nothing is told and nothing done', async (t) => {
  const scene = await setCompatibleScene(t);
  const before = await everything(scene);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  for (const [path] of GUARDED) {
    const stranger = await scene.harness.call('POST', `/api/v2/${path}`, { headers, body: 'hashes=all&hash=all' });
    t.match(stranger, { status: 403, text: 'Forbidden' }, path);
    const site = { ...headers, ...scene.admin.headers, origin: 'http://evil.example' };
    t.equal((await scene.harness.call('POST', `/api/v2/${path}`, { headers: site, body: 'hashes=all' })).status, 403);
  }
  for (const [path] of CHANGES) {
    const { status } = await scene.harness.call('GET', `/api/v2/${path}?hashes=all`, { headers: scene.admin.headers });
    t.equal(status, 405, `${path} by GET`);
  }
  t.equal(await everything(scene), before);
});

void t.test('qBittorrent: an account that is signed in is never told to sign in', async (t) => {
  const scene = await setCompatibleScene(t);
  const before = await everything(scene);
  for (const [path, { gate }] of GUARDED) {
    const answer = await change(scene, scene.plain, path, { hashes: 'all' });
    t.notOk([401, 403].includes(answer.status) || answer.status >= 500, `${path}: ${answer.status} ${answer.text}`);
    if (gate !== 'account') t.match(answer, { status: 409, text: NOT_ALLOWED }, path);
  }
  t.equal(await everything(scene), before, 'and one without permissions and torrents changes nothing');
});

void t.test('qBittorrent: each permission opens the routes that ask for it, and no others do', async (t) => {
  const scene = await setCompatibleScene(t);
  for (const permission of PERMISSIONS) {
    const routes = GUARDED.filter(([, { gate }]) => gate === permission);
    if (routes.length === 0) continue;
    const others = PERMISSIONS.filter((name) => name !== permission);
    const holder = await accountWith(scene, `has-${permission}`, [permission]);
    const lacking = await accountWith(scene, `lacks-${permission}`, others);
    for (const [path] of routes) {
      t.not((await change(scene, holder, path)).text, NOT_ALLOWED, `${path} with ${permission}`);
      t.match(await change(scene, lacking, path), { status: 409, text: NOT_ALLOWED }, `${path} without ${permission}`);
    }
  }
});

void t.test('Transmission: the same of its methods', async (t) => {
  const scene = await setCompatibleScene(t);
  const before = await everything(scene);
  const nobody = await scene.harness.call('POST', '/transmission/rpc', { body: { method: 'torrent-get' } });
  t.match(nobody, { status: 401, headers: { 'www-authenticate': 'Basic realm="Transmission"' } });
  const plain = new TransmissionTool(scene.harness, 'plain', PASSWORD);
  for (const [method, { gate }] of Object.entries(METHOD_TABLE)) {
    const answer = await plain.post({ method, arguments: {} });
    t.equal(answer.status, 200, method);
    if (gate !== 'account') t.match(answer.json(), { result: NOT_ALLOWED }, method);
  }
  t.equal(await everything(scene), before, 'one without permissions and torrents changes nothing');
  for (const permission of PERMISSIONS) {
    const methods = Object.entries(METHOD_TABLE).filter(([, { gate }]) => gate === permission);
    if (methods.length === 0) continue;
    await accountWith(scene, `has-${permission}`, [permission]);
    const holder = new TransmissionTool(scene.harness, `has-${permission}`, PASSWORD);
    for (const [method] of methods)
      t.not((await holder.ask(method)).result, NOT_ALLOWED, `${method} with ${permission}`);
  }
});

void t.test('an account that is disabled is let in nowhere, whatever it signed in with', async (t) => {
  const scene = await setCompatibleScene(t);
  const body = new URLSearchParams({ username: 'ann', password: PASSWORD }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const login = await scene.harness.call('POST', '/api/v2/auth/login', { headers, body });
  const cookie = login.headers['set-cookie']?.[0] ?? '';
  const statusWith = async (credential: Record<string, string>) =>
    (await scene.harness.call('GET', '/api/v2/app/version', { headers: credential })).status;
  t.same(
    [await statusWith({ cookie }), await statusWith({ ...scene.ann.headers } as Record<string, string>)],
    [200, 200],
  );
  const tool = new TransmissionTool(scene.harness, 'ann', PASSWORD);
  t.equal((await tool.post({ method: 'torrent-get', arguments: { fields: ['id'] } })).status, 200);
  await scene.admin.ask('PUT', `/api/users/${scene.annId}`, { disabled: true });
  t.same(
    [await statusWith({ cookie }), await statusWith({ ...scene.ann.headers } as Record<string, string>)],
    [403, 403],
  );
  t.equal((await tool.post({ method: 'torrent-get', arguments: { fields: ['id'] } })).status, 401);
});
