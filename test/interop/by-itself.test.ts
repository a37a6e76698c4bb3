// A day of a service that nobody looks at, with real sockets and other programs: a feed publishes an item, a filter takes
// it, it is downloaded from a seed (and not from the one that a blocklist names), seeded until its ratio is reached, and
// paused; meanwhile a torrent file is dropped into the watch folder. Nobody asks for any of it through the API.
import t from 'tap';
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { startDaemon } from '../support/daemon.js';
import { startHttpTracker } from '../support/http-tracker.js';
import { libtorrent, testWith } from '../support/peers/index.js';
import { digestsOf, KIB, MIB, writePayload, type Payload } from '../support/peers/payload.js';
import { listenRaw } from '../support/peers/raw-listener.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { startUpstream } from '../support/upstream.js';

const TOTAL_BYTES = 8 * MIB + 5;
const PIECE_LENGTH = 64 * KIB;
/** A feed is polled within 10 s, a watched file needs two looks, a seeding check comes each 30 s. */
const TIMEOUT_MS = 60_000;
const BLOCKED_HOST = '127.0.0.2';
const LIST = `# two of them\nSomebody else:10.1.2.3-10.1.2.9\nThe second seed:${BLOCKED_HOST}-${BLOCKED_HOST}\n`;

t.setTimeout(200_000);

void testWith(t, libtorrent, 'feed, filter, category, blocklist, ratio, watch folder', async (t) => {
  const scratch = await makeScratch('by-itself', 4 * TOTAL_BYTES);
  t.teardown(() => scratch.remove());
  const folder = async (name: string): Promise<string> => {
    const path = join(scratch.path, name);
    await mkdir(path, { recursive: true });
    return path;
  };
  const wanted = await writePayload(await folder('seed'), TOTAL_BYTES, PIECE_LENGTH, 21);
  const other = await writePayload(await folder('seed'), MIB, PIECE_LENGTH, 22);
  const seed = await libtorrent.start();
  t.teardown(() => seed.close());
  await seed.seed(wanted.torrent(), wanted.directory);
  const blocked = await listenRaw(undefined, BLOCKED_HOST);
  t.teardown(() => blocked.close());
  const tracker = await startHttpTracker({
    respond(_request, response) {
      const peers = Buffer.concat([compact('127.0.0.1', seed.port), compact(BLOCKED_HOST, blocked.port)]);
      response.end(Buffer.concat([Buffer.from(`d8:intervali1800e5:peers${peers.length}:`), peers, Buffer.from('e')]));
      return true;
    },
  });
  t.teardown(() => tracker.close());
  let published: readonly Payload[] = [other];
  const upstream = await startUpstream((request, response) => {
    const isList = request.url === '/list.gz';
    response.setHeader('Content-Type', isList ? 'application/gzip' : 'application/rss+xml');
    response.end(isList ? gzipSync(LIST) : feedOf(published, tracker.announceUrl));
  });
  t.teardown(() => upstream.close());

  const watched = await folder('watched');
  const shelf = await folder('shelf');
  const daemon = await startDaemon({ bytes: 2 * TOTAL_BYTES });
  t.teardown(() => daemon.stop());
  const put = async (path: string, body: unknown): Promise<void> => {
    const answer = await daemon.api('PUT', path, body);
    t.equal(answer.status, 200, `PUT ${path} ${JSON.stringify(answer.json)}`);
  };
  const made = async (path: string, body: unknown): Promise<number> => {
    const answer = await daemon.api<{ id: number }>('POST', path, body);
    t.equal(answer.status, 200, `POST ${path} ${JSON.stringify(answer.json)}`);
    return answer.json.id;
  };

  await put('/api/settings/blocklist', { url: `${upstream.origin}/list.gz`, enabled: true });
  await waitUntil('the blocklist', TIMEOUT_MS, async () => {
    const { json } = await daemon.api<{ last_loaded_at: number }>('GET', '/api/settings/blocklist');
    return json.last_loaded_at > 0 || undefined;
  });
  await put('/api/settings/seeding_defaults', { ratio_limit: 1, time_min_limit: null });
  await put('/api/settings/watch_folder', { path: watched, delete_after_add: false, enabled: true });
  const category_id = await made('/api/categories', { name: 'films', default_save_path: shelf, color: '' });
  published = [wanted];
  const feed_id = await made('/api/feeds', { url: `${upstream.origin}/feed.xml`, name: 'films' });
  await made('/api/filters', { feed_id, regex: `(?i)^the ${wanted.name}$`, category_id, save_path: '' });

  const id = await waitUntil('the item is added', TIMEOUT_MS, async () => {
    return (await daemon.torrents()).find((torrent) => torrent.id === wanted.infoHash)?.id;
  });
  const done = await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
  t.match(done, { save_path: shelf, category_id, paused: false });
  t.same(await digestsOf(wanted, shelf), wanted.digests);
  t.equal(blocked.callers.length, 0, 'the seed on the blocklist was not called');
  t.equal((await daemon.torrents()).length, 1, 'what the filter does not name was not added');

  // Written elsewhere and moved in, as a browser does it.
  await writeFile(join(scratch.path, 'dropped'), other.torrent());
  await rename(join(scratch.path, 'dropped'), join(watched, 'dropped.torrent'));

  const leech = await libtorrent.start();
  t.teardown(() => leech.close());
  await leech.leech(wanted.torrent(), await folder('leech'));
  await leech.addPeer?.(daemon.peerPort);
  await waitUntil('the leech has everything', TIMEOUT_MS, async () => (await leech.progress()).isSeeding || undefined);
  await daemon.waitFor(id, ({ paused }) => paused, TIMEOUT_MS);
  t.pass('paused when it had given back what it took');

  await daemon.waitFor(other.infoHash, ({ save_path }) => save_path === daemon.savePath, TIMEOUT_MS);
  t.same(await readdir(watched), ['dropped.torrent.added']);
});

function compact(host: string, port: number): Buffer {
  return Buffer.from([...host.split('.').map(Number), port >> 8, port & 0xff]);
}

function feedOf(payloads: readonly Payload[], announceUrl: string): string {
  const items = payloads.map(
    (payload) =>
      `<item><title>The ${payload.name}</title><guid>${payload.infoHash}</guid>` +
      `<link>${payload.magnet({ trackers: [announceUrl] }).replaceAll('&', '&amp;')}</link></item>`,
  );
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>films</title>${items.join('')}</channel></rss>`;
}
