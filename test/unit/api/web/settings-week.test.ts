// The week of the schedule as it is drawn, and as it is painted; the server decides what holds.
import t from 'tap';
import { limitsInForce } from '../../../../api/services/settings/limits-in-force.js';
import {
  dayRuns,
  isPainted,
  minuteOfWall,
  paintTo,
  ruleAt,
  startPainting,
  wallAheadMs,
  weekSegments,
  windowOf,
} from '../../../../api/web/src/features/settings/week-model.js';
import type { RuleDto } from '../../../../shared-protocol/dto/schedule.js';

const SUNDAY = 0b1;
const FRIDAY = 0b100000;
const WORKDAYS = 0b111110;
const ALL = 127;
const LIMITS = { down_kbps: 0, up_kbps: 0, alt_down_kbps: 0, alt_up_kbps: 0, alt_active: false };

function rule(id: number, days_mask: number, from: number, to: number, more: Partial<RuleDto> = {}): RuleDto {
  const [start_min, end_min] = [from * 60, (to % 24) * 60];
  return { id, days_mask, start_min, end_min, down_kbps: 1, up_kbps: 1, alt_only: false, enabled: true, ...more };
}

const shown = (rules: readonly RuleDto[]) =>
  weekSegments(rules).map(({ day, startMin, endMin, rule: { id } }) => `${day} ${startMin / 60}-${endMin / 60} #${id}`);

void t.test('segments', async (t) => {
  t.same(shown([rule(1, FRIDAY, 22, 6)]), ['5 22-24 #1', '6 0-6 #1'], 'goes on after midnight');
  t.same(shown([rule(1, 0b1000000, 22, 6)]), ['0 0-6 #1', '6 22-24 #1'], 'and after the last day');
  t.same(shown([rule(1, SUNDAY, 0, 0)]), ['0 0-24 #1'], 'the same start and end is a day');
  t.same(shown([rule(1, SUNDAY, 8, 12, { enabled: false })]), []);
  t.same(shown([rule(1, SUNDAY, 8, 12), rule(2, SUNDAY, 10, 14)]), ['0 8-12 #1', '0 12-14 #2'], 'the lowest id wins');
  const [alt, own] = [rule(1, SUNDAY, 8, 12, { alt_only: true }), rule(2, SUNDAY, 10, 14)];
  t.same(shown([alt, own]), ['0 8-10 #1', '0 10-14 #2'], 'limits of its own come before the alternative ones');
});

void t.test('what is drawn is what the server decides, at every quarter of an hour', async (t) => {
  const rules = [
    rule(1, WORKDAYS, 9, 17, { alt_only: true }),
    rule(2, ALL, 22, 6, { alt_only: true }),
    rule(3, FRIDAY, 12, 3),
    rule(4, SUNDAY, 5, 5),
  ];
  const segments = weekSegments(rules);
  for (let day = 0; day < 7; day++) {
    for (let minute = 0; minute < 24 * 60; minute += 15) {
      const expected = limitsInForce(LIMITS, rules, { day, minute }).rule_id;
      const drawn = ruleAt(segments, day, minute)?.id ?? null;
      if (drawn !== expected) t.equal(drawn, expected, `day ${day}, minute ${minute}`);
    }
  }
});

void t.test('painting', async (t) => {
  const from = startPainting(0, 9);
  t.same(windowOf(from), { days_mask: 0b10, start_min: 540, end_min: 600 }, 'one hour of Monday');
  t.same(windowOf(paintTo(from, 4, 16)), { days_mask: WORKDAYS, start_min: 540, end_min: 1020 });
  t.same(windowOf(paintTo(from, 0, 7)), { days_mask: 0b10, start_min: 420, end_min: 600 }, 'upwards');
  t.same(windowOf(paintTo(startPainting(3, 9), 2, 9)).days_mask, 0b11000, 'to the left');
  t.same(windowOf(paintTo(startPainting(0, 0), 0, 23)), { days_mask: 0b10, start_min: 0, end_min: 0 }, 'a whole day');

  const overnight = paintTo(startPainting(6, 22), 6, 29);
  t.same(windowOf(overnight), { days_mask: SUNDAY, start_min: 1320, end_min: 360 }, 'past midnight');
  t.ok(isPainted(overnight, 6, 23));
  t.ok(isPainted(overnight, 0, 5), 'Monday morning');
  t.notOk(isPainted(overnight, 0, 6));
  t.notOk(isPainted(overnight, 6, 5));

  t.same(paintTo(from, 99, 99), { fromColumn: 0, toColumn: 6, fromHour: 9, toHour: 32 }, 'no longer than a day');
});

void t.test('days in words', async (t) => {
  t.same(dayRuns(WORKDAYS), [[1, 5]]);
  t.same(dayRuns(0b1000001), [[6, 0]], 'the weekend is one run');
  t.same(dayRuns(0b0101010), [[1, 1], [3, 3], [5, 5]]); // prettier-ignore
  t.same(dayRuns(0), []);
});

void t.test("the server's clock: what it shows goes on by the browser's", async (t) => {
  const nowMs = Date.UTC(2026, 0, 1, 12);
  const at = (told: string, laterMin = 0) => minuteOfWall(nowMs + laterMin * 60_000 + wallAheadMs(told, nowMs));
  t.same(at('2026-01-03T23:30:00+11:30'), { day: 6, minute: 23 * 60 + 30 });
  t.same(at('2026-01-03T23:30:00-03:00'), { day: 6, minute: 23 * 60 + 30 }, 'wherever it hangs, and if it is wrong');
  t.same(at('2026-01-03T23:30:00+11:30', 45), { day: 0, minute: 15 });
});
