// The plugins Ratio, Throttle and Scheduler of ruTorrent. Pure.
import { remark, type Remark } from '../../../../shared-protocol/import-remarks/remark.js';
import type { ForeignSettings, ForeignWindow, LeftOut } from '../foreign-settings.js';
import { hourlyWindows } from '../hourly-windows.js';
import { shortened } from '../settings-values.js';
import { membersOfPhp, numberOfPhp, textOfPhp, type PhpMembers } from './php-values.js';
import { unsaidRatio } from './rtorrent-settings.js';

const MIB = 1024 * 1024;
/** Action at a ratio: the torrent stops, and stays in its group. */
const STOPS = 0;
const [HOURS, DAYS] = [24, 7];
/** States of an hour: unlimited, without transfers, seeding alone, and three of limits. */
const [FREE, STOPPED, SEEDING, FIRST_LIMIT, LAST_LIMIT] = [0, 1, 2, 3, 5];

/** Ratio at which torrents of a group stop, by the name of its view; or why it cannot be said. */
export type RatioGroups = ReadonlyMap<string, number | { readonly name: string; readonly reason: Remark }>;

export function ratioGroups(ratio: PhpMembers): RatioGroups {
  const groups = new Map<string, number | { readonly name: string; readonly reason: Remark }>();
  for (const [number, value] of membersOfPhp(ratio.get('rat'))) {
    const group = membersOfPhp(value);
    const name = textOfPhp(group.get('name'));
    if (name === '') continue;
    const known = (key: string) => {
      const found = numberOfPhp(group.get(key));
      return Number.isFinite(found) ? found : null;
    };
    const upload = known('upload');
    const [min, max] = [known('min'), known('max')];
    const reason =
      known('action') === STOPS
        ? unsaidRatio({ min, max, upload: upload === null ? null : upload * MIB })
        : remark('REMOVED_AT_LIMIT');
    groups.set(`rat_${number}`, reason === null ? min! / 100 : { name: shortened(name), reason });
  }
  return groups;
}

export function throttlesLeftOut(throttle: PhpMembers): LeftOut[] {
  return [...membersOfPhp(throttle.get('thr')).values()].flatMap((value) => {
    const channel = membersOfPhp(value);
    const name = textOfPhp(channel.get('name'));
    const isLimited = ['up', 'down'].some((key) => numberOfPhp(channel.get(key)) > 0);
    return name === '' || !isLimited
      ? []
      : [{ name: remark('THROTTLE', { name: shortened(name) }), reason: remark('NO_SHARED_LIMIT') }];
  });
}

/** Hours with a limit are those of the alternative limits, where it is one. */
export function rutorrentSchedule(scheduler: PhpMembers): Pick<ForeignSettings, 'limits' | 'leftOut'> & {
  readonly windows: readonly ForeignWindow[];
} {
  const nothing = { limits: {}, windows: [] };
  const isOn = numberOfPhp(scheduler.get('enabled')) === 1;
  if (!isOn) return { ...nothing, leftOut: [] };
  const grid = [...membersOfPhp(scheduler.get('week')).values()].map((day) =>
    [...membersOfPhp(day).values()].map(numberOfPhp),
  );
  const isGrid =
    grid.length === DAYS &&
    grid.every(
      (day) =>
        day.length === HOURS && day.every((state) => Number.isInteger(state) && state >= FREE && state <= LAST_LIMIT),
    );
  if (!isGrid) return { ...nothing, leftOut: [{ name: remark('SCHEDULE'), reason: remark('TIMES_UNREADABLE') }] };
  const used = new Set(grid.flat());
  const leftOut: LeftOut[] = [];
  if (used.has(STOPPED) || used.has(SEEDING))
    leftOut.push({ name: remark('STOPPED_HOURS'), reason: remark('NOTHING_STOPPED') });
  const limited = [...used].filter((state) => state >= FIRST_LIMIT);
  const [state] = limited;
  if (state === undefined) return { ...nothing, leftOut };
  const kbps = (key: string) =>
    Math.max(0, Math.floor(numberOfPhp(membersOfPhp(scheduler.get(key)).get(String(state - FIRST_LIMIT)))));
  const [down, up] = [kbps('DL'), kbps('UL')];
  if (limited.length > 1 || !Number.isFinite(down + up)) {
    const reason = remark(limited.length > 1 ? 'SEVERAL_LIMITS' : 'LIMITS_UNREADABLE');
    return { ...nothing, leftOut: [...leftOut, { name: remark('SCHEDULE'), reason }] };
  }
  const windows = hourlyWindows(grid, (each) => each === state);
  return { limits: { alt_down_kbps: down, alt_up_kbps: up }, windows, leftOut };
}
