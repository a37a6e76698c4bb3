// Moving in from qBittorrent itself.
import t from 'tap';
import { qbittorrentClient } from '../support/import/qbittorrent.js';
import { testImport } from '../support/import/import-scene.js';
import { testWith } from '../support/peers/index.js';

void testWith(t, qbittorrentClient.program, 'qBittorrent', (t) => testImport(t, qbittorrentClient));
