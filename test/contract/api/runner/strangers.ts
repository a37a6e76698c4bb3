// Who comes without a valid credential, or from a page of another origin.
import type { Test } from 'tap';
import type { Route } from '../../../../api/routes/index.js';
import type { Sample } from '../sample.js';
import type { Judge } from './judge.js';
import type { World } from './world.js';

const UNAUTHORIZED = { status: 401, error: 'unauthorized' };

export async function refusesStrangers(
  t: Test,
  route: Route,
  sample: Sample,
  world: World,
  judge: Judge,
): Promise<void> {
  if (sample.who === 'anybody') return;
  const { admin, harness } = world;
  const scene = await world.scene(admin, 'owner');
  const call = await sample.call(scene);
  const origin = harness.daemon.url;
  const key = admin.bearer['authorization']?.slice('Bearer '.length) ?? '';
  const strangers: readonly { name: string; headers: Record<string, string>; query?: string }[] = [
    { name: 'no credential', headers: {} },
    { name: 'no credential, from our own page', headers: { origin } },
    { name: 'a wrong key', headers: { authorization: 'Bearer wrong' } },
    { name: 'an empty key', headers: { authorization: 'Bearer ' } },
    { name: 'a key of Basic', headers: { authorization: `Basic ${key}`, origin } },
    { name: 'a wrong cookie', headers: { cookie: 'service_session=wrong', origin } },
    { name: 'a key in the query', headers: { origin }, query: `api_key=${key}&token=${key}` },
  ];
  for (const { name, headers, query } of strangers) {
    const answer = await world.send(route, query === undefined ? call : { ...call, query }, scene, headers);
    judge.check(t, name, answer, UNAUTHORIZED);
    if (answer.headers['www-authenticate'] !== 'Bearer') t.fail(`${name}: 401 without WWW-Authenticate: Bearer`);
  }
  const unreadable = await world.send(route, { ...call, body: '{"a":' }, scene, {});
  judge.check(t, 'a malformed body of a stranger', unreadable, UNAUTHORIZED);
}

/** Only of what changes something: reads pass from anywhere, as far as this check goes. */
export async function refusesOtherOrigins(
  t: Test,
  route: Route,
  sample: Sample,
  world: World,
  judge: Judge,
): Promise<void> {
  if (route.method === 'GET') return;
  const { cookie } = world.admin;
  const { url } = world.harness.daemon;
  const scene = await world.scene(world.admin, 'owner');
  const call = await sample.call(scene);
  const mismatch = { status: 403, error: 'origin mismatch' };
  const foreign: readonly Record<string, string>[] = [
    { origin: 'http://evil.example' },
    { origin: 'null' },
    { origin: `${url}1` },
    { referer: 'http://evil.example/page' },
    { origin: 'http://evil.example', referer: `${url}/page` },
    { origin: 'http://evil.example', 'sec-fetch-site': 'same-origin' },
  ];
  for (const headers of foreign) {
    const answer = await world.send(route, call, scene, { cookie, ...headers });
    judge.check(t, JSON.stringify(headers), answer, mismatch);
  }
  judge.check(t, 'a stranger of another origin', await world.send(route, call, scene, foreign[0] ?? {}), mismatch);
  if (sample.who === 'anybody') return;
  for (const headers of [{}, { 'sec-fetch-site': 'same-site' }, { 'sec-fetch-site': 'cross-site' }]) {
    const answer = await world.send(route, call, scene, { cookie, ...headers });
    judge.check(t, `neither Origin nor Referer ${JSON.stringify(headers)}`, answer, {
      status: 403,
      error: 'missing origin',
    });
  }
}
