// When qBittorrent has its alternative limits hold, as a window of the week. Its times are of the type QTime, as QSettings writes
// what is no text: `@Variant(`, the number of the type and milliseconds since midnight, both of four bytes, `)`. Pure.
import { remark, type Remark } from '../../../../shared-protocol/import-remarks/remark.js';
import type { ForeignWindow, LeftOut } from '../foreign-settings.js';
import type { IniValues } from '../ini-file.js';

const FIELD = 'Preferences/Scheduler\\';
const TIME_TYPE = 15;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Hours where nothing was set: 8 and 20. */
const [START_MS, END_MS] = [8 * 60 * MINUTE_MS, 20 * 60 * MINUTE_MS];

/** In the order of the numbers that older versions write; bit 0 is Sunday. */
const DAYS: readonly (readonly [name: string, mask: number])[] = [
  ['EveryDay', 0b1111111],
  ['Weekday', 0b0111110],
  ['Weekend', 0b1000001],
  ['Monday', 1 << 1],
  ['Tuesday', 1 << 2],
  ['Wednesday', 1 << 3],
  ['Thursday', 1 << 4],
  ['Friday', 1 << 5],
  ['Saturday', 1 << 6],
  ['Sunday', 1 << 0],
];
const EVERY_DAY = 0b1111111;

export function scheduleOf(ini: IniValues, leftOut: LeftOut[]): ForeignWindow | null {
  if (ini.get('BitTorrent/Session\\BandwidthSchedulerEnabled') !== 'true') return null;
  const [start, end] = [timeIn(ini, 'start_time', START_MS), timeIn(ini, 'end_time', END_MS)];
  const written = ini.get(`${FIELD}days`) ?? 'EveryDay';
  const mask = (DAYS.find(([name]) => name === written) ?? DAYS[/^\d$/.test(written) ? Number(written) : -1])?.[1];
  const without = (reason: Remark) => {
    leftOut.push({ name: remark('SCHEDULE'), reason });
    return null;
  };
  if (start === null || end === null || mask === undefined) return without(remark('TIMES_UNREADABLE'));
  if (start === end) return without(remark('NO_TIME'));
  // There, all other days count as a whole as well.
  if (start > end && mask !== EVERY_DAY) return without(remark('AFTER_MIDNIGHT'));
  return { days_mask: mask, start_min: start, end_min: end };
}

/** Minutes since midnight; null: it is written in no way that is known. */
function timeIn(ini: IniValues, key: string, fallbackMs: number): number | null {
  const written = ini.get(FIELD + key);
  if (written === undefined) return fallbackMs / MINUTE_MS;
  const bytes = Buffer.from(/^@Variant\(([\s\S]{8})\)$/.exec(written)?.[1] ?? '', 'latin1');
  if (bytes.length !== 8 || bytes.readUInt32BE(0) !== TIME_TYPE) return null;
  const ms = bytes.readUInt32BE(4);
  return ms < DAY_MS ? Math.floor(ms / MINUTE_MS) : null;
}
