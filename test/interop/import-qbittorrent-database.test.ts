// Moving in from a qBittorrent that keeps its torrents in `torrents.db`.
import t from 'tap';
import { qbittorrentDatabaseClient } from '../support/import/qbittorrent.js';
import { testImport } from '../support/import/import-scene.js';
import { testWith } from '../support/peers/index.js';

void testWith(t, qbittorrentDatabaseClient.program, 'qBittorrent with a database', (t) =>
  testImport(t, qbittorrentDatabaseClient),
);
