// Conditions and ranges of RFC 9110, sections 13 and 14.
import t from 'tap';
import { rangeOf, type RangeOutcome } from '../../../../../api/routes/files/byte-range.js';

const FILE = { etag: '"a.0"', sizeBytes: 1_000 };
const part = (from: number, end: number): RangeOutcome => ({ kind: 'part', from, end });
const WHOLE: RangeOutcome = { kind: 'whole' };
const UNSATISFIABLE: RangeOutcome = { kind: 'unsatisfiable' };

void t.test('one range', async (t) => {
  const cases: readonly [range: string, expected: RangeOutcome][] = [
    ['bytes=0-0', part(0, 1)],
    ['bytes=0-', part(0, 1_000)],
    ['bytes=999-', part(999, 1_000)],
    ['bytes=10-19', part(10, 20)],
    ['bytes=10-5000', part(10, 1_000)],
    ['bytes=-1', part(999, 1_000)],
    ['bytes=-5000', part(0, 1_000)],
    ['BYTES= 1-2 ', part(1, 3)],
    [`bytes=0-${'9'.repeat(400)}`, part(0, 1_000)],
    [`bytes=-${'9'.repeat(400)}`, part(0, 1_000)],
    ['bytes=1000-', UNSATISFIABLE],
    ['bytes=-0', UNSATISFIABLE],
    [`bytes=${'9'.repeat(400)}-`, UNSATISFIABLE],
    // Not understood, and so ignored.
    ['bytes=20-10', WHOLE],
    ['bytes=-', WHOLE],
    ['bytes=', WHOLE],
    ['bytes', WHOLE],
    ['', WHOLE],
    ['lines=0-1', WHOLE],
    ['bytes=a-b', WHOLE],
    ['bytes=0x0-0x1', WHOLE],
    ['bytes=1.5-2', WHOLE],
    ['bytes=+1-2', WHOLE],
    ['bytes=--1', WHOLE],
    // Several may be answered by the whole.
    ['bytes=0-1,3-4', WHOLE],
    ['bytes=0-,0-,0-,0-,0-', WHOLE],
  ];
  for (const [range, expected] of cases) t.same(rangeOf('GET', { range }, FILE), expected, range.slice(0, 40));
});

void t.test('of nothing there is no range', async (t) => {
  const empty = { ...FILE, sizeBytes: 0 };
  t.same(rangeOf('GET', {}, empty), WHOLE);
  for (const range of ['bytes=0-', 'bytes=0-0', 'bytes=-1']) t.same(rangeOf('GET', { range }, empty), UNSATISFIABLE);
});

void t.test('HEAD has no ranges', async (t) => {
  t.same(rangeOf('HEAD', { range: 'bytes=5000-' }, FILE), WHOLE);
});

void t.test('conditions', async (t) => {
  const range = 'bytes=1-2';
  const cases: readonly [headers: Record<string, string>, expected: RangeOutcome][] = [
    [{ 'if-range': '"a.0"', range }, part(1, 3)],
    [{ 'if-range': '"a.1"', range }, WHOLE],
    [{ 'if-range': 'W/"a.0"', range }, WHOLE],
    [{ 'if-range': 'Sat, 29 Oct 2044 19:43:31 GMT', range }, WHOLE],
    [{ 'if-none-match': '"a.0"', range }, { kind: 'not-modified' }],
    [{ 'if-none-match': '"x", W/"a.0"' }, { kind: 'not-modified' }],
    [{ 'if-none-match': '*' }, { kind: 'not-modified' }],
    [{ 'if-none-match': '"a.00"', range }, part(1, 3)],
    [{ 'if-none-match': 'a.0' }, WHOLE],
    [{ 'if-match': '"a.0"', range }, part(1, 3)],
    [{ 'if-match': '*' }, WHOLE],
    [{ 'if-match': 'W/"a.0"' }, { kind: 'precondition-failed' }],
    [{ 'if-match': '"x", "y"', range: 'bytes=5000-' }, { kind: 'precondition-failed' }],
    [{ 'if-match': '"a.0"', 'if-none-match': '"a.0"' }, { kind: 'not-modified' }],
  ];
  for (const [headers, expected] of cases) t.same(rangeOf('GET', headers, FILE), expected, JSON.stringify(headers));
});
