// The inspector with real requests and sockets: who may look at what, and that details reach every socket of the account
// that asked for them and no other.
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { hash } from 'argon2';
import t, { type Test } from 'tap';
import { WebSocket } from 'ws';
import type { Account, AccountsData } from '../../../api/auth/account.js';
import type { TorrentDetails } from '../../../shared-protocol/commands/inspection.js';
import { parseAccountId, parseInfoHash } from '../../../shared-protocol/ids.js';
import { NEW_LIBRARY_RECORD } from '../../../shared-protocol/library-record.js';
import { TORRENT_FLAGS } from '../../../shared-protocol/stats-table.js';
import { CHEAP_ARGON2, startHarness, type Harness } from '../../support/api-harness.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { record } from '../../support/own-database.js';
import { shownPeer, shownTracker } from '../../support/shown-details.js';

const A = parseInfoHash('a'.repeat(40));
const B = parseInfoHash('b'.repeat(40));
const UNKNOWN = 'f'.repeat(40);
const BOBS_PASSWORD = 'bobs password';

/** docs/api.md, DetailDTO, without what is optional. */
const FIELDS = [
  'added_at',
  'bytes_done',
  'completed',
  'files_missing',
  'id',
  'magnet',
  'name',
  'paused',
  'peers',
  'progress',
  'ratio',
  'first_last_first',
  'save_path',
  'content_path',
  'seeds',
  'total_bytes',
  'total_down',
  'total_up',
];

const DETAILS: TorrentDetails = {
  files: [{ index: 0, path: 'a/b', sizeBytes: 8, bytesDone: 2, priority: 'high' }],
  peers: [shownPeer({ host: '8.8.8.8', client: 'x', flags: 'DE', progress: 0.5, downloadRate: 10.6 })],
  trackers: [
    shownTracker({
      url: 'udp://tracker.example:80',
      tier: 0,
      status: 'error: timed out',
      seeds: 1,
      peers: 2,
      downloaded: 3,
      lastAnnounce: 4,
      nextAnnounce: 5,
    }),
  ],
};

type Payload = Readonly<Record<string, unknown>>;

/** One of an account's sockets, and what came through it. */
class Frames {
  readonly #socket: WebSocket;
  readonly #unread: { readonly type: string; readonly payload: Payload }[] = [];
  /** The torrents whose details came, ever. */
  readonly seen = new Set<unknown>();

  constructor(harness: Harness, headers: Record<string, string>) {
    this.#socket = new WebSocket(`${harness.daemon.url.replace('http', 'ws')}/api/ws`, { headers });
    this.#socket.on('message', (data) => {
      const frame = JSON.parse(String(data)) as { type: string; payload: Payload };
      if (frame.type === 'inspector:tick') this.seen.add(frame.payload['id']);
      this.#unread.push(frame);
    });
  }

  /** The details that came up to the next of `ticks` ticks. */
  async detailsDuring(ticks: number): Promise<Payload[]> {
    const details: Payload[] = [];
    for (let seen = 0; seen < ticks;) {
      const frame = this.#unread.shift();
      if (!frame) await once(this.#socket, 'message');
      else if (frame.type === 'inspector:tick') details.push(frame.payload);
      else if (frame.type === 'stats:tick') seen++;
    }
    return details;
  }

  /** The next details that are as described. */
  async next(isMeant: (payload: Payload) => boolean = () => true): Promise<Payload> {
    for (;;) {
      const frame = this.#unread.shift();
      if (!frame) await once(this.#socket, 'message');
      else if (frame.type === 'inspector:tick' && isMeant(frame.payload)) return frame.payload;
    }
  }

  close(): void {
    this.#socket.close();
  }
}

/** Somebody with a session of his own. */
class User {
  constructor(
    private readonly harness: Harness,
    readonly headers: Record<string, string>,
  ) {}

  static async signIn(harness: Harness, username: string, password: string): Promise<User> {
    const login = await harness.call('POST', '/api/login', { body: { username, password } });
    const cookie = (login.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';
    return new User(harness, { cookie, origin: harness.daemon.url });
  }

  async add(id: string): Promise<void> {
    const body = { magnet: `magnet:?xt=urn:btih:${id}&dn=${id.slice(0, 4)}` };
    const { status, text } = await this.harness.call('POST', '/api/torrents/magnet', { headers: this.headers, body });
    if (status !== 200) throw new Error(text);
  }

  /** Status and body of the answer. */
  async focus(body: unknown): Promise<[number, Payload]> {
    const answer = await this.harness.call('POST', '/api/inspector/focus', { headers: this.headers, body });
    return [answer.status, answer.json()];
  }

  async clear(): Promise<[number, Payload]> {
    const answer = await this.harness.call('POST', '/api/inspector/clear', { headers: this.headers });
    return [answer.status, answer.json()];
  }

  open(t: Test): Frames {
    const frames = new Frames(this.harness, this.headers);
    t.teardown(() => frames.close());
    return frames;
  }
}

const OK = [200, { ok: true }];
const countryIn = ({ peers_list }: Payload) => (Array.isArray(peers_list) ? peers_list[0]?.country : undefined);
const listsIn = (payload: Payload) => Object.keys(payload).filter((name) => !FIELDS.includes(name));

async function start(t: Test) {
  const harness = await startHarness();
  t.teardown(() => harness.close());
  const admin = await User.signIn(harness, 'admin', harness.password);
  await admin.add(A);
  return { harness, admin };
}

/** `admin` with torrent A and `bob`, stored as account management will store him, with torrent B. */
async function startWithBob(t: Test) {
  const dataDir = await temporaryDirectory();
  const first = await startHarness({ dataDir });
  await first.close();
  const bob: Partial<Account> = {
    id: parseAccountId(2),
    username: 'bob',
    role: 'user',
    password_hash: await hash(BOBS_PASSWORD, CHEAP_ARGON2),
  };
  await record<AccountsData>(dataDir, 'accounts', ({ accounts }) => {
    accounts.push(...accounts.map((admin) => ({ ...admin, ...bob })));
  });
  const harness = await startHarness({ dataDir });
  t.teardown(async () => {
    await harness.close();
    await rm(dataDir, { recursive: true });
  });
  const users = {
    admin: await User.signIn(harness, 'admin', first.password),
    bob: await User.signIn(harness, 'bob', BOBS_PASSWORD),
  };
  await users.admin.add(A);
  await users.bob.add(B);
  return { harness, ...users };
}

void t.test('details come each second with the lists that were asked for, until they are cleared', async (t) => {
  const { harness, admin } = await start(t);
  harness.engine.setDetails(A, DETAILS);
  harness.engine.setStats(A, { bytesDone: 2, wantedBytes: 8, wantedDone: 2, totalDown: 3, totalUp: 1, peers: 4 });
  const frames = admin.open(t);
  t.same(await frames.detailsDuring(2), [], 'without a focus');
  t.same(harness.engine.inspections, []);

  t.same(await admin.focus({ id: A, tabs: ['files', 'peers', 'trackers'] }), OK);
  const whole = await frames.next();
  t.same(Object.keys(whole).sort(), [...FIELDS, 'files', 'peers_list', 'trackers', 'web_seeds'].sort());
  t.match(whole, {
    id: A,
    name: 'aaaa',
    bytes_done: 2,
    progress: 0.25,
    ratio: 0.5,
    total_down: 3,
    total_up: 1,
    peers: 4,
  });
  t.same(whole['files'], [{ index: 0, path: 'a/b', size: 8, bytes_done: 2, progress: 0.25, priority: 'high' }]);
  t.same(whole['trackers'], [
    {
      url: 'udp://tracker.example:80',
      tier: 0,
      status: 'error: timed out',
      seeds: 1,
      peers: 2,
      downloaded: 3,
      last_announce: 4,
      next_announce: 5,
      interval: 0,
      min_interval: 0,
    },
  ]);
  const peer = {
    ip: '8.8.8.8',
    port: 6881,
    client: 'x',
    flags: 'DE',
    progress: 0.5,
    download_rate: 11,
    upload_rate: 0,
    total_down: 0,
    total_up: 0,
  };
  t.match(whole['peers_list'], [peer]);
  const placed = await frames.next((payload) => countryIn(payload) !== '');
  t.same(placed['peers_list'], [{ ...peer, country: 'US' }], 'as soon as the database has been read');

  t.same(await admin.focus({ id: A.toUpperCase(), tabs: ['overview', 'speed', 'nonsense', 'trackers'] }), OK);
  t.same(listsIn(await frames.next((payload) => !('files' in payload))), [
    'trackers',
    'web_seeds',
    'metainfo',
    'waste',
  ]);
  t.same(await admin.focus({ id: A }), OK);
  t.same(listsIn(await frames.next((payload) => !('trackers' in payload))), [], 'no tabs');

  t.same(await admin.clear(), OK);
  await frames.detailsDuring(1);
  t.same(await frames.detailsDuring(1), []);
  t.same(await admin.clear(), OK, 'again');
});

void t.test('a finished torrent says when it was', async (t) => {
  const { harness, admin } = await start(t);
  const frames = admin.open(t);
  await admin.focus({ id: A });
  t.notOk('completed_at' in (await frames.next()));
  harness.engine.setFacts(A, { completedAt: 1_700_000_123 });
  harness.engine.setStats(A, { flags: TORRENT_FLAGS.completed });
  t.match(await frames.next(({ completed }) => completed === true), { completed_at: 1_700_000_123 });
});

void t.test('every socket of the account is shown it, whatever asked', async (t) => {
  const { harness, admin } = await start(t);
  const key = new User(harness, { authorization: `Bearer ${await harness.apiKey()}` });
  const sockets = [admin.open(t), admin.open(t), key.open(t)];
  t.same(await key.focus({ id: A, tabs: [] }), OK);
  for (const frames of sockets) t.match(await frames.next(), { id: A });
  await admin.focus({ id: '' });
  for (const frames of sockets) {
    await frames.detailsDuring(1);
    t.same(await frames.detailsDuring(1), [], 'an empty id clears');
  }
});

void t.test("one account's focus is nothing to another", async (t) => {
  const { harness, admin, bob } = await startWithBob(t);
  const [admins, bobs] = [admin.open(t), bob.open(t)];
  t.same(await admin.focus({ id: A, tabs: ['files'] }), OK);
  t.match(await admins.next(), { id: A });
  t.same(await bobs.detailsDuring(2), []);

  t.same(await bob.focus({ id: B, tabs: ['peers'] }), OK);
  t.match(await bobs.next(), { id: B, peers_list: [] });
  t.match(await admins.next(), { id: A, files: [] });
  await admin.clear();
  await admins.detailsDuring(1);
  t.same(await admins.detailsDuring(1), [], 'his own was cleared');
  t.match(await bobs.next(), { id: B }, 'the other one was not');

  bobs.close();
  await admins.detailsDuring(1);
  const asked = harness.engine.inspections.length;
  await admins.detailsDuring(2);
  t.equal(harness.engine.inspections.length, asked, 'nothing is asked for an account without sockets');
  t.same([[...admins.seen], [...bobs.seen]], [[A], [B]], 'all that was ever sent');
});

void t.test('what may be looked at', async (t) => {
  const { admin, bob } = await startWithBob(t);
  const frames = bob.open(t);
  t.same(await bob.focus({ id: B }), OK);
  for (const id of [A, UNKNOWN, 'f'.repeat(64), 'nonsense']) {
    t.same(await bob.focus({ id, tabs: [] }), [403, { error: 'forbidden' }], id);
  }
  t.match(await frames.next(), { id: B }, 'the focus is where it was');
  t.same(await admin.focus({ id: B }), OK, 'administrators see all');
  t.same(await admin.focus({ id: UNKNOWN }), [404, { error: 'torrent not found' }]);
  t.same(await admin.focus({ id: 'f'.repeat(64) }), [404, { error: 'torrent not found' }]);
  t.match(await admin.focus({ id: 'nonsense' }), [400, { error: /^id: expected an info hash/ }]);
  t.match(await admin.focus({}), [400, { error: 'id: required' }]);
  t.match(await admin.focus({ id: 7 }), [400, { error: 'id: expected string' }]);
  t.match(await admin.focus({ id: A, tabs: 'files' }), [400, { error: 'tabs: expected array' }]);
  t.match(await admin.focus({ id: A, tabs: [7] }), [400, { error: 'tabs.0: expected string' }]);
  t.same(await admin.focus({ id: A, tabs: null }), OK);
});

void t.test('viewers see no passkeys, in details or lists; revoked, the focus is gone', async (t) => {
  const { harness, bob } = await startWithBob(t);
  const secret = '0123456789abcdef'.repeat(2);
  const url = `https://tracker.example/${secret}/announce`;
  const tracker = { ...DETAILS.trackers![0]!, url, status: `error: unknown key ${secret}` as const };
  harness.engine.setDetails(A, { trackers: [tracker] });
  const share = (access: 'viewer' | 'editor' | null) =>
    harness.engine.setFacts(A, {
      trackers: url,
      library: { ...NEW_LIBRARY_RECORD, shares: access ? [{ accountId: parseAccountId(2), access }] : [] },
    });
  const frames = bob.open(t);
  share('viewer');
  t.same(await bob.focus({ id: A, tabs: ['trackers'] }), OK);
  const masked = JSON.stringify(await frames.next());
  t.notMatch(masked, secret);
  t.match(masked, 'https://tracker.example/***/announce');
  const list = await harness.call('GET', '/api/torrents', { headers: bob.headers });
  t.notMatch(list.text, secret);
  t.match(list.text, '"access":"viewer"');
  share('editor');
  const whole = await frames.next((payload) => JSON.stringify(payload).includes(secret));
  t.match(whole['trackers'], [{ url, status: `error: unknown key ${secret}` }]);
  share(null);
  await frames.detailsDuring(1);
  share('viewer');
  await frames.detailsDuring(1);
  t.same(await frames.detailsDuring(1), []);
});

void t.test('a removed torrent is not looked at any more, also when it comes back', async (t) => {
  const { harness, admin } = await start(t);
  const frames = admin.open(t);
  await admin.focus({ id: A, tabs: ['files'] });
  await frames.next();
  await harness.call('DELETE', `/api/torrents/${A}`, { headers: admin.headers });
  await admin.add(A);
  await frames.detailsDuring(1);
  t.same(await frames.detailsDuring(1), []);
});

void t.test('no details while the engine restarts, and the same ones after', async (t) => {
  const { harness, admin } = await start(t);
  const frames = admin.open(t);
  await admin.focus({ id: A, tabs: ['files'] });
  await frames.next();
  let load = () => {};
  harness.engine.startHeldBy = new Promise((resolve) => (load = resolve));
  harness.transport().kill('test');
  await frames.detailsDuring(1);
  t.same(await frames.detailsDuring(1), []);
  load();
  t.match(await frames.next(), { id: A, files: [] });
});

void t.test('its pieces: nothing before the metadata, no availability where nobody counts', async (t) => {
  const { harness, admin } = await start(t);
  const pieces = async () =>
    (await harness.call('GET', `/api/torrents/${A}/pieces`, { headers: admin.headers })).json();
  t.same(await pieces(), { piece_count: 0, piece_length: 0, have: '' });
  // A view of a larger buffer, as small arrays arrive from another thread.
  const have = Uint8Array.of(7, 0xff, 0x80, 7).subarray(1, 3);
  harness.engine.setDetails(A, { pieces: { pieceCount: 9, pieceLength: 32_768, have, availability: null } });
  t.same(await pieces(), { piece_count: 9, piece_length: 32_768, have: '/4A=' });
  t.match(harness.engine.inspections, [{ parts: ['pieces'] }, { parts: ['pieces'] }]);
});
