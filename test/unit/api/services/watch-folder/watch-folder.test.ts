// The watch folder's setting: a folder in use exists and is one that its account may save to.
import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { SavePaths } from '../../../../../api/services/settings/save-paths.js';
import { defaultSettings, settingsSchema } from '../../../../../api/services/settings/settings-data.js';
import { Settings } from '../../../../../api/services/settings/settings.js';
import type { Account } from '../../../../../api/auth/account.js';
import { WatchFolder } from '../../../../../api/services/watch-folder/watch-folder.js';
import { parseAccountId } from '../../../../../shared-protocol/ids.js';
import { MemoryCollection } from '../../../../support/memory-collection.js';
import { temporaryDirectory } from '../../../../support/temporary-directory.js';
import { localFolders } from '../../../../../storage/local-folders.js';
import { oneEngine } from '../../../../../api/engines/one-engine.js';

const ADMIN = { id: parseAccountId(1), role: 'admin', disabled: false } as Account;
const OTHER_ADMIN = { ...ADMIN, id: parseAccountId(3) };
const RIGHTS = { perm_add_torrents: true, perm_change_settings: true };
const USER = { id: parseAccountId(2), role: 'user', disabled: false, ...RIGHTS } as Account;
const NO_FLAGS = { peerPort: null, encryption: null, dht: null, lsd: null, upnp: null };

async function start() {
  const base = await realpath(await temporaryDirectory());
  for (const name of ['files', 'files/watch', 'elsewhere']) await mkdir(join(base, name));
  await writeFile(join(base, 'files', 'a-file'), '');
  const collection = new MemoryCollection(defaultSettings(join(base, 'files')), (data) => settingsSchema.parse(data));
  const settings = new Settings(collection, NO_FLAGS);
  const savePaths = new SavePaths(
    { settings, labels: { categories: [] }, engines: oneEngine(localFolders) },
    { allowedPaths: [], dataDir: join(base, 'data'), backupDir: join(base, 'backups') },
  );
  const known = new Map<number, Account>([ADMIN, USER, OTHER_ADMIN].map((account) => [account.id, account]));
  const folder = new WatchFolder({ settings, savePaths, accounts: { find: (id) => known.get(id) } });
  return { base, folder, known };
}

void t.test('a folder in use is looked at, one that is switched off is not', async (t) => {
  const { base, folder } = await start();
  const none = { path: '', delete_after_add: false, enabled: false };
  t.same(folder.stored, none);
  const use = (account: Account, path: string) => folder.set(account, { path, delete_after_add: true, enabled: true });
  const refused = (message: string) => ({ code: 'PATH_UNUSABLE', message });
  await t.rejects(use(ADMIN, ''), refused('path: must not be empty'));
  await t.rejects(use(ADMIN, 'files/watch'), refused('path: Enter an absolute path, e.g. /data/torrents.'));
  await t.rejects(use(ADMIN, join(base, 'absent')), refused('path: no such directory'));
  await t.rejects(use(ADMIN, join(base, 'files', 'a-file')), refused('path: not a directory'));
  await t.rejects(use(USER, join(base, 'elsewhere')), { code: 'FORBIDDEN' });
  await t.rejects(use(USER, join(base, 'elsewhere', 'absent')), { code: 'FORBIDDEN' });
  t.same(folder.stored, none);
  await use(USER, `${join(base, 'files', 'watch')}/`);
  t.same(folder.stored, { path: join(base, 'files', 'watch'), delete_after_add: true, enabled: true });
  await use(ADMIN, join(base, 'elsewhere'));
  const off = { path: join(base, 'gone'), delete_after_add: false, enabled: false };
  await folder.set(USER, off);
  t.same(folder.stored, off);
});

void t.test(
  'what lies there is for account 1, or for the user who has set it with the rights of that moment',
  async (t) => {
    const { base, folder, known } = await start();
    const setting = { path: join(base, 'files', 'watch'), delete_after_add: false, enabled: true };
    t.equal(folder.owner, ADMIN, 'nobody has set it');
    await folder.set(USER, setting);
    t.same(folder.stored, setting, 'who has set it is not told');
    t.equal(folder.owner, USER);
    const isAllowed = await folder.boundsOf(USER);
    t.same([join(base, 'files', 'watch'), join(base, 'elsewhere')].map(isAllowed), [true, false]);
    for (const lacking of ['perm_add_torrents', 'perm_change_settings'] as const) {
      known.set(USER.id, { ...USER, [lacking]: false });
      t.equal(folder.owner, null, lacking);
    }
    known.set(USER.id, { ...USER, disabled: true });
    t.equal(folder.owner, null, 'disabled');
    known.delete(USER.id);
    t.equal(folder.owner, null, 'gone');
    await folder.set(OTHER_ADMIN, setting);
    t.equal(folder.owner, ADMIN, 'administrators act for account 1');
  },
);
