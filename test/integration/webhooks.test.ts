// Webhooks of a whole daemon: real torrents, a receiver that checks signatures by the library of Standard Webhooks, and
// accounts that hear of their own torrents alone; over failures, restarts and kills.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import type { MadeWebhookDto, WebhookDto } from '../../shared-protocol/dto/webhooks.js';
import { startDaemon, type ApiClient, type DaemonUnderTest } from '../support/daemon.js';
import { startHttpTracker } from '../support/http-tracker.js';
import { makeAccount } from '../support/daemon-account.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { KIB } from '../support/peers/payload.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { startUpstream } from '../support/upstream.js';
import { startWebSeedServer } from '../support/web-seed-server.js';
import { startReceiver } from '../support/webhook-receiver.js';

const TIMEOUT_MS = 60_000;

type Asked = Pick<ApiClient, 'api'>;

async function makeWebhook(who: Asked, url: string, events?: readonly string[]) {
  const body = { url, ...(events ? { events } : {}) };
  return (await who.api<MadeWebhookDto>('POST', '/api/webhooks', body)).json;
}

void t.test('a torrent’s life, and what others hear of it', async (t) => {
  const daemon = await startDaemon({ bytes: 1024 * KIB });
  t.teardown(() => daemon.stop());
  const ann = await makeAccount(daemon, 'ann');
  const bob = await makeAccount(daemon, 'bob');
  const [annHears, bobHears, adminHears] = [await startReceiver(t), await startReceiver(t), await startReceiver(t)];
  const mine = await makeWebhook(ann.client, `${annHears.upstream.origin}/ann?key=1`);
  annHears.trust(mine.secret);
  bobHears.trust((await makeWebhook(bob.client, bobHears.upstream.origin)).secret);
  adminHears.trust((await makeWebhook(daemon, adminHears.upstream.origin, ['completed'])).secret);

  const bytes = seededBytes(1, 200 * KIB);
  const seed = await startWebSeedServer({ files: { '/film.bin': bytes } });
  t.teardown(() => seed.close());
  const made = makeTorrent({
    name: 'film.bin',
    pieceLength: 64 * KIB,
    files: bytes,
    webSeeds: [`${seed.origin}/film.bin`],
  });
  const id = await ann.client.addTorrentFile(made.torrentBytes);
  await waitUntil('added and completed', TIMEOUT_MS, () => annHears.heard[1]);
  t.same(annHears.types(), ['torrent.added', 'torrent.completed']);
  t.match(annHears.heard[1]?.data, { infohash: id, name: 'film.bin', total_bytes: bytes.length, error: null });
  await waitUntil('the administrator hears', TIMEOUT_MS, () => adminHears.heard[0]);
  t.same(adminHears.types(), ['torrent.completed'], 'of all torrents, of the events that were asked for');

  t.same((await bob.client.api('POST', `/api/webhooks/${mine.id}/test`)).status, 404, 'nobody else’s to try');
  t.same((await bob.client.api('PUT', `/api/webhooks/${mine.id}`, { enabled: false })).status, 404);
  t.same((await bob.client.api('DELETE', `/api/webhooks/${mine.id}`)).status, 404);
  t.same((await bob.client.api('POST', `/api/webhooks/${mine.id}/secret`)).status, 404);
  const renewed = (await ann.client.api<MadeWebhookDto>('POST', `/api/webhooks/${mine.id}/secret`)).json;
  t.not(renewed.secret, mine.secret);
  await ann.client.api('DELETE', `/api/torrents/${id}?delete=1`);
  await waitUntil('removed', TIMEOUT_MS, () => annHears.heard[2]);
  t.equal(annHears.heard[2]?.type, 'torrent.removed');
  t.same((await ann.client.api('POST', `/api/webhooks/${mine.id}/test`)).json, { ok: true, status: 204 });
  t.equal(annHears.heard[3]?.type, 'webhook.test', 'taken by the secret of before');
  annHears.trust(renewed.secret);
  t.same((await ann.client.api('POST', `/api/webhooks/${mine.id}/test`)).json, { ok: true, status: 204 });
  t.equal((await bob.client.api('POST', `/api/webhooks`, { url: `${bobHears.upstream.origin}/2` })).status, 200);
  t.same(bobHears.heard, [], 'nothing of it is bob’s to know');
  t.same([annHears.bad, adminHears.bad], [[], []], 'all were signed');
});

void t.test('a message arrives in the end: over failures, an end in order and a kill', async (t) => {
  const [dataDir, savePath] = [await temporaryDirectory(), await temporaryDirectory()];
  const receiver = await startReceiver(t);
  receiver.answer(500);
  const first = await startDaemon({ dataDir, savePath });
  const { secret } = await makeWebhook(first, receiver.upstream.origin);
  receiver.trust(secret);
  const add = (daemon: DaemonUnderTest, digit: string) =>
    daemon.api('POST', '/api/torrents/magnet', { magnet: `magnet:?xt=urn:btih:${digit.repeat(40)}&dn=${digit}` });
  await add(first, 'a');
  const state = async (daemon: DaemonUnderTest) => {
    const [webhook] = (await daemon.api<WebhookDto[]>('GET', '/api/webhooks')).json;
    return webhook;
  };
  const failed = await waitUntil('an attempt', TIMEOUT_MS, async () => {
    const webhook = await state(first);
    return webhook?.last_error ? webhook : undefined;
  });
  t.match(failed, { pending: 1, dropped: 0, last_error: 'Delivery failed: HTTP 500', last_success: 0, gone_at: 0 });
  t.notOk('secret' in failed);
  await first.stop();

  receiver.answer(204);
  const second = await startDaemon({ dataDir, savePath });
  await waitUntil('it arrives', TIMEOUT_MS, () => receiver.heard[0]);
  t.match(receiver.heard, [{ type: 'torrent.added', data: { name: 'a' } }], 'and loading tells of nothing');
  receiver.answer(500);
  await add(second, 'b');
  await waitUntil('it is stored', TIMEOUT_MS, async () => {
    const text = await readFile(join(dataDir, 'deliveries.json'), 'utf8');
    return text.includes('b'.repeat(40)) ? true : undefined;
  });
  await second.kill();

  receiver.answer(204);
  const third = await startDaemon({ dataDir, savePath });
  t.teardown(() => third.stop());
  await waitUntil('it arrives', TIMEOUT_MS, () => receiver.heard[1]);
  t.same(
    receiver.heard.map(({ data }) => data['name']),
    ['a', 'b'],
  );
  receiver.answer(410);
  await add(third, 'c');
  await waitUntil('it is switched off', TIMEOUT_MS, async () => {
    const webhook = await state(third);
    return webhook?.enabled === false ? webhook : undefined;
  });
  t.match(
    await state(third),
    { pending: 0, gone_at: Number, last_error: 'Delivery failed: HTTP 410' },
    'by a receiver that wants no more',
  );
  t.notSame((await state(third))?.gone_at, 0);
  const tried = await third.api('POST', '/api/webhooks/1/test');
  t.same(
    [tried.status, tried.json],
    [502, { error: 'webhook: Delivery failed: HTTP 410', code: 'HTTP_STATUS', data: { status: 410 } }],
  );
  t.same(receiver.bad, []);
});

void t.test('a receiver that never answers keeps the engine from nothing at the end', async (t) => {
  const [dataDir, savePath] = [await temporaryDirectory(), await temporaryDirectory()];
  const silent = await startUpstream(() => undefined);
  t.teardown(() => silent.close());
  const tracker = await startHttpTracker();
  t.teardown(() => tracker.close());
  const first = await startDaemon({ dataDir, savePath });
  await makeWebhook(first, silent.origin);
  const made = makeTorrent({
    name: 'film.bin',
    pieceLength: KIB,
    files: seededBytes(1, KIB),
    trackers: [tracker.announceUrl],
  });
  await first.addTorrentFile(made.torrentBytes);
  const events = () => tracker.announces.map(({ event }) => event);
  await waitUntil('an attempt', TIMEOUT_MS, () => silent.requests[0]);
  await waitUntil('an announce', TIMEOUT_MS, () => (events().includes('started') ? true : undefined));
  t.match(await first.stop(), { code: 0 });
  t.equal(events().at(-1), 'stopped');
  t.notMatch(first.stderr, /does not wait/);

  const second = await startDaemon({ dataDir, savePath });
  t.teardown(() => second.stop());
  await waitUntil('it is sent again', TIMEOUT_MS, () => silent.requests[1]);
  t.equal(silent.requests[1]?.headers['webhook-id'], silent.requests[0]?.headers['webhook-id']);
});

void t.test('the program of the machine’s owner; its flags', async (t) => {
  const folder = await temporaryDirectory();
  const program = join(folder, 'told.sh');
  await writeFile(program, '#!/bin/sh\nprintf "%s\\n" "$*" >> "$1"\n', { mode: 0o755 });
  const lines = join(folder, 'lines');
  const args = ['--hook-program', program, '--hook-arguments', JSON.stringify([lines, '{event}', '{name}'])];
  const daemon = await startDaemon({ args: [...args, '--hook-events', 'added,removed'] });
  t.teardown(() => daemon.stop());
  const hash = 'd'.repeat(40);
  await daemon.api('POST', '/api/torrents/magnet', { magnet: `magnet:?xt=urn:btih:${hash}&dn=$(id)` });
  await daemon.api('DELETE', `/api/torrents/${hash}`);
  const told = await waitUntil('two runs', TIMEOUT_MS, async () => {
    const text = await readFile(lines, 'utf8').catch(() => '');
    return text.split('\n').length > 2 ? text : undefined;
  });
  t.same(told.trim().split('\n').sort(), [`${lines} added $(id)`, `${lines} removed $(id)`]);
});

void t.test('without --fetch-allow nothing inside is told', async (t) => {
  const receiver = await startReceiver(t);
  const daemon = await startDaemon({ closedInside: true });
  t.teardown(() => daemon.stop());
  const refused = await daemon.api('POST', '/api/webhooks', { url: receiver.upstream.origin });
  t.match(
    [refused.status, refused.json],
    [400, { error: 'url: This URL points to a private address. Allow it with --fetch-allow.' }],
  );
  t.equal(receiver.upstream.connections, 0);
});
