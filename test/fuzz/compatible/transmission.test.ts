// Random requests to Transmission's RPC: never 5xx, nobody is shown or changes anything, and an account that is signed in
// is never told to sign in.
import t from 'tap';
import type { Answer } from '../../support/api-harness.js';
import { fuzz, type Verdict } from './run.js';
import { startScene } from './scene.js';
import { rpcRequests } from './transmission-requests.js';

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 4_000);

t.setTimeout(600_000);

void t.test('random requests to Transmission’s RPC', async (t) => {
  const scene = await startScene(t);
  const { harness, admin } = scene.world;
  const first = await harness.call('GET', '/transmission/rpc', { headers: admin.bearer });
  t.equal(first.status, 409, 'the session id is told');
  const requests = rpcRequests(harness.filesDir, String(first.headers['x-transmission-session-id']));
  const third = Math.ceil(RUNS / 3);
  await fuzz(t, scene, requests, { callers: ['nobody'], runs: third, changesNothing: true }, ofNobody);
  await fuzz(t, scene, requests, { callers: ['no flag'], runs: third, changesNothing: true }, ofAnAccount);
  await fuzz(t, scene, requests, { callers: ['admin', 'every flag'], runs: third, changesNothing: false }, ofAnAccount);
  const alive = await harness.call('GET', '/api/me', { headers: admin.bearer });
  t.equal(alive.status, 200, 'the administrator is still served');
});

function ofNobody(_caller: unknown, _request: unknown, { status }: Answer): string[] {
  return status === 401 || status === 403 ? [] : [`nobody is answered ${status}`];
}

function ofAnAccount(...[_caller, { headers }, { status }]: Parameters<Verdict>): string[] {
  const isOfAnotherSite = ['origin', 'sec-fetch-site'].some((name) => headers[name] !== undefined);
  return (status === 403 || status === 401) && !isOfAnotherSite ? [`an account is answered ${status}`] : [];
}
