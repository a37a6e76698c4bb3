// What let a tool in ends while Swarmd waits for the request's body: the request is refused and does nothing.
import { once } from 'node:events';
import http from 'node:http';
import t from 'tap';
import { OWN, setCompatibleScene, type CompatibleScene } from '../../support/compatible-scene.js';
import { TransmissionTool } from '../../support/transmission-rpc.js';

const PASSWORD = 'correct horse';

interface Sent {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends all but the body, lets `meanwhile` happen once Swarmd has read that, and then sends it: the answer's status. */
async function sendInTwo(scene: CompatibleScene, sent: Sent, meanwhile: () => Promise<unknown>): Promise<number> {
  const headers = { ...sent.headers, 'content-length': String(Buffer.byteLength(sent.body)), expect: '100-continue' };
  const request = http.request(`${scene.harness.daemon.url}${sent.path}`, { method: 'POST', headers });
  const answered = once(request, 'response') as Promise<[http.IncomingMessage]>;
  request.flushHeaders();
  await once(request, 'continue');
  await meanwhile();
  request.end(sent.body);
  const [response] = await answered;
  response.resume();
  await once(response, 'end');
  return response.statusCode ?? 0;
}

const isPaused = async ({ admin }: CompatibleScene): Promise<boolean> => {
  const list = await admin.ask<readonly { readonly id: string; readonly paused: boolean }[]>('GET', '/api/torrents');
  return list.some(({ id, paused }) => id === OWN && paused);
};

const stop = (headers: Readonly<Record<string, string>>): Sent => ({
  path: '/api/v2/torrents/stop',
  headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
  body: `hashes=${OWN}`,
});

async function sidOf({ harness }: CompatibleScene): Promise<string> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams({ username: 'ann', password: PASSWORD }).toString();
  const answer = await harness.call('POST', '/api/v2/auth/login', { headers, body });
  return (answer.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';
}

/** The tool has been let in before: whoever is known is let in at once, and its request is what waits. */
async function basicOf(scene: CompatibleScene): Promise<Readonly<Record<string, string>>> {
  const headers = { authorization: `Basic ${Buffer.from(`ann:${PASSWORD}`).toString('base64')}` };
  await scene.harness.call('GET', '/api/v2/app/version', { headers });
  return headers;
}

const newPassword = (scene: CompatibleScene) => () =>
  scene.admin.ask('POST', `/api/users/${scene.annId}/password`, { new_password: 'another horse' });
const disable = (scene: CompatibleScene) => () =>
  scene.admin.ask('PUT', `/api/users/${scene.annId}`, { disabled: true });
const newKey = (scene: CompatibleScene) => () => scene.ann.ask('POST', '/api/me/api_key/rotate');
const newKeyOfAnother = (scene: CompatibleScene) => () => scene.plain.ask('POST', '/api/me/api_key/rotate');

type Case = (scene: CompatibleScene) => Promise<{ readonly sent: Sent; readonly end: () => Promise<unknown> }>;

const QBITTORRENT: Readonly<Record<string, Case>> = {
  'a key that is replaced': async (scene) => ({ sent: stop(scene.ann.headers), end: newKey(scene) }),
  'a key of an account that is disabled': async (scene) => ({ sent: stop(scene.ann.headers), end: disable(scene) }),
  'a password that is changed': async (scene) => ({ sent: stop(await basicOf(scene)), end: newPassword(scene) }),
  'a session that is signed out': async (scene) => {
    const cookie = await sidOf(scene);
    const end = () => scene.harness.call('POST', '/api/v2/auth/logout', { headers: { cookie } });
    return { sent: stop({ cookie }), end };
  },
  'a session, and the password is changed': async (scene) => ({
    sent: stop({ cookie: await sidOf(scene) }),
    end: newPassword(scene),
  }),
};

void t.test("qBittorrent's interface", async (t) => {
  for (const [name, prepare] of Object.entries(QBITTORRENT)) {
    const scene = await setCompatibleScene(t);
    const { sent, end } = await prepare(scene);
    t.equal(await sendInTwo(scene, sent, end), 403, name);
    t.notOk(await isPaused(scene), `${name}: nothing was done`);
  }
  const scene = await setCompatibleScene(t);
  const cookie = await sidOf(scene);
  t.equal(
    await sendInTwo(scene, stop({ cookie }), newKeyOfAnother(scene)),
    200,
    'what ends for others ends nothing here',
  );
  t.ok(await isPaused(scene));
});

void t.test("Transmission's interface", async (t) => {
  for (const isEnded of [true, false]) {
    const scene = await setCompatibleScene(t);
    const tool = new TransmissionTool(scene.harness, 'ann', PASSWORD);
    await tool.get('session-get', {});
    const body = JSON.stringify({ method: 'torrent-stop', arguments: { ids: [OWN] } });
    const headers = { ...tool.headers, 'content-type': 'application/json' };
    const end = isEnded ? newPassword(scene) : newKeyOfAnother(scene);
    const status = await sendInTwo(scene, { path: '/transmission/rpc', headers, body }, end);
    t.equal(status, isEnded ? 401 : 200);
    t.equal(await isPaused(scene), !isEnded);
  }
});
