// Each act that revokes something ends exactly the sessions, keys and sockets it must, within a second, and no others:
// three accounts with two browsers and a script each, over real HTTP and WebSockets.
import assert from 'node:assert/strict';
import t from 'tap';
import { PERMISSIONS } from '../../../shared-protocol/dto/accounts.js';
import { startHarness, type Harness } from '../../support/api-harness.js';
import {
  openBrowser,
  scriptOf,
  THROUGH_A_PROXY,
  tryToSignIn,
  type Client,
  type LiveSocket,
} from '../../support/browser.js';

const PASSWORD = 'correct horse';
const OTHER_PASSWORD = 'battery staple';
/** A second is the rule; the rest is room for a busy machine. */
const CLOSED_WITHIN_MS = 3_000;
const SESSION_CAP = 100;

const NAMES = ['ann', 'bob', 'admin'] as const;
type Name = (typeof NAMES)[number];
/** Two sessions and a key. */
type Held = `${Name} ${'first' | 'second' | 'key'}`;

class World {
  private constructor(
    readonly harness: Harness,
    readonly ids: Readonly<Record<Name, number>>,
    readonly clients: ReadonlyMap<Held, Client>,
  ) {}

  static async start(): Promise<World> {
    const harness = await startHarness({ args: THROUGH_A_PROXY });
    const setup = await openBrowser(harness, 'admin', harness.password);
    const ids = { ann: 0, bob: 0, admin: 1 };
    const users = { ann: { perm_add_torrents: true }, bob: { perm_share: true } };
    for (const name of ['ann', 'bob'] as const) {
      const user = { username: name, password: PASSWORD, ...users[name] };
      ids[name] = (await setup.ask<{ id: number }>('POST', '/api/users', user)).id;
    }
    await setup.ask('POST', '/api/logout');
    const clients = new Map<Held, Client>();
    for (const name of NAMES) {
      const password = name === 'admin' ? harness.password : PASSWORD;
      const first = await openBrowser(harness, name, password);
      clients.set(`${name} first`, first);
      clients.set(`${name} second`, await openBrowser(harness, name, password));
      clients.set(`${name} key`, await scriptOf(harness, first));
    }
    return new World(harness, ids, clients);
  }

  client(held: Held): Client {
    const client = this.clients.get(held);
    if (!client) throw new Error(held);
    return client;
  }

  /** As an administrator with a key. */
  async admin(method: string, path: string, body?: unknown): Promise<void> {
    await this.client('admin key').ask(method, path, body);
  }

  /** Changes ann. */
  async changeAnn(change: object): Promise<void> {
    await this.admin('PUT', `/api/users/${this.ids.ann}`, change);
  }
}

interface Act {
  readonly act: (world: World) => Promise<unknown>;
  /** Whose sockets close. */
  readonly closes: readonly Held[];
  /** Whose credential is worth nothing afterwards. */
  readonly ends: readonly Held[];
}

const SESSIONS_OF_ANN: readonly Held[] = ['ann first', 'ann second'];
const SESSIONS_OF_ADMIN: readonly Held[] = ['admin first', 'admin second'];
const ALL_OF_ANN: readonly Held[] = [...SESSIONS_OF_ANN, 'ann key'];
const ALL_OF_ADMIN: readonly Held[] = [...SESSIONS_OF_ADMIN, 'admin key'];
/** The key stays good, but what was opened with it has to be opened anew. */
const CREDENTIALS_OF_ANN = { closes: ALL_OF_ANN, ends: SESSIONS_OF_ANN };
const NOTHING = { closes: [], ends: [] };

const passwords = (old_password: string, new_password = OTHER_PASSWORD) => ({ old_password, new_password });

const ACTS: Readonly<Record<string, Act>> = {
  'her own new password': {
    act: (world) => world.client('ann first').ask('POST', '/api/me/password', passwords(PASSWORD)),
    ...CREDENTIALS_OF_ANN,
  },
  'her own new password, with her key': {
    act: (world) => world.client('ann key').ask('POST', '/api/me/password', passwords(PASSWORD)),
    ...CREDENTIALS_OF_ANN,
  },
  'a password from an administrator': {
    act: (world) => world.admin('POST', `/api/users/${world.ids.ann}/password`, { new_password: OTHER_PASSWORD }),
    ...CREDENTIALS_OF_ANN,
  },
  'a new name': { act: (world) => world.changeAnn({ username: 'anna' }), ...CREDENTIALS_OF_ANN },
  'another role': { act: (world) => world.changeAnn({ role: 'admin' }), ...CREDENTIALS_OF_ANN },
  ...Object.fromEntries(
    PERMISSIONS.map((name) => [
      name,
      { act: (world: World) => world.changeAnn({ [name]: name !== 'perm_add_torrents' }), ...CREDENTIALS_OF_ANN },
    ]),
  ),
  disabled: { act: (world) => world.changeAnn({ disabled: true }), closes: ALL_OF_ANN, ends: ALL_OF_ANN },
  deleted: {
    act: (world) => world.admin('DELETE', `/api/users/${world.ids.ann}`),
    closes: ALL_OF_ANN,
    ends: ALL_OF_ANN,
  },
  'a new key': {
    act: (world) => world.client('ann second').ask('POST', '/api/me/api_key/rotate'),
    closes: ALL_OF_ANN,
    ends: ['ann key'],
  },
  'her key, ended by herself': {
    act: (world) => world.client('ann first').ask('DELETE', '/api/me/api_key'),
    closes: ALL_OF_ANN,
    ends: ['ann key'],
  },
  'her key, ended by an administrator': {
    act: (world) => world.admin('DELETE', `/api/users/${world.ids.ann}/api_key`),
    closes: ALL_OF_ANN,
    ends: ['ann key'],
  },
  'a password from an administrator who ends the key too': {
    act: (world) =>
      world.admin('POST', `/api/users/${world.ids.ann}/password`, { new_password: OTHER_PASSWORD, end_api_key: true }),
    closes: ALL_OF_ANN,
    ends: ALL_OF_ANN,
  },
  'signing out': {
    act: (world) => world.client('ann second').ask('POST', '/api/logout'),
    closes: ['ann second'],
    ends: ['ann second'],
  },
  'a hundred sessions of one account': {
    act: async ({ harness }) => {
      for (let n = 0; n < SESSION_CAP; n++) await openBrowser(harness, 'bob', PASSWORD);
    },
    closes: ['bob first', 'bob second'],
    ends: ['bob first', 'bob second'],
  },
  'a name for account 1 in the settings': {
    act: async (world) => {
      const path = '/api/settings/web';
      const web = await world.client('admin key').ask('GET', path);
      await world.admin('PUT', path, { ...web, username: 'root' });
    },
    closes: ALL_OF_ADMIN,
    ends: SESSIONS_OF_ADMIN,
  },
  'a password for account 1 in the settings': {
    act: (world) => world.admin('PUT', '/api/settings/web/password', { password: OTHER_PASSWORD }),
    closes: ALL_OF_ADMIN,
    ends: SESSIONS_OF_ADMIN,
  },
  'a key for the caller in the settings': {
    act: (world) => world.admin('POST', '/api/settings/web/api_key/rotate'),
    closes: ALL_OF_ADMIN,
    ends: ['admin key'],
  },
  'a change that changes nothing': {
    act: (world) => world.changeAnn({ username: 'ann', role: 'user', perm_add_torrents: true, disabled: false }),
    ...NOTHING,
  },
  'what is refused, and what is about others': {
    act: async (world) => {
      const ann = world.client('ann first');
      const refused = [
        await ann.call('POST', '/api/me/password', passwords('wrong password')),
        await ann.call('POST', '/api/me/password', passwords(PASSWORD, 'short')),
        await tryToSignIn(world.harness, 'ann', 'wrong'),
        await world.client('bob first').call('DELETE', `/api/users/${world.ids.ann}`),
        await world.client('admin key').call('PUT', `/api/users/${world.ids.ann}`, { username: 'bob' }),
        await world.client('admin key').call('PUT', '/api/users/1', { disabled: true }),
        await world.client('admin key').call('DELETE', '/api/users/1'),
      ];
      const statuses = refused.map(({ status }) => status);
      assert.deepEqual(statuses, [400, 400, 401, 403, 400, 400, 400]);
      await world.admin('POST', '/api/users', { username: 'eve', password: PASSWORD });
      await world.harness.call('POST', '/api/logout');
    },
    ...NOTHING,
  },
};

t.jobs = 4;
for (const [name, { act, closes, ends }] of Object.entries(ACTS)) {
  void t.test(name, { buffered: true }, async (t) => {
    const world = await World.start();
    t.teardown(() => world.harness.close());
    const sockets = new Map<Held, LiveSocket>();
    for (const [held, client] of world.clients) sockets.set(held, await client.socket());
    await act(world);
    const answeredAt = performance.now();
    for (const [held, socket] of sockets) {
      if (!closes.includes(held)) continue;
      t.same(
        await socket.closedWithin(CLOSED_WITHIN_MS),
        { code: 1008, reason: 'session revoked' },
        `${held} is closed`,
      );
    }
    t.ok(performance.now() - answeredAt < CLOSED_WITHIN_MS, 'all within that time');
    for (const [held, client] of world.clients) {
      t.equal(await client.isKnown(), !ends.includes(held), `${held} ${ends.includes(held) ? 'has ended' : 'goes on'}`);
    }
    const others = [...sockets].filter(([held]) => !closes.includes(held));
    for (const [held, socket] of others) await t.resolves(socket.next('torrents:tick'), `${held} still hears`);
  });
}
