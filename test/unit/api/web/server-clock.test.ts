// The clock of the server, where that of the browser is off.
import t from 'tap';
import { noteServerDate, serverNowMs } from '../../../../api/web/src/net/server-clock.js';

const HOUR_MS = 3_600_000;

void t.test('answers tell it, and what takes them a second is no difference', (t) => {
  const told = (ms: number) => new Date(ms).toUTCString();
  const aheadMs = () => serverNowMs() - Date.now();
  t.ok(Math.abs(aheadMs()) < 100, 'the one here until an answer has come');
  noteServerDate(told(Date.now() - 1_000));
  t.ok(Math.abs(aheadMs()) < 100);
  noteServerDate(told(Date.now() + 2 * HOUR_MS));
  t.ok(Math.abs(aheadMs() - 2 * HOUR_MS) < 1_500);
  const before = aheadMs();
  noteServerDate(told(Date.now() + 2 * HOUR_MS - 900));
  t.ok(Math.abs(aheadMs() - before) < 100, 'steady');
  for (const nothing of [null, 'yesterday']) noteServerDate(nothing);
  t.ok(Math.abs(aheadMs() - before) < 100);
  noteServerDate(told(Date.now()));
  t.ok(Math.abs(aheadMs()) < 100, 'one of the two was set right');
  t.end();
});
