// Bans are counted all, and told of within reason.
import t from 'tap';
import { MINUTE_MS, type Log } from '../../../../engine/environment.js';
import { BadDataCounters } from '../../../../engine/session/ban-counters.js';
import { QUIET } from '../../../support/disk-fixtures.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

void t.test('ten lines a minute; the next says how many were left out', async (t) => {
  const lines: unknown[] = [];
  const clock = new VirtualClock();
  const log: Log = { ...QUIET, info: (message, fields) => lines.push({ message, ...fields }) };
  const harm = new BadDataCounters({ clock, log });
  harm.onPieceFailed(100);
  harm.onPieceFailed(20);
  for (let n = 0; n < 25; n++) harm.onBan('peer banned', { peer: `p${n}`, reason: 'bad-data' });
  t.equal(lines.length, 10);
  t.match(lines[9], { message: 'peer banned', peer: 'p9', bans: 10, failedPieces: 2, wastedBytes: 120, unsaid: 0 });
  await clock.advance(MINUTE_MS);
  harm.onBan('peer banned', { peer: 'later', reason: 'bad-data' });
  t.match(lines[10], { peer: 'later', bans: 26, unsaid: 15 });
  t.same(harm.counters, { bans: 26, failedPieces: 2, wastedBytes: 120 });
});
