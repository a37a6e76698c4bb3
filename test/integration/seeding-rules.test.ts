// Seeding rules over a daemon, its files and a libtorrent that takes what makes the ratio: what is removed with its data,
// what is paused or tagged by its category and tracker, and files that stay because another account holds the torrent.
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { makeAccount } from '../support/daemon-account.js';
import { startDaemon } from '../support/daemon.js';
import { libtorrent, testWith } from '../support/peers/index.js';
import { MIB, writePayload, type Payload } from '../support/peers/payload.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';

const TIMEOUT_MS = 90_000;
const PIECE_BYTES = 256 * 1024;
const NO_LIMITS = { ratio_limit: null, time_min_limit: null, inactive_min_limit: null };

interface Listed {
  readonly id: string;
  readonly paused: boolean;
  readonly tags: readonly { readonly name: string }[];
}

t.setTimeout(240_000);

void testWith(
  t,
  libtorrent,
  'what a torrent gave decides, by the rules of its category, its tracker and all',
  async (t) => {
    const source = await makeScratch('seeding-source', 8 * MIB);
    t.teardown(() => source.remove());
    const target = await makeScratch('seeding-target', 8 * MIB);
    t.teardown(() => target.remove());
    const leech = await libtorrent.start();
    t.teardown(() => leech.close());
    const daemon = await startDaemon();
    t.teardown(() => daemon.stop());
    const ann = await makeAccount(daemon, 'ann');
    const ask = async <Body = { id: number }>(method: string, path: string, body?: unknown) => {
      const { status, json } = await daemon.api<Body>(method, path, body);
      if (status !== 200) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(json)}`);
      return json;
    };
    const label = async (kind: string, name: string) =>
      (await ask('POST', `/api/${kind}`, { name, color: '', ...(kind === 'categories' && { default_save_path: '' }) }))
        .id;

    const [purge, kept, tag] = [await label('categories', 'purge'), await label('categories', 'kept'), await label('tags', 'seeded')]; // prettier-ignore
    const rules = '/api/settings/seeding_rules';
    const gone = { ratio_limit: 0.9, time_min_limit: null, action: 'remove_with_data' };
    await ask('PUT', `${rules}/category`, { category_id: purge, rule: gone });
    await ask('PUT', `${rules}/category`, { category_id: kept, rule: { time_min_limit: null } });
    const trackerRule = { time_min_limit: 0, action: 'tag', tag_id: tag };
    await ask('PUT', `${rules}/tracker`, { host: 'tracker.invalid', rule: trackerRule });
    await ask('PUT', `${rules}/defaults`, { ...NO_LIMITS, time_min_limit: 0, action: 'pause' });

    const payloads = await Promise.all([1, 2, 3, 4, 5].map((seed) => writePayload(join(source.path, String(seed)), MIB, PIECE_BYTES, seed))); // prettier-ignore
    const [given, shared, untaken, tagged, plain] = payloads as [Payload, Payload, Payload, Payload, Payload];
    const add = async (payload: Payload, category: number | null, trackers: readonly string[] = []) => {
      const id = await daemon.addTorrentFile(payload.torrent(trackers), payload.directory);
      await ask('POST', '/api/torrents/category', { infohash: id, category_id: category });
      return id;
    };
    const ids = {
      given: await add(given, purge),
      shared: await add(shared, purge),
      untaken: await add(untaken, purge),
      tagged: await add(tagged, null, ['http://a.tracker.invalid/announce']),
    };
    const kept_id = await add(plain, kept);
    await ann.client.addTorrentFile(shared.torrent());
    for (const payload of [given, shared]) {
      await leech.leech(payload.torrent(), target.path);
      await daemon.addPeers(payload === given ? ids.given : ids.shared, leech.address);
    }

    const listed = async () =>
      new Map((await ask<Listed[]>('GET', '/api/torrents')).map((torrent) => [torrent.id, torrent]));
    const isThere = (payload: Payload) =>
      access(join(payload.directory, payload.name, 'film.bin')).then(
        () => true,
        () => false,
      );
    const heldBy = async (id: string) =>
      (await ask<{ username: string }[]>('GET', `/api/torrents/${id}/shares`)).map(({ username }) => username);
    await waitUntil('what gave enough to be gone', TIMEOUT_MS, async () => {
      const isGone = !(await listed()).has(ids.given) && !(await isThere(given));
      return (isGone && (await heldBy(ids.shared)).join() === 'ann') || undefined;
    });
    await waitUntil('the tag', TIMEOUT_MS, async () => (await listed()).get(ids.tagged)?.tags[0]?.name);

    const left = await listed();
    t.same(left.get(ids.tagged)?.paused, false, 'only a tag');
    t.ok(left.has(ids.untaken), 'without a ratio it stays, and its time is not up');
    t.ok(await isThere(untaken));
    t.same(left.get(kept_id)?.paused, false, 'no limit of its category stands before that of all');
    t.ok(await isThere(shared));
  },
);
