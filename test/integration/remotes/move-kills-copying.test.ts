// One of three daemons is killed while the copy is made.
import t from 'tap';
import { survivesKills } from '../../support/killed-moves.js';

t.setTimeout(600_000);

void t.test('whoever dies', (t) => survivesKills(t, ['copying', 'verifying'], 10));
