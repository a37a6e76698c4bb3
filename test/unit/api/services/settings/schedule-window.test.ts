// When a rule holds (docs/semantics.md section 8): the day bit names the day a window starts on, ends are exclusive.
import t from 'tap';
import { isWithin, weekMinuteAt } from '../../../../../api/services/settings/schedule-window.js';
import { inZone } from '../../../../support/time-zone.js';

const [SUNDAY, MONDAY, FRIDAY, SATURDAY] = [0, 1, 5, 6];
const EVERY_DAY = 127;
const at = (hours: number, minutes = 0) => hours * 60 + minutes;
const only = (...days: number[]) => days.reduce((mask, day) => mask | (1 << day), 0);

void t.test('window', async (t) => {
  const office = { days_mask: only(MONDAY), start_min: at(9), end_min: at(17) };
  const fridayNight = { days_mask: only(FRIDAY), start_min: at(22), end_min: at(6) };
  const saturdayNight = { days_mask: only(SATURDAY), start_min: at(22), end_min: at(6) };
  const wholeMonday = { days_mask: only(MONDAY), start_min: at(9), end_min: at(9) };
  const cases = [
    { name: 'before the start', rule: office, day: MONDAY, minute: at(8, 59), expected: false },
    { name: 'the start belongs to it', rule: office, day: MONDAY, minute: at(9), expected: true },
    { name: 'the last minute', rule: office, day: MONDAY, minute: at(16, 59), expected: true },
    { name: 'the end does not', rule: office, day: MONDAY, minute: at(17), expected: false },
    { name: 'another day', rule: office, day: FRIDAY, minute: at(12), expected: false },
    { name: 'before midnight', rule: fridayNight, day: FRIDAY, minute: at(23), expected: true },
    { name: 'after midnight, of the day it started on', rule: fridayNight, day: SATURDAY, minute: 0, expected: true },
    { name: 'its last minute', rule: fridayNight, day: SATURDAY, minute: at(5, 59), expected: true },
    { name: 'over after midnight', rule: fridayNight, day: SATURDAY, minute: at(6), expected: false },
    { name: 'not on the evening after', rule: fridayNight, day: SATURDAY, minute: at(22), expected: false },
    { name: 'not in the night before', rule: fridayNight, day: FRIDAY, minute: at(3), expected: false },
    { name: 'across the end of the week', rule: saturdayNight, day: SUNDAY, minute: at(5), expected: true },
    { name: 'not at the beginning of that week', rule: saturdayNight, day: SATURDAY, minute: at(5), expected: false },
    { name: 'the same start and end: begins', rule: wholeMonday, day: MONDAY, minute: at(9), expected: true },
    { name: 'lasts over midnight', rule: wholeMonday, day: MONDAY + 1, minute: at(8, 59), expected: true },
    { name: 'for 24 hours', rule: wholeMonday, day: MONDAY + 1, minute: at(9), expected: false },
    { name: 'and no earlier', rule: wholeMonday, day: MONDAY, minute: at(8, 59), expected: false },
    { name: 'no day', rule: { ...office, days_mask: 0 }, day: MONDAY, minute: at(12), expected: false },
    { name: 'end at midnight', rule: { ...office, end_min: 0 }, day: MONDAY, minute: at(23, 59), expected: true },
    { name: 'and not on', rule: { ...office, end_min: 0 }, day: MONDAY + 1, minute: 0, expected: false },
    { name: 'every day', rule: { ...office, days_mask: EVERY_DAY }, day: SUNDAY, minute: at(12), expected: true },
  ];
  for (const { name, rule, day, minute, expected } of cases) t.equal(isWithin(rule, { day, minute }), expected, name);
});

void t.test('the clock on the wall', async (t) => {
  inZone(t, 'Europe/Berlin');
  t.same(weekMinuteAt(Date.UTC(2026, 9, 23, 21, 5)), { day: FRIDAY, minute: at(23, 5) }, 'summer: UTC+2');
  t.same(weekMinuteAt(Date.UTC(2026, 9, 25, 0, 30)), { day: SUNDAY, minute: at(2, 30) }, 'the first 02:30');
  t.same(weekMinuteAt(Date.UTC(2026, 9, 25, 1, 30)), { day: SUNDAY, minute: at(2, 30) }, 'the second');
  t.same(weekMinuteAt(Date.UTC(2027, 2, 28, 1, 0)), { day: SUNDAY, minute: at(3) }, 'after 01:59 comes 03:00');
});
