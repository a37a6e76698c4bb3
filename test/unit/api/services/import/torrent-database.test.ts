// `torrents.db` of qBittorrent: what a hostile or a damaged one is refused with, and what comes of its rows.
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import bencode from 'bencode';
import sqlite from 'node-sqlite3-wasm';
import t from 'tap';
import { openQbittorrent } from '../../../../../api/services/import/qbittorrent/qbittorrent.js';
import { StateDirectory } from '../../../../../api/services/import/state-directory.js';
import { makeTorrent, seededBytes } from '../../../../support/make-torrent.js';

const UNREADABLE = { code: 'IMPORT_UNREADABLE' };
const TABLE =
  'CREATE TABLE torrents (id INTEGER PRIMARY KEY, torrent_id BLOB NOT NULL UNIQUE, queue_position INTEGER, name TEXT, category TEXT, ' +
  'tags TEXT, target_save_path TEXT, download_path TEXT, ratio_limit INTEGER, seeding_time_limit INTEGER, operating_mode TEXT, ' +
  'stopped INTEGER, libtorrent_resume_data BLOB NOT NULL, metadata BLOB)';
const ENDLESS = '(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n)';

function made(home: string, ...statements: readonly string[]): sqlite.Database {
  const database = new sqlite.Database(join(home, 'torrents.db'));
  for (const statement of statements) database.exec(statement);
  return database;
}

const opened = async (home: string) => openQbittorrent(await StateDirectory.open(home), tmpdir());

const REFUSED: readonly (readonly [name: string, statements: readonly string[], message: RegExp])[] = [
  ['no torrents', ['CREATE TABLE other (a)'], /^torrents\.db: there is no table of torrents/],
  ['a view that never ends', [`CREATE VIEW torrents AS SELECT ${ENDLESS} AS torrent_id`], /no table of torrents/],
  [
    'a virtual table',
    ['CREATE VIRTUAL TABLE torrents USING fts5(torrent_id, libtorrent_resume_data)'],
    /no table of torrents/,
  ],
  [
    'columns that are worked out',
    ['CREATE TABLE torrents (torrent_id TEXT, libtorrent_resume_data AS (hex(zeroblob(900000000))))'],
    /is none of qBittorrent/,
  ],
  ['other columns', ['CREATE TABLE torrents (torrent_id TEXT)'], /its torrents have no libtorrent_resume_data/],
];

for (const [name, statements, message] of REFUSED)
  void t.test(`refused: ${name}`, async (t) => {
    const home = t.testdir();
    made(home, ...statements).close();
    await t.rejects(opened(home), { ...UNREADABLE, message });
  });

void t.test('refused: what is none, is damaged, or is not whole', async (t) => {
  const home = t.testdir({ 'torrents.db': 'SQLite format 2' });
  await t.rejects(opened(home), { ...UNREADABLE, message: /is no database of SQLite/ });
  await writeFile(join(home, 'torrents.db'), Buffer.concat([Buffer.from('SQLite format 3\0'), seededBytes(1, 8_192)]));
  await t.rejects(opened(home), { ...UNREADABLE, message: /^torrents\.db: is damaged/ });
  await writeFile(join(home, 'torrents.db-wal'), 'changes');
  await t.rejects(opened(home), { ...UNREADABLE, message: /the last changes lie in torrents\.db-wal/ });
});

void t.test('its rows, in the order of the queue', async (t) => {
  const home = t.testdir();
  const database = made(home, TABLE);
  const { torrentBytes, infoHash } = makeTorrent({ name: 'one', pieceLength: 16_384, files: seededBytes(1, 100) });
  const resume = bencode.encode({ save_path: '/save', pieces: Buffer.from([1]), total_uploaded: 7 });
  const insert =
    'INSERT INTO torrents (torrent_id, queue_position, name, category, tags, target_save_path, ratio_limit, seeding_time_limit, ' +
    'operating_mode, stopped, libtorrent_resume_data, metadata) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';
  const row = ['Shown', 'films', 'a,b', '/save', 2_500, -1, 'Forced'];
  database.run(insert, ['c'.repeat(40), -1, ...row, 1, Buffer.from('no bencode'), null]);
  database.run(insert, [infoHash, 3, ...row, 0, resume, torrentBytes]);
  database.run(insert, ['b'.repeat(40), 1, ...row, 1, resume, torrentBytes]);
  database.close();
  const library = await opened(home);
  t.same(library.entries, ['b'.repeat(40), infoHash, 'c'.repeat(40)]);
  t.match(await library.read(infoHash), {
    ...{ savePath: '/save', name: 'Shown', category: 'films', tags: ['a', 'b'], paused: false, forced: true },
    ...{ seeding: { ratio: 2.5, minutes: null, inactiveMinutes: 'inherited' }, state: { uploadedBytes: 7 } },
    source: { kind: 'metainfo' },
  });
  t.match(await library.read('b'.repeat(40)), { paused: true, forced: false });
  await t.rejects(library.read('c'.repeat(40)), UNREADABLE, 'a broken one costs itself');
});
