// One of several engines is away, comes back, begins anew, or was never there: what it has stays shown, nothing else is held up,
// and nothing that is not listed is taken for gone.
import t from 'tap';
import type { EngineDto } from '../../../shared-protocol/dto/engines.js';
import type { HistoryDto } from '../../../shared-protocol/dto/history.js';
import type { StatusDto } from '../../../shared-protocol/dto/status.js';
import type { TorrentDto } from '../../../shared-protocol/dto/torrents.js';
import type { Client } from '../../support/browser.js';
import { waitUntil } from '../../support/peers/wait-until.js';
import { magnetOf, startTwoEngines, torrentId } from '../../support/two-engines.js';

const TIMEOUT_MS = 60_000;

const add = (client: Client, n: number) => client.ask('POST', '/api/torrents/magnet', { magnet: magnetOf(n) });
const ids = async (client: Client) =>
  (await client.ask<TorrentDto[]>('GET', '/api/torrents')).map(({ id }) => id).toSorted();
const awayOnes = async (client: Client) =>
  (await client.ask<TorrentDto[]>('GET', '/api/torrents'))
    .flatMap(({ id, engine_away }) => (engine_away ? [id] : []))
    .toSorted();
const awaySince = async (client: Client) => (await client.ask<StatusDto>('GET', '/api/status')).engine_away_since;
const stateOf = async (admin: Client, wanted: string) =>
  (await admin.ask<EngineDto[]>('GET', '/api/engines')).find(({ name }) => name === wanted)!;
const isThere = (admin: Client, name: string, there: boolean) =>
  waitUntil(`${name} is ${there ? 'there' : 'away'}`, TIMEOUT_MS, async () => {
    const { away_since } = await stateOf(admin, name);
    return (away_since === null) === there || undefined;
  });

void t.test('an engine goes, and comes back as another run of itself', async (t) => {
  const { admin, account, engines, hosts } = await startTwoEngines(t);
  const { client: bob } = await account('bob', { engine: 'second' });
  const { client: eve } = await account('eve');
  await add(admin, 1);
  await add(bob, 2);
  await add(bob, 3);
  await hosts.second.end();
  await isThere(admin, 'second', false);
  t.same(await ids(admin), [1, 2, 3].map(torrentId), 'all are shown still');
  t.same(await ids(bob), [2, 3].map(torrentId));
  await waitUntil('each says whether its engine is there', TIMEOUT_MS, async () => {
    const away = await awayOnes(admin);
    return away.join() === [2, 3].map(torrentId).join() || undefined;
  });
  t.type(await awaySince(bob), 'number');
  t.type(await awaySince(admin), 'number');
  t.equal(await awaySince(eve), null, 'whose engine is there');
  const { status, text } = await bob.call('POST', '/api/torrents/magnet', { magnet: magnetOf(4) });
  t.match([status, text], [503, /ENGINE_AWAY/]);
  await add(eve, 5);
  t.equal((await admin.call('GET', '/api/healthz')).status, 200);
  t.match((await admin.call('GET', '/metrics')).text, /swarmd_engine_up\{engine="first"\} 1\n.*\{engine="second"\} 0/);
  t.match(await stateOf(admin, 'second'), {
    ...{ reason: /./, reason_code: /^(?:CLOSED|NOBODY_THERE)$/, torrents: 2, accounts: 1 },
  });
  // Limits that are changed meanwhile hold when it is back.
  await admin.ask('PUT', '/api/settings/adding', { paused: true });
  engines.second.forget(torrentId(2));
  await hosts.second.begin();
  await isThere(admin, 'second', true);
  t.same(await ids(admin), [1, 3, 5].map(torrentId), 'what it has lost is gone, and nothing of another');
  t.equal(await awaySince(admin), null);
  t.same(await awayOnes(admin), []);
  await bob.ask('POST', `/api/torrents/${torrentId(3)}/pause`);
});

void t.test('the stream alone is cut: nothing is told twice, nothing is lost', async (t) => {
  const { admin, account, engines, hosts } = await startTwoEngines(t);
  const { client: bob } = await account('bob', { engine: 'second' });
  await add(admin, 1);
  await add(bob, 2);
  for (let round = 1; round <= 3; round++) {
    hosts.second.cut();
    engines.second.setFacts(torrentId(2), { name: `round ${round}` });
    await waitUntil('what was told meanwhile is here', TIMEOUT_MS, async () => {
      const list = await admin.ask<TorrentDto[]>('GET', '/api/torrents');
      return list.some(({ name }) => name === `round ${round}`) || undefined;
    });
    t.same(await ids(admin), [1, 2].map(torrentId));
    t.same(await awayOnes(admin), []);
  }
});

void t.test('a front starts without an engine, and shows and forgets nothing less of its torrents', async (t) => {
  const { admin, account, engines, hosts, restartFront, again, flush } = await startTwoEngines(t);
  const { client: bob } = await account('bob', { engine: 'second' });
  await add(admin, 1);
  await add(bob, 2);
  await add(bob, 3);
  await add(bob, 5);
  engines.second.setStats(torrentId(2), { totalUp: 5_000_000, uploadRate: 1_000 });
  flush();
  const uploaded = async (client: Client) => {
    const path = `/api/stats/history?by=torrent&id=${torrentId(2)}`;
    return (await client.ask<HistoryDto>('GET', path)).total.up;
  };
  await waitUntil('the upload is counted', TIMEOUT_MS, async () => (await uploaded(admin)) > 0 || undefined);
  // A removal that is due while its engine is away is done when that is back.
  await bob.ask('POST', '/api/removals', { ids: [torrentId(3)], delete_data: false, grace_seconds: 1 });

  const before = await uploaded(admin);
  const then = await restartFront(() => hosts.second.end());
  t.same(await ids(then), [1, 2, 3, 5].map(torrentId), 'those of the engine that is away as they were');
  const shown = (await then.ask<TorrentDto[]>('GET', '/api/torrents')).find(({ id }) => id === torrentId(2));
  t.same(await awayOnes(then), [2, 3, 5].map(torrentId));
  t.match(shown, { total_up: 5_000_000, upload_rate: 0 }, 'nothing is moved');
  const { status, text } = await then.call('POST', `/api/torrents/${torrentId(2)}/pause`);
  t.match([status, text], [503, /ENGINE_AWAY/]);
  await add(then, 4);
  engines.second.forget(torrentId(5));
  t.match(await stateOf(then, 'second'), { away_since: Number, reason: /./, version: '' });
  await hosts.second.begin();
  await isThere(then, 'second', true);
  await waitUntil('the removal is done', TIMEOUT_MS, async () => {
    const left = await ids(then);
    return left.includes(torrentId(3)) ? undefined : left.includes(torrentId(2)) || undefined;
  });
  t.same(await ids(then), [1, 2, 4].map(torrentId));
  t.same(await awayOnes(then), []);
  t.ok((await uploaded(then)) >= before, 'its history is there');
  t.same(await ids(await again('bob')), [torrentId(2)]);
});
