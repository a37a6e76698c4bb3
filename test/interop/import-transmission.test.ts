// Moving in from Transmission itself.
import t from 'tap';
import { testImport } from '../support/import/import-scene.js';
import { transmissionClient } from '../support/import/transmission.js';
import { testWith } from '../support/peers/index.js';

void testWith(t, transmissionClient.program, 'Transmission', (t) => testImport(t, transmissionClient));
