// Numbers and strangers' texts as they are shown.
import t from 'tap';
import { retryDelayMs } from '../../../../api/web/src/live/backoff.js';
import {
  bytes,
  count,
  duration,
  inert,
  narrowDuration,
  percent,
  rate,
  calendarDay,
  recentTime,
  shortDuration,
  shortened,
} from '../../../../api/web/src/format/quantities.js';
import { speakAll } from '../../../support/texts.js';

void t.test('sizes, rates, times', async (t) => {
  t.same([0, 999, 1000, 1024, 10_239, 1024 * 999, 1024 * 1000, 1024 ** 2 * 15.55, 1024 ** 4 * 200].map(bytes), [
    '0 B',
    '999 B',
    '0.98 KiB',
    '1.00 KiB',
    '10.00 KiB',
    '999 KiB',
    '0.98 MiB',
    '15.6 MiB',
    '200 TiB',
  ]);
  t.same([0, 2048].map(rate), ['', '2.00 KiB/s']);
  t.same([0, 0.5, 0.9999, 1].map(percent), ['0%', '50.0%', '99.9%', '100%']);
  t.same([5, 65, 3_700, 90_000, 1e9, Infinity, NaN].map(duration), [
    '5s',
    '1m 5s',
    '1h 1m',
    '1d 1h',
    '31y 259d',
    '∞',
    '∞',
  ]);
});

void t.test('a second unit of which there is none is left out', async (t) => {
  t.same([0, 60, 1_200, 7_200, 86_400, 86_460].map(duration), ['0s', '1m', '20m', '2h', '1d', '1d']);
});

void t.test('seconds are left out from ten minutes on', async (t) => {
  t.same([599, 600, 648, 3_599].map(duration), ['9m 59s', '10m', '10m', '59m']);
});

void t.test('where there is hardly room, a time is its largest unit alone when both are too long', async (t) => {
  t.same([0, 165, 599, 2_700, 9_900, 45_900, 86_400 * 400, Infinity].map(narrowDuration), [
    '0s',
    '2m 45s',
    '9m 59s',
    '45m',
    '2h 45m',
    '12h',
    '1y 35d',
    '∞',
  ]);
});

void t.test('in columns the words of times are as short in German as in English', async (t) => {
  await speakAll('de');
  t.teardown(() => speakAll('en'));
  t.equal(duration(45_900), '12\u00a0h 45\u00a0min');
  t.same([165, 45_900, 270_000].map(shortDuration), ['2m 45s', '12h 45m', '3T 3h']);
  t.same([165, 45_900, 270_000].map(narrowDuration), ['2m 45s', '12h', '3T 3h']);
});

void t.test('thousands are told apart', async (t) => {
  t.same([7, 5_000, 32_140].map(count), ['7', '5,000', '32,140']);
});

void t.test('what turns or breaks a line is shown as a mark', async (t) => {
  t.equal(inert('a\u202egnp.exe\n\u200f<b>\u0000'), 'a\ufffdgnp.exe\ufffd\ufffd<b>\ufffd');
  t.equal(inert('Ёлка 日本 🎄'), 'Ёлка 日本 🎄');
});

void t.test('the wait before the next attempt', async (t) => {
  t.same(
    [1, 2, 3, 6, 60].map((failures) => retryDelayMs(failures, 0)),
    [500, 1_000, 2_000, 15_000, 15_000],
  );
  t.same(
    [1, 60].map((failures) => Math.round(retryDelayMs(failures, 0.999))),
    [1_000, 29_985],
  );
});

void t.test('times are as short as they can be', async (t) => {
  const now = new Date(2024, 4, 20, 15, 30).getTime();
  const at = (...date: readonly [number, number, number, number, number]) =>
    recentTime(new Date(...date).getTime() / 1000, now);
  t.match(at(2024, 4, 20, 9, 5), /^0?9:05\b(?!.*20)/, 'today: the time');
  t.match(at(2024, 2, 7, 9, 5), /7.*9:05/, 'this year: the day and the time');
  t.match(at(2021, 2, 7, 9, 5), /7.*2021$/, 'another year: the day');
  t.equal(recentTime(0, now), '');
  t.match(calendarDay('2026-12-01'), /\b0?1\b.*2026$/, 'a day of the calendar is the same one in each time zone');
});

void t.test('a name within a sentence is not long', async (t) => {
  t.equal(shortened('short\u202e'), 'short\ufffd');
  t.equal([...shortened('🎄'.repeat(200))].length, 60);
});
