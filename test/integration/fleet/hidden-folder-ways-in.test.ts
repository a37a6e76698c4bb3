// `.swarmd` of a shared root against what adds and moves torrents by itself or many at once: the watch folder, filters of feeds, batches, and
// the records of another program. Each is refused by name, and nothing in the folder is changed.
import t from 'tap';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import bencode from 'bencode';
import { setPermissions } from '../../support/daemon-account.js';
import { REFUSED, SECRET, setHiddenFolderScene, taken, type Call } from '../../support/hidden-folder-scene.js';
import { importAll } from '../../support/import/import-scene.js';
import { makeTorrent } from '../../support/make-torrent.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

void t.test('neither the watch folder, a filter of a feed nor a batch leads there', async (t) => {
  const { front, shared, hidden, home, bob, whole, ways } = await setHiddenFolderScene(t);
  const films = { [shared]: await whole(front, shared, 'film'), [home]: await whole(bob.client, home, 'bobs') };
  await setPermissions(front, bob, { perm_add_torrents: true, perm_manage_rss: true, perm_change_settings: true });
  const { json: feed } = await front.api<{ readonly id: number }>('POST', '/api/feeds', {
    url: 'https://feeds.invalid/rss',
    name: 'films',
    enabled: false,
  });
  for (const [client, folder] of [
    [front, shared],
    [bob.client, home],
  ] as const) {
    for (const path of ways(folder)) {
      const calls: readonly Call[] = [
        ['PUT', '/api/settings/watch_folder', { path, delete_after_add: true, enabled: true }],
        ['POST', '/api/filters', { feed_id: feed.id, regex: 'film', category_id: null, save_path: path }],
      ];
      t.same(await taken(client, calls), [], path);
      const { json } = await client.api<{ readonly outcomes: readonly { readonly error?: string }[] }>(
        'POST',
        '/api/torrents/batch',
        { ids: [films[folder]], action: 'move', path },
      );
      t.match(json.outcomes[0]?.error ?? JSON.stringify(json), REFUSED, `a batch to ${path}`);
    }
  }
  const moved = (await front.torrents()).filter(({ save_path }) => save_path !== shared && save_path !== home);
  t.same(moved, []);
  t.same((await readdir(hidden)).toSorted(), ['engines', 'metainfo', 'secret']);
});

void t.test('records of another program lead there neither as they are nor by the map of an import', async (t) => {
  const { front, shared, hidden, ways } = await setHiddenFolderScene(t);
  const places = ways(shared);
  const home = await temporaryDirectory();
  const backup = join(home, 'BT_backup');
  await mkdir(backup);
  for (const [index, path] of ['/there', ...places].entries()) {
    const made = makeTorrent({ name: 'secret', pieceLength: 16_384, files: Buffer.from(SECRET + String(index)) });
    const record = {
      ...{ 'file-format': 'libtorrent resume file', 'file-version': 1, 'info-hash': Buffer.from(made.infoHash, 'hex') },
      ...{ save_path: path, pieces: Buffer.from([1, 1, 1, 1]) },
    };
    await writeFile(join(backup, `${made.infoHash}.torrent`), made.torrentBytes);
    await writeFile(join(backup, `${made.infoHash}.fastresume`), bencode.encode(record));
  }
  for (const to of places) {
    const report = await importAll(front, { from: 'qbittorrent', path: home, map: [{ from: '/there', to }] });
    t.match(report, { state: 'done', imported: 0, magnets: 0, skipped: places.length + 1 }, to);
    for (const { reason } of report.torrents) t.match(reason, /what engines know of each other is there/);
  }
  t.same(await front.torrents(), []);
  t.equal(await readFile(join(hidden, 'secret'), 'utf8'), SECRET);
  t.same((await readdir(hidden)).toSorted(), ['engines', 'metainfo', 'secret']);
});
