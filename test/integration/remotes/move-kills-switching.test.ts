// One of three daemons is killed while the one takes the place of the other.
import t from 'tap';
import { survivesKills } from '../../support/killed-moves.js';

t.setTimeout(600_000);

void t.test('whoever dies', (t) => survivesKills(t, ['switching', 'done'], 20));
