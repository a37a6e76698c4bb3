// What is stored, answered and moved, and in which order; with disks that fail.
import { randomBytes } from 'node:crypto';
import t from 'tap';
import { Passwords } from '../../../../../api/auth/passwords.js';
import { RequestError } from '../../../../../api/errors.js';
import { accountsSchema } from '../../../../../api/auth/account.js';
import { Accounts } from '../../../../../api/services/accounts/accounts.js';
import { defaultSettings, settingsSchema } from '../../../../../api/services/settings/settings-data.js';
import { Settings } from '../../../../../api/services/settings/settings.js';
import { UserAdmin } from '../../../../../api/services/accounts/user-admin.js';
import { WebAccess, type ListenerMover, type MoveOutcome } from '../../../../../api/services/settings/web-access.js';
import { ADMIN_ACCOUNT_ID } from '../../../../../shared-protocol/ids.js';
import { CHEAP_ARGON2, SILENT_LOG } from '../../../../support/api-harness.js';
import { MemoryCollection } from '../../../../support/memory-collection.js';
import { ANYWHERE } from '../../../../support/save-paths.js';

const NO_FLAGS = { peerPort: null, encryption: null, dht: null, lsd: null, upnp: null };
const BODY = { enabled: true, port: 9480, bind_all: false, username: 'admin' };

class Mover implements ListenerMover {
  readonly events: string[] = [];
  refusal: Error | null = null;
  outcome: MoveOutcome = { kind: 'moved' };

  async prepare(before: { port: number }, after: { port: number }) {
    if (this.refusal) throw this.refusal;
    this.events.push(`prepare ${before.port}->${after.port}`);
    return {
      commit: async () => {
        this.events.push(`commit ${after.port}`);
        return this.outcome;
      },
      abandon: async () => void this.events.push(`abandon ${after.port}`),
    };
  }
}

async function start() {
  const disk = { fails: false };
  const store = new MemoryCollection(defaultSettings('/files'), (data) => settingsSchema.parse(data));
  const settings = new Settings(
    {
      get data() {
        return store.data;
      },
      update: async (change) => (disk.fails ? Promise.reject(new Error('disk full')) : store.update(change)),
      onChanged: () => undefined,
      refresh: async () => undefined,
    },
    NO_FLAGS,
  );
  const accounts = new Accounts({
    collection: new MemoryCollection({ next_id: 1, accounts: [] }, (data) => accountsSchema.parse(data)),
    passwords: new Passwords(CHEAP_ARGON2),
    randomBytes,
    now: () => 0,
    forgetInitialPassword: async () => undefined,
  });
  await accounts.ensureAdmin('correct horse');
  const userAdmin = new UserAdmin({ accounts, savePaths: ANYWHERE, engines: { names: [''] }, isSingle: false });
  await userAdmin.create({ username: 'bob', password: 'eight or more' });
  const changes: string[] = [];
  accounts.onChange((id, change) => void changes.push(`${change} ${id}`));
  const listener = new Mover();
  const web = new WebAccess({ settings, accounts, userAdmin, listener, log: SILENT_LOG });
  return { web, settings, accounts, listener, disk, changes, name: () => accounts.find(ADMIN_ACCOUNT_ID)?.username };
}

const turns = async () => {
  for (let turn = 0; turn < 5; turn++) await new Promise<void>((resolve) => void setImmediate(resolve));
};

void t.test('stored, answered, moved: in this order', async (t) => {
  const { web, settings, listener, name, changes } = await start();
  const afterwards = await web.set({ ...BODY, port: 9000, username: 'root' });
  t.match([settings.stored('web'), name()], [{ port: 9000 }, 'root']);
  t.same(listener.events, ['prepare 9480->9000']);
  t.same(changes, ['credentials 1']);
  t.match(web.stored, { port: 9000, username: 'root', api_key: '' });
  t.notOk('username' in settings.stored('web'), 'the name is the account’s');
  afterwards();
  await turns();
  t.same(listener.events, ['prepare 9480->9000', 'commit 9000']);
});

void t.test('the same name again ends no session', async (t) => {
  const { web, changes } = await start();
  (await web.set(BODY))();
  t.same(changes, []);
});

void t.test('what is refused leaves nothing behind', async (t) => {
  const { web, settings, listener, name } = await start();
  await t.rejects(web.set({ ...BODY, port: 9000, username: 'BOB' }), { code: 'NAME_TAKEN' });
  t.same(listener.events, ['prepare 9480->9000', 'abandon 9000']);
  listener.refusal = new RequestError('PORT_UNUSABLE', 'port: in use');
  await t.rejects(web.set({ ...BODY, port: 9000, username: 'root' }), { code: 'PORT_UNUSABLE' });
  t.match([settings.stored('web').port, name()], [9480, 'admin']);
});

void t.test('a disk that fails after the name was stored: the name is put back', async (t) => {
  const { web, listener, disk, name } = await start();
  disk.fails = true;
  await t.rejects(web.set({ ...BODY, port: 9000, username: 'root' }), { message: 'disk full' });
  t.same([name(), listener.events], ['admin', ['prepare 9480->9000', 'abandon 9000']]);
});

void t.test('one change at a time, the next after the listener moved', async (t) => {
  const { web, settings, listener } = await start();
  const first = await web.set({ ...BODY, port: 9000 });
  const second = web.set({ ...BODY, port: 9001 });
  await turns();
  t.equal(settings.stored('web').port, 9000);
  first();
  (await second)();
  await turns();
  t.same(listener.events, ['prepare 9480->9000', 'commit 9000', 'prepare 9000->9001', 'commit 9001']);
  listener.refusal = new RequestError('PORT_UNUSABLE');
  await t.rejects(web.set(BODY));
  listener.refusal = null;
  await t.resolves(web.set(BODY), 'one that failed holds nobody up');
});

void t.test('interfaces that could not be had are not stored: the next start would fail', async (t) => {
  const { web, settings, listener } = await start();
  listener.outcome = { kind: 'went-back' };
  (await web.set({ ...BODY, bind_all: true }))();
  await turns();
  t.match(settings.stored('web'), { bind_all: false, port: 9480 });
});

void t.test('the password of account 1', async (t) => {
  const { web, accounts, changes } = await start();
  await web.setPassword('battery staple');
  t.match(await accounts.signIn('admin', 'battery staple', { key: '192.0.2.1', isFresh: true }), { id: 1 });
  t.same(changes, ['credentials 1']);
});
