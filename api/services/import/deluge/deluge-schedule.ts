// The plugin Scheduler of Deluge, `scheduler.conf`: for each hour of each day whether transfers are free (0), slow (1) or stopped (2).
// Slow hours are those of the alternative limits; nothing here stops transfers by the clock. Pure.
import { remark } from '../../../../shared-protocol/import-remarks/remark.js';
import type { ForeignLimits, ForeignWindow, LeftOut } from '../foreign-settings.js';
import { hourlyWindows } from '../hourly-windows.js';
import type { JsonObject } from '../json-file.js';

const [SLOW, STOPPED] = [1, 2];
const [HOURS, DAYS] = [24, 7];

export interface DelugeSchedule {
  readonly limits: Pick<ForeignLimits, 'alt_down_kbps' | 'alt_up_kbps'>;
  readonly windows: readonly ForeignWindow[];
  readonly leftOut: readonly LeftOut[];
}

export function delugeSchedule(scheduler: JsonObject, core: JsonObject): DelugeSchedule {
  const states = scheduler['button_state'];
  if (states === undefined) return { limits: {}, windows: [], leftOut: [] };
  const grid = gridOf(states);
  if (!grid) {
    const leftOut = [{ name: remark('SCHEDULE'), reason: remark('TIMES_UNREADABLE') }];
    return { limits: {}, windows: [], leftOut };
  }
  const leftOut: LeftOut[] = [];
  const isAny = (wanted: number) => grid.some((hours) => hours.includes(wanted));
  if (isAny(STOPPED)) leftOut.push({ name: remark('STOPPED_HOURS'), reason: remark('NOTHING_STOPPED') });
  if (!isAny(SLOW)) return { limits: {}, windows: [], leftOut };
  if (QUEUE.some(([there, ofAll]) => scheduler[there] !== undefined && scheduler[there] !== core[ofAll]))
    leftOut.push({ name: remark('SLOW_HOURS_QUEUE'), reason: remark('QUEUE_AT_ALL_HOURS') });
  const limits = { alt_down_kbps: limitOf(scheduler['low_down']), alt_up_kbps: limitOf(scheduler['low_up']) };
  return { limits, windows: hourlyWindows(grid, (state) => state === SLOW), leftOut };
}

const QUEUE = [
  ['low_active', 'max_active_limit'],
  ['low_active_down', 'max_active_downloading'],
  ['low_active_up', 'max_active_seeding'],
] as const;

/** 0: no limit. */
function limitOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.max(1, Math.floor(value)) : 0;
}

/** Hours of each day, Monday first; null: it is no such table. */
function gridOf(states: unknown): readonly (readonly number[])[] | null {
  const isRow = (row: unknown): row is number[] =>
    Array.isArray(row) && row.length === DAYS && row.every((state) => [0, SLOW, STOPPED].includes(state as number));
  if (!Array.isArray(states) || states.length !== HOURS || !states.every(isRow)) return null;
  const rows: readonly number[][] = states;
  return Array.from({ length: DAYS }, (_, day) => rows.map((row) => row[day]!));
}
