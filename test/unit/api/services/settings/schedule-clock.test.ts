// The schedule in virtual time: months of it with the days on which clocks are put forward and back, compared minute by
// minute with a plan of the week that is made in another way; and what becomes of an engine that is away.
import t from 'tap';
import { ScheduleClock } from '../../../../../api/services/settings/schedule-clock.js';
import { NO_RULES, ScheduleRules, scheduleSchema } from '../../../../../api/services/settings/schedule-rules.js';
import {
  defaultSettings,
  settingsSchema,
  type SettingsData,
} from '../../../../../api/services/settings/settings-data.js';
import { SpeedLimits } from '../../../../../api/services/settings/speed-limits.js';
import type { RateLimits } from '../../../../../shared-protocol/commands/limits.js';
import type { RuleDto } from '../../../../../shared-protocol/dto/schedule.js';
import { AppError } from '../../../../../shared-protocol/errors.js';
import { SILENT_LOG } from '../../../../support/api-harness.js';
import { MemoryCollection } from '../../../../support/memory-collection.js';
import { VirtualClock } from '../../../../support/virtual-clock.js';
import { inZone } from '../../../../support/time-zone.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const KIB = 1024;
const LIMITS = { down_kbps: 100, up_kbps: 0, alt_down_kbps: 10, alt_up_kbps: 0, alt_active: false };
const at = (hours: number, minutes = 0) => hours * 60 + minutes;

const RULES: readonly RuleDto[] = [
  // Friday night, office hours with the alternative limits, and half an hour that a night in March does not have.
  { id: 1, days_mask: 32, start_min: at(22), end_min: at(6), down_kbps: 7, up_kbps: 0, alt_only: false, enabled: true },
  { id: 2, days_mask: 62, start_min: at(9), end_min: at(17), down_kbps: 1, up_kbps: 1, alt_only: true, enabled: true },
  { id: 3, days_mask: 1, start_min: at(2), end_min: at(2, 30), down_kbps: 3, up_kbps: 0, alt_only: false, enabled: true },
]; // prettier-ignore

async function start(unixMs: number, rules: readonly RuleDto[] = RULES) {
  const clock = new VirtualClock(unixMs);
  const settings = new MemoryCollection<SettingsData>(
    { ...defaultSettings('/data'), limits: LIMITS },
    settingsSchema.parse,
  );
  const told: { readonly unixMs: number; readonly downKbps: number }[] = [];
  const engine = { isAway: false };
  const setRateLimits = async ({ downBytesPerSec }: RateLimits) => {
    if (engine.isAway) throw new AppError('ENGINE_TIMEOUT', 'engine: no answer');
    told.push({ unixMs: clock.unixMs(), downKbps: downBytesPerSec / KIB });
  };
  const collection = new MemoryCollection({ ...NO_RULES, next_id: 9, rules: [...rules] }, scheduleSchema.parse);
  const scheduleRules: ScheduleRules = new ScheduleRules({ collection, onChanged: () => speedLimits.apply() });
  const speedLimits = new SpeedLimits({
    engine: { client: { setRateLimits } },
    settings: {
      stored: (group) => settings.data[group],
      edit: (group, change) => settings.update((data) => void (data[group] = change(data[group]))),
    },
    rules: scheduleRules,
    clock,
  });
  const schedule = new ScheduleClock({ speedLimits, clock, log: SILENT_LOG });
  schedule.start();
  await clock.settle();
  return { clock, told, engine, speedLimits, scheduleRules, schedule };
}

/** The rules of this test as a plan of the week, painted minute by minute, later rows under earlier ones. */
function plan(): Uint8Array {
  const week = new Uint8Array(7 * 24 * 60).fill(100);
  const paint = (from: number, minutes: number, value: number) => {
    for (let i = 0; i < minutes; i++) week[(from + i) % week.length] = value;
  };
  for (const day of [1, 2, 3, 4, 5]) paint(day * 1440 + at(9), at(8), 10);
  paint(at(2), 30, 3);
  paint(5 * 1440 + at(22), at(8), 7);
  return week;
}

const WALL = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Berlin',
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

function minuteOfWeek(unixMs: number): number {
  const [, day = '', hour, minute] = /^(\w+),? (\d+):(\d+)/.exec(WALL.format(unixMs)) ?? [];
  return DAYS.indexOf(day) * 1440 + (Number(hour) % 24) * 60 + Number(minute);
}

for (const [name, year, month] of [
  ['October, when clocks are put back', 2026, 9],
  ['March, when they are put forward', 2027, 2],
] as const) {
  void t.test(`a month: ${name}`, async (t) => {
    inZone(t, 'Europe/Berlin');
    const from = Date.UTC(year, month, 1);
    const { clock, told, schedule } = await start(from);
    await clock.advance(31 * DAY_MS);
    await schedule.stop();
    t.equal(clock.pendingTimers, 0);
    const week = plan();
    let inForce = NaN;
    let wrong = 0;
    const changes = told[Symbol.iterator]();
    let next = changes.next();
    for (let unixMs = from; unixMs < from + 31 * DAY_MS; unixMs += MINUTE_MS) {
      while (!next.done && next.value.unixMs <= unixMs) {
        inForce = next.value.downKbps;
        next = changes.next();
      }
      if (inForce !== week[minuteOfWeek(unixMs)]) wrong++;
    }
    t.equal(wrong, 0, 'minutes in which other limits held than planned');
    t.ok(told.length < 31 * 4, 'the engine is told of edges only');
  });
}

void t.test('an hour that comes twice counts twice, one that is left out not at all', async (t) => {
  inZone(t, 'Europe/Berlin');
  const countOfRule3 = async (from: number) => {
    const { clock, told, schedule } = await start(from);
    await clock.advance(DAY_MS);
    await schedule.stop();
    return told.filter(({ downKbps }) => downKbps === 3).length;
  };
  t.equal(await countOfRule3(Date.UTC(2026, 9, 24, 22)), 2);
  t.equal(await countOfRule3(Date.UTC(2027, 2, 27, 23)), 0);
  t.equal(await countOfRule3(Date.UTC(2027, 3, 3, 22)), 1, 'a usual Sunday');
});

void t.test('a change of rule or toggle holds at once; nothing is written back', async (t) => {
  inZone(t, 'Europe/Berlin');
  // A Wednesday at noon.
  const { told, speedLimits, scheduleRules, schedule } = await start(Date.UTC(2026, 10, 18, 11));
  t.same(told.at(-1)?.downKbps, 10, 'the alternative limits by rule 2');
  t.equal(speedLimits.stored.alt_active, false, 'the toggle is the user\'s'); // prettier-ignore
  const now = { days_mask: 8, start_min: at(11), end_min: at(13), up_kbps: 0, alt_only: false, enabled: true };
  const id = await scheduleRules.create({ ...now, down_kbps: 55 });
  t.equal(told.at(-1)?.downKbps, 55);
  await scheduleRules.change({ ...now, id, down_kbps: 66 });
  t.equal(told.at(-1)?.downKbps, 66);
  t.equal(await speedLimits.toggleAlt(), true);
  t.equal(told.at(-1)?.downKbps, 66, 'a rule beats the toggle');
  await scheduleRules.delete(id);
  t.equal(told.at(-1)?.downKbps, 10);
  await schedule.stop();
});

void t.test('an engine that does not answer is told again within a minute', async (t) => {
  inZone(t, 'Europe/Berlin');
  const { clock, told, engine, schedule } = await start(Date.UTC(2026, 10, 18, 15, 58));
  engine.isAway = true;
  await clock.advance(5 * MINUTE_MS);
  t.equal(told.length, 1);
  engine.isAway = false;
  await clock.advance(MINUTE_MS);
  t.equal(told.at(-1)?.downKbps, 100, 'the window ended at 17:00');
  await clock.advance(10 * MINUTE_MS);
  t.equal(told.length, 2);
  await schedule.stop();
});
