// The hub on a virtual clock, with the server's end of a WebSocket played by an object that remembers.
import { EventEmitter } from 'node:events';
import t from 'tap';
import { Hub } from '../../../../api/ws/hub.js';
import { HubClient } from '../../../../api/ws/hub-client.js';
import type { Account } from '../../../../api/services/accounts.js';
import { firstAdmin } from '../../../../api/services/account-records.js';
import { ADMIN_ACCOUNT_ID, parseAccountId } from '../../../../shared-protocol/ids.js';
import { VirtualClock } from '../../../support/virtual-clock.js';
import type { HubSocket } from '../../../../api/ws/hub-client.js';

const ADMIN = firstAdmin('', 0);
const BOB: Account = { ...ADMIN, id: parseAccountId(2), username: 'bob', role: 'user' };

/** A connection whose other end reads only when told to. */
class SlowSocket extends EventEmitter implements HubSocket {
  readonly OPEN = 1;
  readyState = 1;
  bufferedAmount = 0;
  readonly frames: Buffer[] = [];
  ended: string | null = null;
  pings = 0;
  readonly #unread: (() => void)[] = [];

  send(frame: Buffer, _options: { binary: boolean }, done: () => void): void {
    this.frames.push(frame);
    this.bufferedAmount += frame.length;
    this.#unread.push(done);
  }
  readAll(): void {
    this.bufferedAmount = 0;
    for (const done of this.#unread.splice(0)) done();
  }
  ping(): void {
    this.pings++;
  }
  close(code: number, reason: string): void {
    this.readyState = 2;
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
  const frame = (kind: string, account: Account) => {
    built.push(`${kind} ${account.username}`);
    return Buffer.from(`${kind} ${account.username}`);
  };
  const hub = new Hub({
    accounts: { find: (id) => accounts.get(id) },
    sessions: { accountOf: (token) => sessions.get(token) ?? null },
    snapshots: {
      torrentsTick: (account) => frame('torrents', account),
      statsTick: (account) => frame('stats', account),
    },
    inspector: { tick: async (account) => details.get(account.id) ?? null },
    now: () => clock.nowMs(),
  });
  const connect = (account: Account, token?: string) => {
    const socket = new SlowSocket();
    const credential = token === undefined ? ({ kind: 'bearer' } as const) : ({ kind: 'cookie', token } as const);
    hub.add(socket, { account, credential });
    return socket;
  };
  return { clock, hub, accounts, sessions, built, details, connect };
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

void t.test('a client that does not read gets 64 frames and no more, until it reads', async (t) => {
  const socket = new SlowSocket();
  const client = new HubClient(socket, ADMIN.id, { kind: 'bearer' }, () => 0);
  for (let i = 0; i < 100; i++) client.send(Buffer.from('x'));
  t.same([socket.frames.length, client.dropped], [64, 36]);
  socket.readAll();
  client.send(Buffer.from('y'));
  t.equal(socket.frames.length, 65);
});

void t.test('nor more than 8 MiB, but always one frame, however large', async (t) => {
  const socket = new SlowSocket();
  const client = new HubClient(socket, ADMIN.id, { kind: 'bearer' }, () => 0);
  const frame = Buffer.alloc(9 * 1024 * 1024);
  client.send(frame);
  client.send(Buffer.from('x'));
  t.equal(socket.frames.length, 1);
  socket.readAll();
  client.send(frame);
  t.equal(socket.frames.length, 2);
});
