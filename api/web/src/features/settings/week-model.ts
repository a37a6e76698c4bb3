// The week of the schedule: which rule holds when, as it is drawn; and the window that is being painted. A window's day
// is the one it starts on; past midnight it goes on in the next day (docs/semantics.md section 8). Of several rules the
// lowest id wins, those with limits of their own before those that ask for the alternative ones. Pure; day 0 is Sunday.
import type { RuleDto } from '../../../../../shared-protocol/dto/schedule.js';

export const DAY_MIN = 24 * 60;
export const HOURS = 24;
const WEEK_MIN = 7 * DAY_MIN;
const HOUR_MIN = 60;

/** Monday first. */
export const DAY_ORDER: readonly number[] = [1, 2, 3, 4, 5, 6, 0];

export interface Segment {
  readonly day: number;
  readonly startMin: number;
  /** Up to 24 hours: midnight. */
  readonly endMin: number;
  readonly rule: RuleDto;
}

type Window = Pick<RuleDto, 'days_mask' | 'start_min' | 'end_min'>;

/** Each rule only where it holds: never two at one time. */
export function weekSegments(rules: readonly RuleDto[]): readonly Segment[] {
  // By minute, as the server decides: what loses is drawn over by what wins.
  const winners = new Array<RuleDto | undefined>(WEEK_MIN);
  const byId = rules.filter(({ enabled }) => enabled).sort((a, b) => b.id - a.id);
  const losersFirst = [...byId.filter(({ alt_only }) => alt_only), ...byId.filter(({ alt_only }) => !alt_only)];
  for (const rule of losersFirst) {
    for (const [from, to] of spans(rule)) for (let at = from; at < to; at++) winners[at % WEEK_MIN] = rule;
  }
  return Array.from({ length: 7 }, (_, day) => segmentsOf(winners, day)).flat();
}

export function ruleAt(segments: readonly Segment[], day: number, minute: number): RuleDto | null {
  const found = segments.find((of) => of.day === day && minute >= of.startMin && minute < of.endMin);
  return found?.rule ?? null;
}

function spans({ days_mask, start_min, end_min }: Window): readonly (readonly [from: number, to: number])[] {
  const length = end_min > start_min ? end_min - start_min : end_min + DAY_MIN - start_min;
  return [0, 1, 2, 3, 4, 5, 6]
    .filter((day) => (days_mask & (1 << day)) !== 0)
    .map((day) => [day * DAY_MIN + start_min, day * DAY_MIN + start_min + length]);
}

function segmentsOf(winners: readonly (RuleDto | undefined)[], day: number): Segment[] {
  const found: Segment[] = [];
  for (let minute = 0; minute < DAY_MIN;) {
    const rule = winners[day * DAY_MIN + minute];
    let end = minute + 1;
    while (end < DAY_MIN && winners[day * DAY_MIN + end] === rule) end++;
    if (rule) found.push({ day, startMin: minute, endMin: end, rule });
    minute = end;
  }
  return found;
}

/**
 * How far a wall clock is ahead of this browser's UTC, in milliseconds. `told`: what it showed at `nowMs`, as ISO 8601;
 * its distance from UTC says where the clock hangs, which does not matter here.
 */
export function wallAheadMs(told: string, nowMs: number): number {
  return Date.parse(`${told.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length)}Z`) - nowMs;
}

/** Reads a clock that shows the time of day as if it were UTC. */
export function minuteOfWall(wallMs: number): { readonly day: number; readonly minute: number } {
  const wall = new Date(wallMs);
  return { day: wall.getUTCDay(), minute: wall.getUTCHours() * 60 + wall.getUTCMinutes() };
}

/** From the cell where painting began to the one where it is: `column` is a place in the week, Monday first. */
export interface Painting {
  readonly fromColumn: number;
  readonly toColumn: number;
  readonly fromHour: number;
  /** 24 and more: hours of the day after. */
  readonly toHour: number;
}

export function startPainting(column: number, hour: number): Painting {
  return { fromColumn: column, toColumn: column, fromHour: hour, toHour: hour };
}

/** Paints as far as the week goes, and no window longer than a day. */
export function paintTo(painting: Painting, column: number, hour: number): Painting {
  return {
    ...painting,
    toColumn: Math.min(Math.max(column, 0), DAY_ORDER.length - 1),
    toHour: Math.min(Math.max(hour, 0), painting.fromHour + HOURS - 1),
  };
}

export function windowOf({ fromColumn, toColumn, fromHour, toHour }: Painting): Window {
  const columns = DAY_ORDER.slice(Math.min(fromColumn, toColumn), Math.max(fromColumn, toColumn) + 1);
  return {
    days_mask: columns.reduce((mask, day) => mask | (1 << day), 0),
    start_min: Math.min(fromHour, toHour) * HOUR_MIN,
    end_min: ((Math.max(fromHour, toHour) + 1) * HOUR_MIN) % DAY_MIN,
  };
}

/** Whether the hour of a column is painted; what goes on after midnight shows in the next column. */
export function isPainted(painting: Painting, column: number, hour: number): boolean {
  const { days_mask, start_min, end_min } = windowOf(painting);
  const at = DAY_ORDER[column]! * DAY_MIN + hour * HOUR_MIN;
  return spans({ days_mask, start_min, end_min }).some(
    ([from, to]) => (at >= from && at < to) || (at + WEEK_MIN >= from && at + WEEK_MIN < to),
  );
}

/** The days of a mask as runs, Monday first: `[[1, 5]]` is Monday to Friday. */
export function dayRuns(mask: number): readonly (readonly [first: number, last: number])[] {
  const runs: [number, number][] = [];
  let last: number | null = null;
  DAY_ORDER.forEach((day, column) => {
    if ((mask & (1 << day)) === 0) return;
    const run = runs.at(-1);
    if (run && last === column - 1) run[1] = day;
    else runs.push([day, day]);
    last = column;
  });
  return runs;
}
