// Moving in from rTorrent itself.
import t from 'tap';
import { rtorrentClient } from '../support/import/rtorrent.js';
import { testImport } from '../support/import/import-scene.js';
import { testWith } from '../support/peers/index.js';

void testWith(t, rtorrentClient.program, 'rTorrent', (t) => testImport(t, rtorrentClient));
