// The hub on a virtual clock, with the server's end of a WebSocket played by an object that remembers.
import { EventEmitter } from 'node:events';
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import t from 'tap';
import { Hub, type HubDeps } from '../../../../api/ws/hub.js';
import { HubClient } from '../../../../api/ws/hub-client.js';
import { firstAdmin, type Account } from '../../../../api/auth/account.js';
import { ADMIN_ACCOUNT_ID, parseAccountId } from '../../../../shared-protocol/ids.js';
import { EngineHealth } from '../../../../api/services/engine-health.js';
import type { GlobalStats } from '../../../../shared-protocol/dto/torrents.js';
import { VirtualClock } from '../../../support/virtual-clock.js';
import type { HubSocket } from '../../../../api/ws/hub-client.js';
import { DeflatedLists } from '../../../../api/torrent-list/deflated-lists.js';
import type { Deflate } from '../../../../api/torrent-list/deflate/deflated-part.js';
import type { ListSnapshot } from '../../../../api/torrent-list/list-snapshot.js';
import { madeList, madeChunk } from '../../../support/made-list.js';

const ADMIN = firstAdmin('', 0);
const BOB: Account = { ...ADMIN, id: parseAccountId(2), username: 'bob', role: 'user' };

/** A connection whose other end reads only when told to, unless it is fast. */
class SlowSocket extends EventEmitter implements HubSocket {
  constructor(private readonly isFast = false) {
    super();
  }

  readonly OPEN = 1;
  readyState = 1;
  bufferedAmount = 0;
  get pending(): number {
    return this.bufferedAmount;
  }
  /** As they came over the connection. */
  readonly raw: Buffer[] = [];
  ended: string | null = null;
  pings = 0;
  closes = 0;
  readonly pongs: Buffer[] = [];
  readonly #unread: (() => void)[] = [];

  /** Texts, deflated or not. */
  get frames(): string[] {
    return this.raw.map(textOf);
  }

  write(parts: readonly Uint8Array[], done: () => void): void {
    this.raw.push(Buffer.concat(parts));
    if (this.isFast) return done();
    this.bufferedAmount += parts.reduce((sum, { length }) => sum + length, 0);
    this.#unread.push(done);
  }
  /** Until nothing more comes. */
  readAll(): void {
    while (this.#unread.length > 0) {
      this.bufferedAmount = 0;
      for (const done of this.#unread.splice(0)) done();
    }
  }
  ping(): void {
    this.pings++;
  }
  pong(data: Buffer): void {
    this.pongs.push(data);
  }
  close(code: number, reason: string): void {
    this.readyState = 2;
    this.closes++;
    this.ended = `${code} ${reason}`;
  }
  terminate(): void {
    this.ended ??= 'terminated';
    this.emit('close');
  }
}

/** What a frame from a server says (RFC 6455 section 5.2, RFC 7692). */
function textOf(frame: Buffer): string {
  const short = frame[1] ?? 0;
  const [length, at] =
    short === 127 ? [Number(frame.readBigUInt64BE(2)), 10] : short === 126 ? [frame.readUInt16BE(2), 4] : [short, 2];
  if (frame.length !== at + length) throw new Error(`${frame.length} bytes, not ${at + length}`);
  const payload = frame.subarray(at);
  if (frame[0] === 0b1000_0001) return payload.toString();
  if (frame[0] !== 0b1100_0001) throw new Error(`first byte ${frame[0]}`);
  const deflated = Buffer.concat([payload, Buffer.of(0x00, 0x00, 0xff, 0xff)]);
  return inflateRawSync(deflated, { finishFlush: constants.Z_SYNC_FLUSH }).toString();
}

/** Its one torrent is called so. */
function snapshotOf(name: string): ListSnapshot {
  return madeList(madeChunk(name));
}

function frameOf(name: string): string {
  return `{"type":"torrents:tick","payload":${Buffer.concat(snapshotOf(name).json).toString()}}`;
}

const ADMIN_TORRENTS = frameOf('admin');
const BOB_TORRENTS = frameOf('bob');
const STATS = JSON.stringify({ type: 'stats:tick', payload: snapshotOf('admin').totals });

/** In this thread. */
const DEFLATE: Deflate = {
  deflate: async (parts) =>
    parts.map((part) => {
      const plain = Buffer.alloc(part.byteLength);
      part.copyTo(plain, 0);
      const bytes = deflateRawSync(plain, { finishFlush: constants.Z_SYNC_FLUSH });
      return { bytes, plainLength: plain.length, checksum: 0 };
    }),
};

function start({ deflate = DEFLATE, remotes }: Partial<Pick<HubDeps, 'deflate' | 'remotes'>> = {}) {
  const clock = new VirtualClock();
  const accounts = new Map([ADMIN, BOB].map((account) => [account.id, account]));
  const sessions = new Map([['token', ADMIN_ACCOUNT_ID]]);
  const built: string[] = [];
  /** What each account's inspector answers. */
  const details = new Map<number, Buffer>();
  /** In place of the usual list, as text. */
  const sent: { torrents?: string } = {};
  const away: { names: readonly string[] } = { names: [] };
  const warnings: string[] = [];
  const hub = new Hub({
    accounts: { find: (id) => accounts.get(id) },
    sessions: { accountOf: (token) => sessions.get(token) ?? null },
    snapshots: {
      of: async ({ username }) => {
        built.push(username);
        return snapshotOf(sent.torrents ?? username);
      },
    },
    deflatedLists: new DeflatedLists(deflate),
    deflate,
    inspector: { tick: async ({ id }) => (details.has(id) ? [details.get(id)!] : null) },
    engineHealth: new EngineHealth({
      engine: { client: { health: () => Promise.reject(new Error('not asked')) } },
      engines: { names: ['a', 'b'], awaySinceMs: (name) => (away.names.includes(name) ? 5_000 : null) },
      now: () => clock.nowMs(),
    }),
    ...(remotes ? { remotes } : {}),
    log: { warn: (message, fields) => void warnings.push(`${message}: ${String(fields?.['reason'])}`) },
    now: () => clock.nowMs(),
  });
  const connect = async (account: Account, token?: string, isFast = true, takesDeflated = false) => {
    const socket = new SlowSocket(isFast);
    const credential = token === undefined ? ({ kind: 'bearer' } as const) : ({ kind: 'cookie', token } as const);
    const takesServers = remotes !== undefined;
    hub.add(socket, socket, { account, credential }, { takesDeflated, takesDeltas: false, takesServers });
    await clock.settle();
    return socket;
  };
  const tick = async () => {
    await hub.tick();
    await clock.settle();
  };
  return { clock, hub, accounts, sessions, built, sent, details, away, warnings, connect, tick };
}

void t.test('frames are built once for an account and tick, and its sockets share the bytes', async (t) => {
  const { built, connect, tick } = start();
  const [a, b, bob] = [await connect(ADMIN), await connect(ADMIN), await connect(BOB)];
  built.length = 0;
  await tick();
  t.same(built, ['admin', 'bob']);
  t.same(a.frames, [ADMIN_TORRENTS, STATS, ADMIN_TORRENTS, STATS], 'on opening and on the tick');
  t.same(b.frames, a.frames);
  t.same(bob.frames, [BOB_TORRENTS, STATS, BOB_TORRENTS, STATS]);
});

void t.test('while the engine is away the totals say since when', async (t) => {
  const { away, connect, tick } = start();
  const client = await connect(ADMIN);
  const told = () => JSON.parse(client.frames.at(-1)!) as { readonly payload: GlobalStats };
  away.names = ['b'];
  await tick();
  t.match(told(), {
    type: 'stats:tick',
    payload: { total_torrents: 1, engine_away_since: 5, engine_away_partly: true },
  });
  away.names = ['a', 'b'];
  await tick();
  t.equal(told().payload.engine_away_since, 5);
  t.notOk('engine_away_partly' in told().payload, 'none is there');
  away.names = [];
  await tick();
  t.equal(client.frames.at(-1), STATS);
});

void t.test('details go to every socket of their account and to no other', async (t) => {
  const { clock, details, connect, tick } = start();
  const [a, b, bob] = [await connect(ADMIN), await connect(ADMIN), await connect(BOB)];
  details.set(ADMIN.id, Buffer.from('details'));
  await tick();
  await clock.settle();
  t.equal(a.frames.at(-1), b.frames.at(-1));
  t.same(
    [a, b, bob].map(({ frames }) => frames.filter((text) => text === 'details').length),
    [1, 1, 0],
  );
  details.clear();
  await tick();
  await clock.settle();
  t.not(String(a.frames.at(-1)), 'details');
});

void t.test('revoked sessions, disabled and deleted accounts lose their sockets; keys are not sessions', async (t) => {
  const { hub, accounts, sessions, connect } = start();
  const [cookie, key, bob] = [await connect(ADMIN, 'token'), await connect(ADMIN), await connect(BOB)];
  hub.recheck();
  t.same([cookie.ended, key.ended, bob.ended], [null, null, null]);
  sessions.clear();
  accounts.set(BOB.id, { ...BOB, disabled: true });
  hub.recheck();
  t.same([cookie.ended, key.ended, bob.ended], ['1008 session revoked', null, '1008 session revoked']);
  accounts.delete(ADMIN.id);
  hub.recheck();
  t.equal(key.ended, '1008 session revoked');
});

void t.test('silence for over 60 s is the end; a pong is not silence', async (t) => {
  const { clock, hub, connect } = start();
  const [silent, alive] = [await connect(ADMIN), await connect(ADMIN)];
  for (let second = 0; second < 65; second += 5) {
    await clock.advance(5_000);
    if (second % 20 === 0) hub.ping();
    alive.emit('pong');
    hub.recheck();
  }
  t.equal(silent.ended, 'terminated');
  t.equal(alive.ended, null);
  t.equal(alive.pings, 4);
  t.equal(hub.size, 1);
});

void t.test('a client that does not read is sent one frame, and the newest of each kind once it reads', async (t) => {
  const { built, details, connect, tick, clock } = start();
  const socket = await connect(ADMIN, undefined, false);
  t.same(socket.frames, [ADMIN_TORRENTS]);
  for (let second = 0; second < 5; second++) {
    details.set(ADMIN.id, Buffer.from(`details ${second}`));
    await tick();
    await clock.settle();
  }
  t.equal(socket.frames.length, 1);
  t.equal(built.length, 6, 'nobody waits for it');
  socket.readAll();
  t.same(socket.frames, [ADMIN_TORRENTS, STATS, ADMIN_TORRENTS, 'details 4']);
  await tick();
  socket.readAll();
  t.equal(socket.frames.length, 7);
});

void t.test('a closed client gets nothing but the close', async (t) => {
  const { hub, connect, tick } = start();
  const socket = await connect(ADMIN, undefined, false);
  hub.closeAccount(ADMIN.id);
  hub.closeAccount(ADMIN.id);
  socket.readAll();
  await tick();
  t.same([socket.frames.length, socket.closes, socket.ended], [1, 1, '1008 session revoked']);
});

void t.test('who never reads is cut, whatever else it says; who reads slowly is not', async (t) => {
  const { clock, hub, connect, tick } = start();
  const [deaf, slow, fast] = [
    await connect(ADMIN, undefined, false),
    await connect(BOB, undefined, false),
    await connect(BOB),
  ];
  for (let second = 0; second < 40; second++) {
    await clock.advance(1_000);
    if (second === 20) slow.bufferedAmount -= 10;
    for (const socket of [deaf, slow, fast]) socket.emit('message');
    await tick();
  }
  t.same([deaf.ended, slow.ended, fast.ended], ['terminated', null, null]);
  t.equal(hub.size, 2);
});

void t.test('frames held for slow sockets of an account are bounded', async (t) => {
  const { clock, hub, sent, connect, tick } = start();
  const size = 18 * 1024 * 1024;
  const sockets: SlowSocket[] = [];
  for (let second = 0; second < 12; second++) {
    sent.torrents = String.fromCharCode(97 + second).repeat(size);
    sockets.push(await connect(ADMIN, undefined, false));
    await clock.advance(1_000);
    await tick();
  }
  t.ok(hub.size <= 6, `${hub.size} are left: those of the last two seconds, and three that hold a frame each`);
  t.equal(sockets.at(-1)?.ended, null);
});

void t.test('an account has so many sockets, and other accounts have theirs', async (t) => {
  const { hub, connect } = start();
  for (let i = 0; i < 50; i++) {
    hub.makeRoomFor(BOB.id);
    await connect(BOB);
  }
  t.throws(() => hub.makeRoomFor(BOB.id), { code: 'TOO_MANY_SOCKETS' });
  hub.makeRoomFor(ADMIN.id);
});

void t.test('pings are answered while somebody reads the answers', async (t) => {
  const socket = new SlowSocket();
  const client = new HubClient(
    socket,
    socket,
    { takesDeflated: false, takesDeltas: false, takesServers: false },
    ADMIN.id,
    { kind: 'bearer' },
    () => 0,
  );
  socket.emit('ping', Buffer.from('a'));
  const bytes = Buffer.alloc(65 * 1024);
  client.send({ type: 'stats:tick', length: bytes.length, plain: () => [bytes], deflated: null });
  socket.emit('ping', Buffer.from('b'));
  socket.readAll();
  socket.emit('ping', Buffer.from('c'));
  client.close(1001, '');
  socket.emit('ping', Buffer.from('d'));
  t.same(socket.pongs.map(String), ['a', 'c']);
});

void t.test('what is worth it is deflated once, for those who take it', async (t) => {
  let jobs = 0;
  const deflate: Deflate = { deflate: (parts) => (jobs++, DEFLATE.deflate(parts)) };
  const { sent, connect, tick } = start({ deflate });
  const [a, b] = [await connect(ADMIN, undefined, true, true), await connect(ADMIN, undefined, true, true)];
  const plain = await connect(ADMIN);
  t.equal(jobs, 0, 'small ones are not');
  sent.torrents = 'torrents '.repeat(1_000);
  await tick();
  t.equal(jobs, 1);
  const frame = frameOf(sent.torrents);
  for (const socket of [a, b, plain]) t.same(socket.frames.slice(-2), [frame, STATS]);
  t.equal(a.raw.at(-2)?.[0], 0b1100_0001, 'final, deflated, text');
  t.ok(a.raw.at(-2)!.length < 400);
  t.equal(plain.raw.at(-2)?.[0], 0b1000_0001);
});

void t.test('while a frame is being deflated those behind it wait, and the close does not', async (t) => {
  const waiting: (() => void)[] = [];
  const deflate: Deflate = {
    deflate: async (parts) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return DEFLATE.deflate(parts);
    },
  };
  const { hub, sent, connect, tick, clock } = start({ deflate });
  const [admin, bob] = [await connect(ADMIN, undefined, true, true), await connect(BOB, undefined, true, true)];
  sent.torrents = 'torrents '.repeat(1_000);
  await tick();
  await tick();
  t.same([admin.raw.length, bob.raw.length, waiting.length], [2, 2, 2], 'of the second tick nothing is deflated yet');
  hub.closeAccount(ADMIN.id);
  for (const release of waiting.splice(0)) release();
  await clock.settle();
  for (const release of waiting.splice(0)) release();
  await clock.settle();
  t.equal(admin.raw.length, 2);
  t.equal(bob.frames.filter((text) => text.includes('torrents torrents')).length, 2);
  t.equal(bob.frames.filter((text) => text === STATS).length, 2, 'the older one was replaced');
});

void t.test('what cannot be deflated is sent as it is', async (t) => {
  const { sent, connect, tick } = start({ deflate: { deflate: () => Promise.reject(new Error('no memory')) } });
  const socket = await connect(ADMIN, undefined, true, true);
  sent.torrents = 'torrents '.repeat(1_000);
  await tick();
  t.ok(socket.frames.at(-2)?.includes(sent.torrents));
  t.equal(socket.raw.at(-2)?.[0], 0b1000_0001);
});

void t.test('updates are told to those who can change settings', async (t) => {
  const { hub, accounts, connect } = start();
  const MANAGER = { ...BOB, id: parseAccountId(3), username: 'carol', perm_change_settings: true };
  accounts.set(BOB.id, { ...BOB, perm_change_settings: false });
  accounts.set(MANAGER.id, MANAGER);
  const sockets = [await connect(ADMIN), await connect(ADMIN), await connect(BOB), await connect(MANAGER)];
  const info = {
    available: true,
    latest_version: '2.0.0',
    asset_url: 'https://swarmd.example/a.deb',
    asset_filename: 'a.deb',
    checked_at: 1_700_000_000,
    current_version: '1.0.0',
  };
  t.equal(hub.announceUpdate(info), true);
  const updates = sockets.map(({ frames }) =>
    frames.filter((text) => text.includes('update:available')).map((text): unknown => JSON.parse(text)),
  );
  const frame = { type: 'update:available', payload: info };
  t.same(updates, [[frame], [frame], [], [frame]]);
  for (const socket of [0, 1, 3]) sockets[socket]?.terminate();
  t.equal(hub.announceUpdate(info), false, 'nobody who could do anything about it');
});

void t.test('dropping all leaves the hub open, closing it does not', async (t) => {
  const { hub, connect, tick } = start();
  const before = [await connect(ADMIN, 'token'), await connect(BOB)];
  hub.dropAll(1001, 'listener restarting');
  t.same(
    before.map(({ ended }) => ended),
    ['1001 listener restarting', '1001 listener restarting'],
  );
  for (const socket of before) socket.terminate();
  t.notOk(hub.isClosed);
  const after = await connect(ADMIN);
  await tick();
  t.equal(after.frames.length, 4);
  hub.close();
  t.ok(hub.isClosed);
  t.equal(after.ended, '1001 shutting down');
});

void t.test('remotes that cannot be asked cost a tick nothing but what is told of them', async (t) => {
  let failure: Error | null = null;
  const changesFor = async () => {
    if (failure) throw failure;
    return { parts: [Buffer.from('[]')], marks: new Map() };
  };
  const { clock, details, warnings, connect, tick } = start({ remotes: { changesFor, seenBy: () => [1] } });
  const [admin, bob] = [await connect(ADMIN), await connect(BOB)];
  details.set(ADMIN.id, Buffer.from('details'));
  const told = async (socket: SlowSocket) => {
    const before = socket.frames.length;
    await tick();
    await clock.settle();
    return socket.frames.slice(before);
  };
  const servers = '{"type":"servers:tick","payload":[]}';
  t.same(await told(admin), [ADMIN_TORRENTS, STATS, servers, 'details']);
  failure = new Error('the thread has ended');
  t.same(await told(admin), [ADMIN_TORRENTS, STATS, 'details']);
  t.same(await told(bob), [BOB_TORRENTS, STATS]);
  const warning = 'servers not told: Error: the thread has ended';
  t.same(warnings, [warning, warning], 'once for each account');
  failure = null;
  t.same(await told(bob), [BOB_TORRENTS, STATS, servers]);
  failure = new Error('it has ended again');
  await tick();
  t.equal(warnings.length, 4);
});
