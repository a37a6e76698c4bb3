// The hub on a virtual clock, with the server's end of a WebSocket played by an object that remembers.
import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { constants, inflateRawSync } from 'node:zlib';
import t from 'tap';
import { Hub } from '../../../../api/ws/hub.js';
import { HubClient } from '../../../../api/ws/hub-client.js';
import type { Account } from '../../../../api/services/accounts/accounts.js';
import { firstAdmin } from '../../../../api/services/accounts/account-records.js';
import { ADMIN_ACCOUNT_ID, parseAccountId } from '../../../../shared-protocol/ids.js';
import { VirtualClock } from '../../../support/virtual-clock.js';
import type { FrameWriter, HubSocket } from '../../../../api/ws/hub-client.js';

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
  readonly frames: Buffer[] = [];
  ended: string | null = null;
  pings = 0;
  closes = 0;
  readonly pongs: Buffer[] = [];
  readonly #unread: (() => void)[] = [];

  send(frame: Buffer, _options: { binary: boolean }, done: () => void): void {
    this.frames.push(frame);
    if (this.isFast) return done();
    this.bufferedAmount += frame.length;
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

function start() {
  const clock = new VirtualClock();
  const accounts = new Map([ADMIN, BOB].map((account) => [account.id, account]));
  const sessions = new Map([['token', ADMIN_ACCOUNT_ID]]);
  const built: string[] = [];
  /** What each account's inspector answers. */
  const details = new Map<number, Buffer>();
  /** In place of the usual list. */
  const sent: { torrents?: Buffer } = {};
  const frame = (kind: string, account: Account) => {
    built.push(`${kind} ${account.username}`);
    return (kind === 'torrents' && sent.torrents) || Buffer.from(`${kind} ${account.username}`);
  };
  const hub = new Hub({
    accounts: { find: (id) => accounts.get(id) },
    sessions: { accountOf: (token) => sessions.get(token) ?? null },
    snapshots: {
      ticks: (account) => ({ torrents: frame('torrents', account), stats: frame('stats', account) }),
    },
    inspector: { tick: async (account) => details.get(account.id) ?? null },
    now: () => clock.nowMs(),
  });
  const connect = (account: Account, token?: string, isFast = true, deflated?: FrameWriter) => {
    const socket = new SlowSocket(isFast);
    const credential = token === undefined ? ({ kind: 'bearer' } as const) : ({ kind: 'cookie', token } as const);
    hub.add(socket, { account, credential }, deflated);
    return socket;
  };
  return { clock, hub, accounts, sessions, built, sent, details, connect };
}

void t.test('frames are built once for an account and tick, and its sockets share the bytes', async (t) => {
  const { hub, built, connect } = start();
  const [a, b, bob] = [connect(ADMIN), connect(ADMIN), connect(BOB)];
  built.length = 0;
  hub.tick();
  t.same(built, ['torrents admin', 'stats admin', 'torrents bob', 'stats bob']);
  t.equal(a.frames.at(-1), b.frames.at(-1));
  t.same(
    bob.frames.map(String),
    ['torrents bob', 'stats bob', 'torrents bob', 'stats bob'],
    'on opening and on the tick',
  );
});

void t.test('details go to every socket of their account and to no other', async (t) => {
  const { clock, hub, details, connect } = start();
  const [a, b, bob] = [connect(ADMIN), connect(ADMIN), connect(BOB)];
  details.set(ADMIN.id, Buffer.from('details'));
  hub.tick();
  await clock.settle();
  t.equal(a.frames.at(-1), b.frames.at(-1));
  t.same(
    [a, b, bob].map(({ frames }) => frames.map(String).filter((text) => text === 'details').length),
    [1, 1, 0],
  );
  details.clear();
  hub.tick();
  await clock.settle();
  t.not(String(a.frames.at(-1)), 'details');
});

void t.test('revoked sessions, disabled and deleted accounts lose their sockets; keys are not sessions', async (t) => {
  const { hub, accounts, sessions, connect } = start();
  const [cookie, key, bob] = [connect(ADMIN, 'token'), connect(ADMIN), connect(BOB)];
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
  const [silent, alive] = [connect(ADMIN), connect(ADMIN)];
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
  const { hub, built, details, connect, clock } = start();
  const socket = connect(ADMIN, undefined, false);
  t.same(socket.frames.map(String), ['torrents admin']);
  for (let second = 0; second < 5; second++) {
    details.set(ADMIN.id, Buffer.from(`details ${second}`));
    hub.tick();
    await clock.settle();
  }
  t.equal(socket.frames.length, 1);
  t.equal(built.length, 12, 'nobody waits for it');
  socket.readAll();
  t.same(socket.frames.map(String), ['torrents admin', 'stats admin', 'torrents admin', 'details 4']);
  hub.tick();
  socket.readAll();
  t.equal(socket.frames.length, 6);
});

void t.test('a closed client gets nothing but the close', async (t) => {
  const { hub, connect } = start();
  const socket = connect(ADMIN, undefined, false);
  hub.closeAccount(ADMIN.id);
  hub.closeAccount(ADMIN.id);
  socket.readAll();
  hub.tick();
  t.same([socket.frames.length, socket.closes, socket.ended], [1, 1, '1008 session revoked']);
});

void t.test('pings are answered while somebody reads the answers', async (t) => {
  const socket = new SlowSocket();
  const client = new HubClient(socket, ADMIN.id, { kind: 'bearer' }, () => 0);
  socket.emit('ping', Buffer.from('a'));
  client.send({ type: 'stats:tick', bytes: Buffer.alloc(65 * 1024) });
  socket.emit('ping', Buffer.from('b'));
  socket.readAll();
  socket.emit('ping', Buffer.from('c'));
  client.close(1001, '');
  socket.emit('ping', Buffer.from('d'));
  t.same(socket.pongs.map(String), ['a', 'c']);
});

void t.test('deflated frames are made once and shared; the first ones, and small ones, are plain', async (t) => {
  const { hub, sent, connect } = start();
  const written: Buffer[][] = [[], []];
  const [a, b] = written.map((frames) => {
    const write = (frame: Buffer, done: () => void) => {
      frames.push(frame);
      done();
    };
    return connect(ADMIN, undefined, true, { write });
  });
  const plain = connect(ADMIN);
  sent.torrents = Buffer.from('torrents '.repeat(1_000));
  hub.tick();
  hub.tick();
  while (written[1]!.length === 0) await pause(1);
  t.same([written[0]!.length, written[1]!.length], [1, 1], 'the second tick came while the first was being deflated');
  t.equal(written[0]![0], written[1]![0]);
  const frame = written[0]![0]!;
  t.equal(frame[0], 0b1100_0001, 'final, deflated, text');
  t.equal(frame[1], frame.length - 2);
  const inflated = inflateRawSync(frame.subarray(2), { finishFlush: constants.Z_SYNC_FLUSH });
  t.same(inflated, sent.torrents);
  for (const socket of [a, b]) {
    t.same(
      socket?.frames.map(({ length }) => length),
      ['torrents admin', 'stats admin', 'stats admin', 'stats admin'].map(({ length }) => length),
    );
  }
  t.equal(plain.frames.filter((bytes) => bytes === sent.torrents).length, 2);
});

void t.test('who was closed while a frame was being deflated does not get it', async (t) => {
  const { hub, sent, connect } = start();
  const written: Buffer[] = [];
  connect(ADMIN, undefined, true, { write: (frame) => written.push(frame) });
  const other: Buffer[] = [];
  connect(BOB, undefined, true, { write: (frame) => other.push(frame) });
  sent.torrents = Buffer.from('torrents '.repeat(1_000));
  hub.tick();
  hub.closeAccount(ADMIN.id);
  while (other.length === 0) await pause(1);
  t.same(written, []);
});

void t.test('updates are told to those who can change settings', async (t) => {
  const { hub, accounts, connect } = start();
  const MANAGER = { ...BOB, id: parseAccountId(3), username: 'carol', perm_change_settings: true };
  accounts.set(BOB.id, { ...BOB, perm_change_settings: false });
  accounts.set(MANAGER.id, MANAGER);
  const sockets = [connect(ADMIN), connect(ADMIN), connect(BOB), connect(MANAGER)];
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
    frames.map(String).flatMap((text) => (text.startsWith('{') ? (JSON.parse(text) as unknown) : [])),
  );
  const frame = { type: 'update:available', payload: info };
  t.same(updates, [[frame], [frame], [], [frame]]);
  for (const socket of [0, 1, 3]) sockets[socket]?.terminate();
  t.equal(hub.announceUpdate(info), false, 'nobody who could do anything about it');
});

void t.test('dropping all leaves the hub open, closing it does not', async (t) => {
  const { hub, connect } = start();
  const before = [connect(ADMIN, 'token'), connect(BOB)];
  hub.dropAll(1001, 'listener restarting');
  t.same(
    before.map(({ ended }) => ended),
    ['1001 listener restarting', '1001 listener restarting'],
  );
  for (const socket of before) socket.terminate();
  t.notOk(hub.isClosed);
  const after = connect(ADMIN);
  hub.tick();
  t.equal(after.frames.length, 4);
  hub.close();
  t.ok(hub.isClosed);
  t.equal(after.ended, '1001 shutting down');
});
