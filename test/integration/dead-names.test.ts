// Names that are never answered stall nobody but whoever brings them: a daemon that asks a name server on loopback, which
// says nothing of some names.
import { createHash } from 'node:crypto';
import t, { type Test } from 'tap';
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { startHttpTracker, type HttpTracker } from '../support/http-tracker.js';
import { startNameServer, type NameServer } from '../support/name-server.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { makeAccount } from '../support/daemon-account.js';

const TIMEOUT_MS = 10_000;
/** Far less than the names of one account take, 90 of them for 5 s each, and far more than one that is answered. */
const SOON_MS = 10_000;

t.setTimeout(120_000);

function magnetOf(text: string, trackers: readonly string[]): string {
  const hash = createHash('sha1').update(text).digest('hex');
  return [`magnet:?xt=urn:btih:${hash}`, ...trackers.map((url) => `tr=${encodeURIComponent(url)}`)].join('&');
}

async function setUp(t: Test): Promise<{ daemon: DaemonUnderTest; names: NameServer; tracker: HttpTracker }> {
  const tracker = await startHttpTracker();
  t.teardown(() => tracker.close());
  const names = await startNameServer({ names: { 'tracker.example': '127.0.0.1' }, silent: '.dead.example' });
  t.teardown(() => names.close());
  const daemon = await startDaemon({ args: ['--name-servers', names.address] });
  t.teardown(() => daemon.stop());
  return { daemon, names, tracker };
}

void t.test('90 dead trackers of one account do not hold up another, nor does their removal', async (t) => {
  const { daemon, names, tracker } = await setUp(t);
  const [bob, alice] = [await makeAccount(daemon, 'bob'), await makeAccount(daemon, 'alice')];
  const dead = Array.from({ length: 3 }, (_, of) =>
    Array.from({ length: 30 }, (_, n) => `${n % 2 === 0 ? 'http' : 'udp'}://t${n}.m${of}.dead.example:80/announce`),
  );
  const ids: string[] = [];
  for (const [of, trackers] of dead.entries()) ids.push(await bob.client.addMagnet(magnetOf(`bob ${of}`, trackers)));
  await waitUntil('they are asked for', TIMEOUT_MS, () => names.asked.length >= 10 || undefined);

  const announced = async (text: string): Promise<number> => {
    const before = tracker.announces.length;
    const began = performance.now();
    await alice.client.addMagnet(magnetOf(text, [`http://tracker.example:${tracker.port}/announce`]));
    await waitUntil('her announce', TIMEOUT_MS, () => tracker.announces.length > before || undefined);
    return performance.now() - began;
  };
  t.ok((await announced('alice')) < SOON_MS, 'while they are resolved');
  const fetched = await alice.client.api('POST', '/api/torrents/url', {
    url: `http://tracker.example:${tracker.port}/x.torrent`,
  });
  t.match(fetched, { status: 400, json: { error: 'url: Download failed: HTTP 404' } }, 'and fetched');

  for (const id of ids) t.match(await bob.client.api('DELETE', `/api/torrents/${id}`), { status: 200 });
  t.ok((await announced('alice again')) < SOON_MS, 'and right after they were removed');
  const asked = new Set(names.asked.filter((name) => name.endsWith('.dead.example')));
  t.ok(asked.size < 80, `what was in line is dropped: ${asked.size} of 90 were asked for`);
});

void t.test('dead URLs of one account leave others theirs', async (t) => {
  const { daemon, names, tracker } = await setUp(t);
  const [bob, alice] = [await makeAccount(daemon, 'bob'), await makeAccount(daemon, 'alice')];
  for (let n = 0; n < 72; n++) {
    // Those that wait for their names, or for their turn, end with the daemon.
    bob.client.api('POST', '/api/torrents/url', { url: `http://u${n}.dead.example/x.torrent` }).catch(() => undefined);
  }
  await waitUntil('the first are asked for', TIMEOUT_MS, () => names.asked.length >= 2 || undefined);
  const own = await alice.client.api('POST', '/api/torrents/url', { url: `http://tracker.example:${tracker.port}/x` });
  t.match(own, { status: 400, json: { error: 'url: Download failed: HTTP 404' } });
  const asked = new Set(names.asked.filter((name) => name.endsWith('.dead.example')));
  t.ok(asked.size < 72, `the others wait: ${asked.size} of 72 were asked for`);
});
