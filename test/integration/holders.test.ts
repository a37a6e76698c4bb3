// A torrent that several accounts hold, over the API of a whole daemon, with a tracker that hears what each has brought
// and a seed that really has the data: what each may do and is shown, what stays when one goes, and what the next run knows.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { WebSocket } from 'ws';
import { startDaemon, type DaemonUnderTest, type Reply, type TorrentView } from '../support/daemon.js';
import { startHttpTracker, type HttpTracker } from '../support/http-tracker.js';
import { makeTorrent, seededBytes, type MadeTorrent } from '../support/make-torrent.js';
import { KIB, MIB } from '../support/peers/payload.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';

const TIMEOUT_MS = 60_000;
const PASSWORD = 'correct horse';
const ARGS = ['--fetch-allow', '127.0.0.0/8'];
const NAME = 'film.bin';

t.setTimeout(240_000);

interface Shown extends TorrentView {
  readonly access: string;
  readonly download_rate: number;
  readonly category_id: number | null;
  readonly sequential: boolean;
}

/** An account of the daemon, by its API key. */
class User {
  constructor(
    readonly daemon: DaemonUnderTest,
    readonly userId: number,
    private readonly key: string,
  ) {}

  /** The same account in another run. */
  in(daemon: DaemonUnderTest): User {
    return new User(daemon, this.userId, this.key);
  }

  get headers() {
    return { authorization: `Bearer ${this.key}` };
  }

  async call<Body = Readonly<Record<string, unknown>>>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Reply<Body>> {
    const sent = body === undefined || body instanceof FormData ? body : JSON.stringify(body);
    const answer = await fetch(`${this.daemon.url}${path}`, { method, headers: this.headers, body: sent ?? null });
    return { status: answer.status, json: (await answer.json()) as Body };
  }

  addFile(bytes: Uint8Array) {
    const form = new FormData();
    form.set('file', new Blob([bytes]), 'a.torrent');
    return this.call('POST', '/api/torrents/file', form);
  }

  /** By the route that says whether it was there. */
  addMagnet(hash: string, tracker?: string, more: Readonly<Record<string, unknown>> = {}) {
    const tr = tracker ? `&tr=${encodeURIComponent(tracker)}` : '';
    return this.call('POST', '/api/torrents/url', { url: `magnet:?xt=urn:btih:${hash}${tr}`, ...more });
  }

  async list(): Promise<readonly Shown[]> {
    return (await this.call<readonly Shown[]>('GET', '/api/torrents')).json;
  }

  async find(id: string): Promise<Shown | undefined> {
    return (await this.list()).find((torrent) => torrent.id === id);
  }

  async trackers(id: string): Promise<string[]> {
    return new URL((await this.find(id))?.magnet ?? 'magnet:?').searchParams.getAll('tr');
  }

  /** Trackers of the first frame that shows the torrent in detail. */
  async inspected(id: string): Promise<readonly { readonly url: string; readonly status: string }[]> {
    const socket = new WebSocket(`${this.daemon.url.replace('http', 'ws')}/api/ws`, { headers: this.headers });
    try {
      await once(socket, 'open');
      await this.call('POST', '/api/inspector/focus', { id, tabs: ['trackers', 'peers', 'files'] });
      for (;;) {
        const [data] = (await once(socket, 'message')) as [Buffer];
        const { type, payload } = JSON.parse(String(data)) as { type: string; payload: { trackers: [] } };
        if (type === 'inspector:tick') return payload.trackers;
      }
    } finally {
      socket.close();
    }
  }
}

async function signUp(daemon: DaemonUnderTest, username: string): Promise<User> {
  const rights = { perm_add_torrents: true, perm_share: true };
  const made = await daemon.api<{ id: number }>('POST', '/api/users', { username, password: PASSWORD, ...rights });
  const origin = daemon.url;
  const signedIn = await fetch(`${origin}/api/login`, {
    method: 'POST',
    headers: { origin },
    body: JSON.stringify({ username, password: PASSWORD }),
  });
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const rotated = await fetch(`${origin}/api/me/api_key/rotate`, { method: 'POST', headers: { origin, cookie } });
  const { api_key: key } = (await rotated.json()) as { api_key: string };
  return new User(daemon, made.json.id, key);
}

const film = (seed: number, trackers: readonly string[], isPrivate = false): MadeTorrent =>
  makeTorrent({ name: NAME, pieceLength: 64 * KIB, files: seededBytes(seed, MIB), trackers, private: isPrivate });

const until = (what: string, isMet: () => boolean | Promise<boolean>) =>
  waitUntil(what, TIMEOUT_MS, async () => ((await isMet()) ? true : undefined));

const keyOf = (name: string) => createHash('md5').update(name).digest('hex');

const passkey = (tracker: HttpTracker, of: string) => tracker.announceUrl.replace(/announce$/, `announce/${keyOf(of)}`);

/** Times that the tracker has heard of somebody, in all or with the event. */
const heard = (tracker: HttpTracker, of: string, event = '') =>
  tracker.requests.filter((path) => path.includes(keyOf(of)) && path.includes(event)).length;

void t.test('what several hold is theirs together, and to each its own', async (t) => {
  const tracker = await startHttpTracker();
  t.teardown(() => tracker.close());
  const scratch = await makeScratch('holders', 8 * MIB);
  t.teardown(() => scratch.remove());
  const state = { dataDir: join(scratch.path, 'data'), savePath: join(scratch.path, 'files'), args: ARGS };
  const of = (name: string, seed = 1) => film(seed, [passkey(tracker, name)]);
  const id = of('ann').infoHash;
  await startSeed(t, of('seed'));
  let daemon = await startDaemon(state);
  t.teardown(() => daemon.stop());
  let [ann, bob, eve] = [await signUp(daemon, 'ann'), await signUp(daemon, 'bob'), await signUp(daemon, 'eve')];
  const runs = (user: User, isMet: (torrent: Shown) => boolean) =>
    until('a torrent as it should be', async () => {
      const torrent = await user.find(id);
      return torrent !== undefined && isMet(torrent);
    });

  await t.test('the first one, paused and empty, keeps it from nobody', async (t) => {
    t.match(await eve.addMagnet(id, undefined, { paused: true }), { status: 200 });
    t.match(await ann.addFile(of('ann').torrentBytes), { status: 200, json: { id } });
    await runs(ann, ({ completed }) => completed);
    t.match(await ann.find(id), { access: 'owner', paused: false, name: NAME });
    t.same(await readFile(join(daemon.savePath, NAME)), Buffer.from(of('ann').payload));
    t.match(await eve.find(id), { paused: true, peers: 0, progress: 1, name: NAME, access: 'owner' });
    t.same(await eve.trackers(id), []);
  });

  await t.test('an answer does not tell whether others have it', async (t) => {
    const fresh = await bob.addMagnet('b'.repeat(40));
    t.same(fresh.json, { ok: true });
    const joined = await bob.addMagnet(id, passkey(tracker, 'bob'));
    t.same([joined.status, joined.json], [200, fresh.json]);
    t.same((await bob.addMagnet(id)).json, { ok: true, existed: true }, 'its own it knows');
  });

  await t.test('passkeys are their own', async (t) => {
    await until('an announce', () => heard(tracker, 'ann') > 0 && heard(tracker, 'bob') > 0);
    t.same(await bob.trackers(id), [passkey(tracker, 'bob')]);
    t.same(await ann.trackers(id), [passkey(tracker, 'ann')]);
    t.same(
      (await bob.inspected(id)).map(({ url }) => url),
      [passkey(tracker, 'bob')],
    );
    t.same(
      (await eve.inspected(id)).map(({ url }) => url),
      [],
    );
    const admins = new URL((await daemon.torrent(id)).magnet).searchParams.getAll('tr');
    t.same(admins, [passkey(tracker, 'ann'), passkey(tracker, 'bob')]);
    const url = passkey(tracker, 'ann');
    t.match(await bob.call('DELETE', `/api/torrents/${id}/trackers`, { url }), { status: 200 });
    t.same(await ann.trackers(id), [url], "nobody takes another's away");
    t.match(await eve.call('POST', `/api/torrents/${id}/trackers`, { url: passkey(tracker, 'eve') }), { status: 200 });
    t.same(await ann.trackers(id), [url]);
    t.same(await eve.inspected(id), [{ ...NEVER, url: passkey(tracker, 'eve'), status: 'not contacted' }]);
    t.equal(heard(tracker, 'eve'), 0, 'who has paused it announces nothing');
  });

  await t.test('what is shared is the share', async (t) => {
    const shares = (user: User) => user.call<{ username: string }[]>('GET', `/api/torrents/${id}/shares`);
    t.same(
      (await shares(bob)).json.map(({ username }) => username),
      ['bob'],
    );
    const all = await daemon.api<{ username: string }[]>('GET', `/api/torrents/${id}/shares`);
    t.same(
      all.json.map(({ username }) => username),
      ['eve', 'ann', 'bob'],
    );
    const grant = { user_id: bob.userId, access: 'viewer' };
    t.match(await ann.call('POST', `/api/torrents/${id}/shares`, grant), { status: 200 });
    t.match(await bob.find(id), { access: 'owner' }, 'its own comes first');
    t.same(await bob.trackers(id), [passkey(tracker, 'bob')]);
    t.match(await bob.call('POST', '/api/torrents/sequential', { infohash: id, enabled: true }), { status: 200 });
    t.match(await bob.find(id), { sequential: true });
    t.match(await ann.find(id), { sequential: false });
    t.match(await daemon.api('GET', `/api/stats`), { json: { total_torrents: 2 } });
    t.match(await eve.call('GET', `/api/stats`), { json: { total_torrents: 1, total_peers: 0 } });
  });

  await t.test('paused is it when all have paused', async (t) => {
    const act = (user: User, action: string) => user.call('POST', `/api/torrents/${id}/${action}`);
    await act(ann, 'pause');
    t.match([await ann.find(id), await bob.find(id)], [{ paused: true }, { paused: false }]);
    t.equal((await daemon.torrent(id)).paused, false);
    await until('an announce', () => heard(tracker, 'ann', 'event=stopped') > 0);
    await act(bob, 'pause');
    t.equal((await daemon.torrent(id)).paused, true);
    await daemon.api('POST', `/api/torrents/${id}/resume`);
    t.match([await ann.find(id), await bob.find(id), await eve.find(id)], Array(3).fill({ paused: false }));
    await act(eve, 'pause');
    t.equal((await daemon.torrent(id)).paused, false);
  });

  await t.test('the data stay while one is left', async (t) => {
    t.match(await bob.call('DELETE', `/api/torrents/${id}?delete=1`), { status: 200 });
    t.match(await bob.find(id), { access: 'viewer' }, 'what is shared with it is left');
    t.notMatch((await bob.find(id))?.magnet, keyOf('ann'), 'without the passkey');
    t.match(await bob.call('DELETE', `/api/torrents/${id}?delete=1`), { status: 403 });
    t.match(await ann.call('DELETE', `/api/torrents/${id}/shares/${bob.userId}`), { status: 200 });
    t.equal(await bob.find(id), undefined);
    await until('an announce', () => heard(tracker, 'bob', 'event=stopped') > 0);
    t.same(await readFile(join(daemon.savePath, NAME)), Buffer.from(of('ann').payload));
    await ann.call('POST', `/api/torrents/${id}/recheck`);
    await runs(ann, ({ verifying, completed }) => !verifying && completed);
    t.match(await ann.find(id), { files_missing: false, progress: 1, paused: false });
    t.match(await eve.call('POST', `/api/torrents/${id}/recheck`), { status: 400 }, 'not again and again');
  });

  await t.test('the next run knows every share', async (t) => {
    await daemon.stop();
    daemon = await startDaemon(state);
    [ann, bob, eve] = [ann.in(daemon), bob.in(daemon), eve.in(daemon)];
    t.match(await ann.find(id), { access: 'owner', paused: false });
    t.match(await eve.find(id), { access: 'owner', paused: true });
    t.equal(await bob.find(id), undefined);
    t.same(await ann.trackers(id), [passkey(tracker, 'ann')]);
    await runs(ann, ({ completed }) => completed);
  });

  await t.test('the share of an account that is deleted goes; what it alone held is account 1s', async (t) => {
    const remove = (user: User) => daemon.api('DELETE', `/api/users/${user.userId}`);
    const holders = async () =>
      (await daemon.api<{ username: string }[]>('GET', `/api/torrents/${id}/shares`)).json.map((each) => each.username);
    t.match(await remove(eve), { status: 200 });
    t.same(await holders(), ['ann']);
    t.match(await ann.find(id), { paused: false, completed: true });
    t.match(await remove(ann), { status: 200 });
    t.same(await holders(), ['admin']);
    t.match(await daemon.api('POST', `/api/torrents/${id}/pause`), { status: 200 });
    t.equal((await daemon.torrent(id)).paused, true);
    t.match(await daemon.api('DELETE', `/api/torrents/${id}?delete=1`), { status: 200 });
    await until('no data', () =>
      readFile(join(daemon.savePath, NAME)).then(
        () => false,
        () => true,
      ),
    );
  });

  await t.test('a private torrent is joined with its file, not by its hash', async (t) => {
    const secret = (name: string) => film(9, [passkey(tracker, name)], true);
    const hash = secret('x').infoHash;
    t.match(await bob.addFile(secret('bobs').torrentBytes), { status: 200 });
    const cat = await signUp(daemon, 'cat');
    const refused = await cat.addMagnet(hash, passkey(tracker, 'cats'));
    t.same([refused.status, refused.json], [400, { error: 'torrent already exists' }]);
    t.same(await cat.list(), []);
    t.match(await cat.addFile(secret('cats').torrentBytes), { status: 200 });
    t.same(await cat.trackers(hash), [passkey(tracker, 'cats')]);
    t.same(await bob.trackers(hash), [passkey(tracker, 'bobs')]);
    t.match(await daemon.api('DELETE', `/api/torrents/${hash}`), { status: 200 });
    t.same([await bob.find(hash), await cat.find(hash)], [undefined, undefined], 'an administrator removes it for all');
  });
  t.notMatch(daemon.stderr, /"level":"(error|fatal)"/, 'no failure of ours was logged');
});

const UNASKED = { interval: 0, min_interval: 0 };
const NEVER = { tier: 0, seeds: 0, peers: 0, downloaded: 0, last_announce: 0, next_announce: 0, ...UNASKED };

/** Another daemon that has the data. */
async function startSeed(t: Test, made: MadeTorrent): Promise<void> {
  const seed = await startDaemon({ args: ARGS, bytes: 2 * MIB });
  t.teardown(() => seed.stop());
  await mkdir(seed.savePath, { recursive: true });
  await writeFile(join(seed.savePath, NAME), made.payload);
  const id = await seed.addTorrentFile(made.torrentBytes);
  await seed.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
}
