// How the service is and was, as each account is told: its own bytes and rates, for administrators all; what of the machine
// is whose; that a port counts as reachable once a peer has come; and that another start knows the hours before.
import { join } from 'node:path';
import t from 'tap';
import type { RatesDto } from '../../shared-protocol/dto/rates.js';
import type { StatusDto } from '../../shared-protocol/dto/status.js';
import { downloaded, FILE_BYTES, madeFilm, PIECE_LENGTH, setBobsScene } from '../support/bobs-scene.js';
import { makeAccount, sameAccount } from '../support/daemon-account.js';
import { startDaemon, type ApiClient } from '../support/daemon.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { makeScratch } from '../support/peers/scratch.js';
import { seedContent } from '../support/peers/scripted-seed.js';
import { waitUntil } from '../support/peers/wait-until.js';

const TIMEOUT_MS = 60_000;
const FILM = 2 * FILE_BYTES;
/** More than comes down while the test looks. */
const SLOW = 128 * PIECE_LENGTH;
const LIMITS = { down_kbps: 700, up_kbps: 300, alt_down_kbps: 0, alt_up_kbps: 0, alt_active: false };

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
    return status.all_time.down >= FILM && status.port.state === 'reachable' ? status : undefined;
  });
  t.ok(counted.session.down >= FILM);
  t.ok(counted.all_time.down >= counted.session.down, 'never less than this session');
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
  await daemon.api('PUT', '/api/settings/limits', LIMITS);
  const status = await statusOf(daemon);
  t.match(status.limits, { source: 'global', down_kbps: 700, up_kbps: 300 });
  t.same(status.dht, { enabled: false, nodes: 0 });
  t.ok(status.uptime >= 0 && status.uptime < 3_600);
});

void t.test('rates of the last minutes are there after another start, for each its own', async (t) => {
  const scratch = await makeScratch('rates', SLOW);
  t.teardown(() => scratch.remove());
  const begin = async () => {
    const daemon = await startDaemon({
      dataDir: join(scratch.path, 'data'),
      savePath: join(scratch.path, 'downloads'),
    });
    t.teardown(() => daemon.stop());
    return daemon;
  };
  const most = async ({ api }: Api, path = '/api/stats/rates?seconds=600&points=600') => {
    const { status, json } = await api<RatesDto>('GET', path);
    return status === 200 ? Math.max(...json.down.map((rate) => rate ?? 0)) : -status;
  };
  const apiOf = (client: ApiClient): Api => ({ api: client.api.bind(client) });
  let daemon = await begin();
  const bob = await makeAccount(daemon, 'bob');
  const eve = await makeAccount(daemon, 'eve');
  await daemon.api('PUT', '/api/settings/limits', { ...LIMITS, down_kbps: 200 });
  const made = makeTorrent({ name: 'slow', pieceLength: PIECE_LENGTH, files: seededBytes(1, SLOW) });
  const id = await bob.client.addTorrentFile(made.torrentBytes);
  const content = { bytes: made.payload, infoHash: made.infoHash, pieceLength: PIECE_LENGTH };
  const seed = await seedContent(content, daemon.peerPort, Infinity);
  t.teardown(() => seed.destroy());
  const ofTorrent = `/api/torrents/${id}/rates`;
  await waitUntil('a rate', TIMEOUT_MS, async () => (await most(apiOf(bob.client), ofTorrent)) || undefined);
  await bob.client.api('POST', `/api/torrents/${id}/pause`);
  const bobs = await most(apiOf(bob.client));
  t.ok(bobs > 0);
  t.ok((await most(daemon)) >= bobs, 'all accounts together');
  t.equal(await most(apiOf(eve.client)), 0);
  t.equal(await most(apiOf(eve.client), `/api/stats/rates?account=${bob.id}`), -403);
  t.equal(await most(apiOf(eve.client), ofTorrent), -403);

  await daemon.stop();
  daemon = await begin();
  const again = apiOf((await sameAccount(daemon, 'bob', bob.id)).client);
  t.ok((await most(again)) >= bobs);
  t.equal(await most(apiOf((await sameAccount(daemon, 'eve', eve.id)).client)), 0);
});
