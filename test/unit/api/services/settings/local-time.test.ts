// The wall clock of several zones, whatever the zone of the machine that tests.
import t from 'tap';
import { localIsoTime } from '../../../../../api/services/settings/local-time.js';
import { inZone } from '../../../../support/time-zone.js';

void t.test('the time on the wall and its distance from UTC', async (t) => {
  for (const [name, utc, expected] of [
    ['UTC', '2026-01-01T00:00:00.999Z', '2026-01-01T00:00:00+00:00'],
    ['Europe/Berlin', '2026-03-29T00:59:59Z', '2026-03-29T01:59:59+01:00'],
    ['Europe/Berlin', '2026-03-29T01:00:00Z', '2026-03-29T03:00:00+02:00'],
    ['America/St_Johns', '2026-01-01T01:00:00Z', '2025-12-31T21:30:00-03:30'],
    ['Asia/Kathmandu', '2026-01-01T20:00:00Z', '2026-01-02T01:45:00+05:45'],
  ] as const) {
    await t.test(name, async (t) => {
      inZone(t, name);
      t.equal(localIsoTime(Date.parse(utc)), expected);
      t.equal(Date.parse(expected), Math.floor(Date.parse(utc) / 1000) * 1000, 'and back');
    });
  }
});
