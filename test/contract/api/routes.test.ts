// Every route of the table over real HTTP, as account 1: it answers its sample as documented, and refuses what must be
// refused. Who else may call it is permissions.test.ts.
import t, { type Test } from 'tap';
import { ROUTES, type Route } from '../../../api/routes/index.js';
import type { CallOptions } from '../../support/api-harness.js';
import { refusesBadBodies } from './runner/bodies.js';
import { refusesBadIds } from './runner/ids.js';
import { headerComplaints, Judge } from './runner/judge.js';
import { refusesOtherOrigins, refusesStrangers } from './runner/strangers.js';
import { World } from './runner/world.js';
import type { Sample } from './sample.js';
import { SAMPLES } from './samples/index.js';

let total = 0;
const readers = World.start();
t.teardown(async () => (await readers).close());

for (const route of ROUTES) {
  const sample = SAMPLES[route.name];
  void t.test(route.name, async (t) => {
    // Reading changes nothing: these routes have one world in common.
    const world = route.method === 'GET' ? await readers : await started(t);
    const judge = new Judge(route);
    for (const check of [refusesStrangers, refusesOtherOrigins, refusesBadBodies, refusesBadIds]) {
      await check(t, route, sample, world, judge);
    }
    for (const { name, call, status, error } of sample.refusals ?? []) {
      const scene = await world.scene(world.admin, 'owner');
      const refused = typeof call === 'function' ? await call(scene) : call;
      judge.check(t, name, await world.send(route, refused, scene, world.admin.bearer), { status, error });
    }
    // The last: it may change the password or the key that the others need.
    await succeeds(t, route, sample, world, judge);
    t.comment(`${judge.cases} cases`);
    total += judge.cases;
  });
}

async function succeeds(t: Test, route: Route, sample: Sample, world: World, judge: Judge): Promise<void> {
  const { admin, harness } = world;
  const scene = await world.scene(admin, 'owner');
  const call = await sample.call(scene);
  const headers = { cookie: admin.cookie, origin: harness.daemon.url };
  const answer = await world.send(route, call, scene, headers);
  judge.check(t, 'the sample', answer, { status: sample.status ?? 200 });
  const isJson = /json/.test(answer.headers['content-type'] ?? '');
  t.match(isJson ? answer.json() : answer.text, sample.answer, `the answer: ${answer.text.slice(0, 300)}`);
}

void t.test('what no route answers', async (t) => {
  const { harness, admin } = await started(t);
  const headers = admin.bearer;
  const refuses = async (status: number, method: string, path: string, options: CallOptions = {}) => {
    const answer = await harness.call(method, path, options);
    t.same([answer.status, headerComplaints(answer)], [status, []], `${method} ${path}`);
    t.match(answer.json(), { error: /./ });
    total += 1;
    return answer;
  };
  for (const path of ['/api/nope', '/api/', '/api/torrents/a/b/c/d', '/api/__proto__', '/api/docs/a/b']) {
    await refuses(401, 'GET', path);
    await refuses(404, 'GET', path, { headers });
  }
  await refuses(405, 'GET', '/api/login');
  await refuses(401, 'PUT', '/api/torrents');
  await refuses(400, 'POST', '/api/torrents/%ZZ/pause', { headers });
  for (const [path, methods] of methodsByPath()) {
    const wrong = await refuses(405, 'PATCH', path.replace(/\{\w+\}/g, '1'), { headers });
    t.same(wrong.headers.allow?.split(', ').sort(), methods.sort(), `Allow of ${path}`);
  }
});

function methodsByPath(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { method, path } of ROUTES) found.set(path, [...(found.get(path) ?? []), method]);
  return found;
}

void t.test('what is not below /api', async (t) => {
  const { harness, admin } = await started(t);
  for (const path of ['/nope', '/apinope', '/..%2fapi/me', '/nope.js']) {
    const answer = await harness.call('GET', path, { headers: admin.bearer });
    t.match([answer.status, answer.json()], [404, { error: 'not found' }], path);
    total += 1;
  }
});

void t.test('no page of another origin is let in by CORS', async (t) => {
  const { harness } = await started(t);
  for (const { path } of ROUTES) {
    const headers = { origin: 'http://evil.example', 'access-control-request-method': 'POST' };
    const preflight = await harness.call('OPTIONS', path.replace(/\{\w+\}/g, '1'), { headers });
    t.same([preflight.status, preflight.text, headerComplaints(preflight)], [204, '', []], path);
    total += 1;
  }
});

void t.test('either credential is enough, and a browser that vouches for the origin', async (t) => {
  const { harness, admin } = await started(t);
  const { cookie, bearer } = admin;
  const wrongKey = { authorization: 'Bearer wrong' };
  const foreign = { origin: 'http://evil.example' };
  const cases: readonly [number, Record<string, string>][] = [
    [200, { ...wrongKey, cookie }],
    // A header that no page can set without a preflight, which is never answered.
    [200, { ...wrongKey, ...foreign, cookie }],
    [200, { ...bearer, ...foreign, cookie: 'service_session=wrong' }],
    [200, { cookie, referer: `${harness.daemon.url}/page` }],
    [200, { cookie, 'sec-fetch-site': 'same-origin' }],
    [200, { cookie, 'sec-fetch-site': 'none' }],
    [401, { ...wrongKey, cookie: 'service_session=wrong' }],
  ];
  for (const [status, headers] of cases) {
    const answer = await harness.call('POST', '/api/inspector/clear', { headers });
    t.equal(answer.status, status, JSON.stringify(headers));
    total += 1;
  }
});

void t.test('a body without a declared length is cut off at 1 MiB as well', async (t) => {
  const { harness, admin } = await started(t);
  const headers = { ...admin.bearer, 'transfer-encoding': 'chunked' };
  const body = `"${'x'.repeat(1024 * 1024)}"`;
  const answer = await harness.call('PUT', '/api/settings/limits', { headers, body });
  t.match([answer.status, answer.json()], [413, { error: 'request body too large' }]);
});

async function started(t: Test): Promise<World> {
  const world = await World.start();
  t.teardown(() => world.close());
  return world;
}

void t.test('the count', async (t) => {
  t.comment(`${total} cases over ${ROUTES.length} routes`);
  t.ok(total > 1_000, `${total} cases`);
});
