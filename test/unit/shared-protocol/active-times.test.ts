// For how long a torrent has been at work, from its row of figures.
import t from 'tap';
import { activeSecondsOf, seedingSecondsOf } from '../../../shared-protocol/active-times.js';
import { emptyStats, TORRENT_FLAGS } from '../../../shared-protocol/stats-table.js';

const SINCE = 1_700_000_000;
const counted = { ...emptyStats(), activeSeconds: 100.5, seedingSeconds: 40 };

void t.test('what was counted, and what has passed since', (t) => {
  const cases = [
    { name: 'at rest', flags: TORRENT_FLAGS.completed, countedSince: 0, active: 100, seeding: 40 },
    { name: 'downloading', flags: 0, countedSince: SINCE, active: 110, seeding: 40 },
    { name: 'seeding', flags: TORRENT_FLAGS.completed, countedSince: SINCE, active: 110, seeding: 50 },
    {
      name: 'the clock was set back',
      flags: TORRENT_FLAGS.completed,
      countedSince: SINCE + 60,
      active: 100,
      seeding: 40,
    },
  ];
  for (const { name, active, seeding, ...row } of cases) {
    t.equal(activeSecondsOf({ ...counted, ...row }, SINCE + 10), active, name);
    t.equal(seedingSecondsOf({ ...counted, ...row }, SINCE + 10), seeding, name);
  }
  t.end();
});
