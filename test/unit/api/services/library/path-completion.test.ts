// Save paths that are completed while another account's folder takes long to read, over folders of this machine.
import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { oneEngine } from '../../../../../api/engines/one-engine.js';
import { PathCompletion } from '../../../../../api/services/library/path-completion.js';
import { TorrentOrder } from '../../../../../api/services/library/torrent-order.js';
import { SavePaths } from '../../../../../api/services/settings/save-paths.js';
import type { Folders } from '../../../../../shared-protocol/folders.js';
import { localFolders } from '../../../../../storage/local-folders.js';
import { account } from '../../../../support/feed-bench.js';
import { temporaryDirectory } from '../../../../support/temporary-directory.js';

async function start() {
  const base = await realpath(await temporaryDirectory());
  const home = (name: string) => join(base, name);
  const [bob, eve, kim] = ['bob', 'eve', 'kim'].map((name, index) => account(index + 2, { home: home(name) }));
  for (const name of ['bob', 'eve', 'kim']) await mkdir(join(home(name), 'films'), { recursive: true });
  const held = new Map<string, Promise<void>>();
  const listed: string[] = [];
  const folders: Folders = {
    ...localFolders,
    list: async (params) => {
      listed.push(params.folder);
      await held.get(params.folder);
      return localFolders.list(params);
    },
  };
  const engines = oneEngine(folders);
  const settings = { savePath: base, store: () => Promise.reject(new Error('nothing is stored')) };
  const savePaths = new SavePaths(
    { settings, engines, labels: { categories: [] } },
    { allowedPaths: [], dataDir: join(base, 'data'), backupDir: join(base, 'backups') },
  );
  const completion = new PathCompletion({
    ...{ engines, savePaths, accounts: { all: [account(1), bob!, eve!, kim!] } },
    diskUsage: { roomAt: async () => null },
    library: { visibleTo: () => new TorrentOrder() },
    shownLabels: { categories: () => [] },
  });
  const films = (name: string) => join(home(name), 'films');
  const ask = (who: 'bob' | 'eve' | 'kim') =>
    completion.of({ bob: bob!, eve: eve!, kim: kim! }[who], `${home(who)}/fi`);
  return { home, held, listed, films, ask };
}

void t.test('a folder that takes long to read is waited for by its account alone', async (t) => {
  const { home, held, listed, films, ask } = await start();
  let release = (): void => undefined;
  held.set(home('bob'), new Promise((resolve) => (release = resolve)));
  const bobs = [ask('bob'), ask('bob'), ask('bob')];
  t.match(await ask('eve'), { allowed: true, exists: false, paths: [films('eve')] });
  t.match(await ask('kim'), { allowed: true, exists: false, paths: [films('kim')] });
  t.equal(listed.filter((folder) => folder === home('bob')).length, 1, 'one of an account at a time');
  release();
  for (const each of bobs) t.match(await each, { allowed: true });
});

void t.test('where folders of others take too long, what may be saved to is known all the same', async (t) => {
  const { home, held, ask } = await start();
  let release = (): void => undefined;
  const hold = new Promise<void>((resolve) => (release = resolve));
  for (const name of ['bob', 'eve']) held.set(home(name), hold);
  const others = [ask('bob'), ask('eve')];
  t.match(await ask('kim'), { allowed: true, exists: null, paths: [] });
  release();
  for (const each of others) t.match(await each, { allowed: true });
});
