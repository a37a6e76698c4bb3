// How the service is at the moment, as each account is told: its own bytes, for administrators all; what of the machine is
// whose; and that a port counts as reachable once a peer has come.
import t from 'tap';
import type { StatusDto } from '../../shared-protocol/dto/status.js';
import { downloaded, FILE_BYTES, madeFilm, setBobsScene } from '../support/bobs-scene.js';
import { makeAccount } from '../support/daemon-account.js';
import type { ApiClient } from '../support/daemon.js';
import { waitUntil } from '../support/peers/wait-until.js';

const TIMEOUT_MS = 60_000;
const FILM = 2 * FILE_BYTES;

t.setTimeout(120_000);

type Api = Pick<ApiClient, 'api'>;

async function statusOf(client: Api): Promise<StatusDto> {
  const { status, json } = await client.api<StatusDto>('GET', '/api/status');
  if (status !== 200) throw new Error(`${status}`);
  return json;
}

void t.test('each account is told of its own', async (t) => {
  const { daemon, bob } = await setBobsScene(t);
  const eve = await makeAccount(daemon, 'eve');
  const before = await statusOf(daemon);
  t.equal(before.port.state, 'unknown', 'nobody has come yet');
  t.equal(before.port.number, daemon.peerPort);
  t.same(before.all_time, { down: 0, up: 0, since: 0 });
  t.equal(before.ratio, null);

  await downloaded(daemon, bob.client, madeFilm('film', 1));
  const counted = await waitUntil('all of it', TIMEOUT_MS, async () => {
    const status = await statusOf(bob.client);
    return status.all_time.down >= FILM ? status : undefined;
  });
  t.ok(counted.session.down >= FILM);
  t.equal(counted.all_time.since % 86_400, 0);
  t.ok(counted.all_time.since > 0);
  t.equal(counted.ratio, counted.all_time.up / counted.all_time.down);
  t.equal(counted.port.state, 'reachable', 'the seed has come by itself');
  t.equal('number' in counted.port, false, 'the number is a setting');
  t.same(
    counted.disks.map(({ is_default, paths }) => ({ is_default, paths })),
    [{ is_default: true, paths: [] }],
  );

  const admins = await statusOf(daemon);
  t.ok(admins.session.down >= FILM, 'all accounts together');
  t.same(admins.disks[0]?.paths, [daemon.savePath]);

  const eves = await statusOf(eve.client);
  t.same(eves.session, { down: 0, up: 0 });
  t.same(eves.all_time, { down: 0, up: 0, since: 0 });
  t.equal(eves.peers, 0);
  t.notMatch(JSON.stringify(eves), daemon.savePath);
});

void t.test('limits in force, and a DHT that a flag has switched off', async (t) => {
  const { daemon } = await setBobsScene(t);
  const limits = { down_kbps: 700, up_kbps: 300, alt_down_kbps: 0, alt_up_kbps: 0, alt_active: false };
  await daemon.api('PUT', '/api/settings/limits', limits);
  const status = await statusOf(daemon);
  t.match(status.limits, { source: 'global', down_kbps: 700, up_kbps: 300 });
  t.same(status.dht, { enabled: false, nodes: 0 });
  t.ok(status.uptime >= 0 && status.uptime < 3_600);
});
