// Numbers and strangers' texts as they are shown.
import t from 'tap';
import { retryDelayMs } from '../../../../api/web/src/live/backoff.js';
import { bytes, duration, inert, percent, rate } from '../../../../api/web/src/format/quantities.js';

void t.test('sizes, rates, times', async (t) => {
  t.same([0, 1023, 1024, 10_239, 1024 ** 2 * 15.55, 1024 ** 4 * 200].map(bytes), [
    '0 B',
    '1023 B',
    '1.00 KiB',
    '10.00 KiB',
    '15.6 MiB',
    '200 TiB',
  ]);
  t.same([0, 2048].map(rate), ['', '2.00 KiB/s']);
  t.same([0, 0.5, 0.9999, 1].map(percent), ['0 %', '50.0 %', '99.9 %', '100 %']);
  t.same([5, 65, 3_700, 90_000, 1e9, Infinity, NaN].map(duration), [
    '5 s',
    '1 min 5 s',
    '1 h 1 min',
    '1 d 1 h',
    '31 y 259 d',
    '∞',
    '∞',
  ]);
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
