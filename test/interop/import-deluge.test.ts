// Moving in from Deluge itself.
import t from 'tap';
import { delugeClient } from '../support/import/deluge.js';
import { testImport } from '../support/import/import-scene.js';
import { testWith } from '../support/peers/index.js';

void testWith(t, delugeClient.program, 'Deluge', (t) => testImport(t, delugeClient));
