// Random requests to qBittorrent's WebAPI: never 5xx, nobody is shown or changes anything, and an account that is signed
// in is never told to sign in.
import t from 'tap';
import { ROUTE_TABLE } from '../../../api/compatible/qbittorrent/routes.js';
import type { Answer } from '../../support/api-harness.js';
import type { SentRequest } from '../sender.js';
import { webApiRequests } from './qbittorrent-requests.js';
import { fuzz, type Verdict } from './run.js';
import { startScene } from './scene.js';

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 6_000);

t.setTimeout(600_000);

void t.test('random requests to qBittorrent’s WebAPI', async (t) => {
  const scene = await startScene(t);
  const requests = webApiRequests(scene.world.harness.filesDir);
  const third = Math.ceil(RUNS / 3);
  await fuzz(t, scene, requests, { callers: ['nobody'], runs: third, changesNothing: true }, ofNobody);
  await fuzz(t, scene, requests, { callers: ['no flag'], runs: third, changesNothing: true }, ofAnAccount);
  await fuzz(t, scene, requests, { callers: ['admin', 'every flag'], runs: third, changesNothing: false }, ofAnAccount);
  const alive = await scene.world.harness.call('GET', '/api/me', { headers: scene.world.admin.bearer });
  t.equal(alive.status, 200, 'the administrator is still served');
});

function ofNobody(_caller: unknown, { path }: SentRequest, { status, text }: Answer): string[] {
  const name = path.slice('/api/v2/'.length).replace(/\?.*/s, '');
  const row = Object.hasOwn(ROUTE_TABLE, name) ? ROUTE_TABLE[name as keyof typeof ROUTE_TABLE] : undefined;
  if (row?.gate === 'public') return [];
  return status === 403 && (text === 'Forbidden' || text === '') ? [] : [`nobody is answered ${status}`];
}

function ofAnAccount(...[_caller, { headers }, { status }]: Parameters<Verdict>): string[] {
  const isOfAnotherSite = ['origin', 'referer', 'sec-fetch-site'].some((name) => headers[name] !== undefined);
  return (status === 403 || status === 401) && !isOfAnotherSite ? [`an account is answered ${status}`] : [];
}
