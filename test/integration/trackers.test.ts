// Trackers edited over the API of a whole daemon, with trackers that really hear of it; and torrent files that are
// exported, which other programs read. Several accounts hold a torrent: what each exports is its own.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { promisify } from 'node:util';
import { parseTorrentFile } from '../../engine/metainfo/index.js';
import { makeAccount } from '../support/daemon-account.js';
import { startDaemon, type StartDaemonOptions } from '../support/daemon.js';
import { startHttpTracker } from '../support/http-tracker.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { aria2, testWith } from '../support/peers/index.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';

const TIMEOUT_MS = 60_000;

async function start(t: Test, options: StartDaemonOptions = {}) {
  const daemon = await startDaemon({ ...options, args: ['--fetch-allow', '127.0.0.0/8'] });
  t.teardown(() => daemon.stop());
  return daemon;
}

async function scratchFolder(t: Test): Promise<string> {
  const scratch = await makeScratch('trackers');
  t.teardown(() => scratch.remove());
  return scratch.path;
}

const film = (trackers: readonly (readonly string[])[]) =>
  makeTorrent({ name: 'film "é".bin', pieceLength: 65_536, files: seededBytes(5, 300_000), trackers });

void t.test('tiers, an announce at once, and a tracker that has moved, over a restart', async (t) => {
  const [one, two, three] = await Promise.all([startHttpTracker(), startHttpTracker(), startHttpTracker()]);
  const folder = await scratchFolder(t);
  const begin = () => start(t, { dataDir: join(folder, 'data'), savePath: join(folder, 'downloads') });
  t.teardown(() => Promise.all([one, two, three].map((tracker) => tracker.close())));
  const events = (tracker: typeof one) => tracker.announces.map(({ event }) => event);
  const heard = (tracker: typeof one, event: string) =>
    waitUntil(`${event} at ${tracker.port}`, TIMEOUT_MS, () => events(tracker).includes(event) || undefined);

  const daemon = await begin();
  const { torrentBytes } = film([[one.announceUrl]]);
  const id = await daemon.addTorrentFile(torrentBytes);
  await heard(one, 'started');
  const tiers = [[two.announceUrl], [one.announceUrl]];
  t.match(await daemon.api('PUT', `/api/torrents/${id}/trackers`, { tiers }), { status: 200 });
  await heard(two, 'started');
  const shown = await daemon.api<{ url: string; tier: number }[]>('GET', `/api/torrents/${id}/trackers`);
  t.same(
    shown.json.map(({ url, tier }) => [url, tier]),
    [
      [two.announceUrl, 0],
      [one.announceUrl, 1],
    ],
  );
  t.match(await daemon.api('POST', `/api/torrents/${id}/announce`), { json: { announced: 0, waiting: 2 } });

  const moved = { find: one.announceUrl, replace: three.announceUrl };
  const found = { torrents: [{ id, addresses: 1 }], failed: [] };
  t.match(await daemon.api('POST', '/api/trackers/replace', { ...moved, dry_run: true }), { json: found });
  t.equal(three.announces.length, 0);
  t.match(await daemon.api('POST', '/api/trackers/replace', moved), { json: found });
  await heard(three, 'started');
  await heard(one, 'stopped');
  t.same(events(two), ['started'], 'it hears nothing of all this');

  t.match(await daemon.stop(), { code: 0 });
  const next = await begin();
  const after = await next.api<{ url: string }[]>('GET', `/api/torrents/${id}/trackers`);
  t.same(
    after.json.map(({ url }) => url),
    [two.announceUrl, three.announceUrl],
  );
});

void t.test('a replacement reaches what the account may edit, and nothing else', async (t) => {
  const daemon = await start(t);
  const [ann, eve] = [await makeAccount(daemon, 'ann'), await makeAccount(daemon, 'eve')];
  const old = `http://127.0.0.1:9/${'0a'.repeat(16)}/announce`;
  const id = await ann.client.addTorrentFile(film([[old]]).torrentBytes);
  const mine = await eve.client.addTorrentFile(
    makeTorrent({ name: 'eve', pieceLength: 65_536, files: seededBytes(6, 9), trackers: [[old]] }).torrentBytes,
  );
  const replace = { find: 'http://127.0.0.1:9', replace: 'http://127.0.0.1:10' };
  t.same((await eve.client.api('POST', '/api/trackers/replace', replace)).json, {
    torrents: [{ id: mine, addresses: 1 }],
    failed: [],
  });
  const grant = (access: string) =>
    daemon.api('POST', `/api/torrents/${id}/shares`, { user_id: eve.id, access }).then(({ status }) => status);
  t.equal(await grant('viewer'), 200);
  t.same((await eve.client.api('POST', '/api/trackers/replace', replace)).json, { torrents: [], failed: [] });
  const seen = await eve.client.api('GET', `/api/torrents/${id}/trackers`);
  t.match(seen.json, [{ url: 'http://127.0.0.1:9/***/announce' }], 'without the passkey');
  t.equal((await eve.client.download(`/api/torrents/${id}/file`)).status, 403);
  t.equal((await eve.client.api('PUT', `/api/torrents/${id}/trackers`, { tiers: [] })).status, 403);
  t.equal((await eve.client.api('POST', `/api/torrents/${id}/announce`)).status, 403);
  t.equal(await grant('editor'), 200);
  t.match((await eve.client.api('POST', '/api/trackers/replace', replace)).json, { torrents: [{ id, addresses: 1 }] });
});

void t.test('of several holders each changes and exports its own trackers', async (t) => {
  const daemon = await start(t);
  const [ann, eve] = [await makeAccount(daemon, 'ann'), await makeAccount(daemon, 'eve')];
  const keyed = (name: string) => `http://127.0.0.1:9/${name}/announce`;
  const id = await ann.client.addTorrentFile(film([[keyed('ann')]]).torrentBytes);
  await eve.client.addTorrentFile(film([[keyed('eve')]]).torrentBytes);
  const exported = async ({ client }: typeof ann) =>
    parseTorrentFile((await client.download(`/api/torrents/${id}/file`)).bytes).trackers;
  t.same(await exported(ann), [[keyed('ann')]]);
  t.same(await exported(eve), [[keyed('eve')]]);
  const tiers = [[keyed('ann')], [keyed('eve2')]];
  t.match(await eve.client.api('PUT', `/api/torrents/${id}/trackers`, { tiers }), { status: 200 });
  t.same(await exported(ann), [[keyed('ann')]]);
  t.match(await eve.client.api('PUT', `/api/torrents/${id}/trackers`, { tiers: [] }), { status: 200 });
  t.same(await exported(ann), [[keyed('ann')]], 'what both had is not taken from her');
  t.same(await exported(eve), []);
});

void testWith(t, aria2, 'another program reads a torrent file that is exported', async (t) => {
  const daemon = await start(t);
  const made = film([['http://127.0.0.1:9/a', 'http://127.0.0.1:9/b'], ['udp://127.0.0.1:9/']]);
  const id = await daemon.addTorrentFile(made.torrentBytes);
  const { status, headers, bytes } = await daemon.download(`/api/torrents/${id}/file`);
  t.equal(status, 200);
  t.equal(headers.get('content-type'), 'application/x-bittorrent');
  t.match(
    headers.get('content-disposition'),
    /^attachment; filename=.*filename\*=UTF-8''film%20%22%C3%A9%22\.bin\.torrent$/,
  );
  t.same(Buffer.from(parseTorrentFile(bytes).infoBytes), Buffer.from(parseTorrentFile(made.torrentBytes).infoBytes));
  const file = join(await scratchFolder(t), 'exported.torrent');
  await writeFile(file, bytes);
  const { stdout } = await promisify(execFile)('aria2c', ['-S', file]);
  t.match(stdout, new RegExp(`Info Hash: ${made.infoHash}`));
  t.match(stdout, /http:\/\/127\.0\.0\.1:9\/b/);
});
