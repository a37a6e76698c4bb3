// What becomes of a file in the watch folder, decided on plain facts.
import t from 'tap';
import { RequestError } from '../../../../../api/errors.js';
import {
  asideNames,
  failureOf,
  decideOn,
  kindOf,
  magnetsIn,
  waitLonger,
  type FileState,
  type Memory,
  type Verdict,
} from '../../../../../api/services/watch-folder/file-rules.js';
import { AppError } from '../../../../../shared-protocol/errors.js';

for (const [name, kind] of [
  ['a.torrent', 'torrent'],
  ['a.b.TORRENT', 'torrent'],
  ['a.magnet', 'magnet'],
  ['a.torrent.added', null],
  ['a.torrent.invalid', null],
  ['a.torrent.part', null],
  ['.a.torrent', null],
  ['.torrent', null],
  ['torrent', null],
  ['atorrent', null],
] as const) {
  void t.test(`name ${name}`, async (t) => t.equal(kindOf(name), kind));
}

const STATE: FileState = { mark: 'm', size: 9 };
const seen = (sinceMs: number, mark = 'm'): Memory => ({ kind: 'seen', mark, sinceMs });
const waiting = (attempts: number, notBeforeMs: number, mark = 'm'): Memory & { kind: 'waiting' } => ({
  kind: 'waiting',
  mark,
  attempts,
  notBeforeMs,
});
const take: Verdict = { kind: 'take' };
const leave = (memory: Memory): Verdict => ({ kind: 'leave', memory });
const settled: Memory = { kind: 'settled', mark: 'm' };

for (const { name, memory, state = STATE, nowMs, expected } of [
  { name: 'a new file is remembered', memory: undefined, nowMs: 100, expected: leave(seen(100)) },
  { name: 'the same a poll later is taken', memory: seen(100), nowMs: 5_100, expected: take },
  { name: 'a state in between does not count', memory: seen(100), nowMs: 2_000, expected: leave(seen(100)) },
  { name: 'a file that grew begins anew', memory: seen(100, 'n'), nowMs: 5_100, expected: leave(seen(5_100)) },
  {
    name: 'an empty file may become one',
    memory: seen(0),
    state: { mark: 'm', size: 0 },
    nowMs: 55_000,
    expected: leave(seen(0)),
  },
  { name: 'or stay empty', memory: seen(0), state: { mark: 'm', size: 0 }, nowMs: 60_000, expected: take },
  { name: 'one that waits', memory: waiting(2, 9_000), nowMs: 8_999, expected: leave(waiting(2, 9_000)) },
  { name: 'one that has waited', memory: waiting(2, 9_000), nowMs: 9_000, expected: take },
  {
    name: 'one that waited and is another',
    memory: waiting(2, 9_000, 'n'),
    nowMs: 9_000,
    expected: leave(seen(9_000)),
  },
  { name: 'one that was dealt with', memory: settled, nowMs: 1e9, expected: leave(settled) },
  { name: 'another in its place', memory: { ...settled, mark: 'n' }, nowMs: 7, expected: leave(seen(7)) },
] satisfies { name: string; memory: Memory | undefined; state?: FileState; nowMs: number; expected: Verdict }[]) {
  void t.test(name, async (t) => t.same(decideOn(memory, state, nowMs), expected));
}

void t.test('attempts are ever further apart, up to five minutes, and begin anew with another file', async (t) => {
  const delays: number[] = [];
  let memory: Memory | undefined;
  for (let attempt = 0; attempt < 9; attempt++) {
    const next = waitLonger(memory, 'm', 1_000);
    delays.push(next.notBeforeMs - 1_000);
    memory = next;
  }
  t.same(delays, [0, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000, 300_000]);
  t.match(waitLonger(memory, 'n', 0), { attempts: 1, mark: 'n' });
  t.match(waitLonger(seen(0), 'm', 0), { attempts: 1 });
});

for (const [error, expected] of [
  [new AppError('TORRENT_INVALID', ''), 'invalid'],
  [new AppError('MAGNET_INVALID', ''), 'invalid'],
  [new AppError('INFO_HASH_INVALID', ''), 'invalid'],
  [new RequestError('TORRENT_HIDDEN'), 'present'],
  [new RequestError('TORRENT_REFUSED', 'disk full'), 'later'],
  [new RequestError('PATH_UNUSABLE'), 'later'],
  [new AppError('SAVE_PATH_INVALID', ''), 'later'],
  [new AppError('BUG', ''), 'later'],
  [new Error('unknown'), 'later'],
  [new AppError('ENGINE_EXITED', ''), 'away'],
  [new AppError('ENGINE_TIMEOUT', ''), 'away'],
  [new AppError('ENGINE_NOT_RUNNING', ''), 'away'],
] as const) {
  void t.test(`${error.name} ${'code' in error ? error.code : ''}`, async (t) => t.equal(failureOf(error), expected));
}

void t.test('names for what was dealt with are none that is looked at', async (t) => {
  const names = [...asideNames('a.torrent', 'added')];
  t.same(names.slice(0, 3), ['a.torrent.added', 'a.torrent.1.added', 'a.torrent.2.added']);
  t.equal(names.length, 101);
  t.same(names.filter(kindOf), []);
});

for (const [text, expected] of [
  ['magnet:?xt=a', ['magnet:?xt=a']],
  ['\uFEFF  magnet:?xt=a\r\n\r\nMAGNET:?xt=b\n', ['magnet:?xt=a', 'MAGNET:?xt=b']],
  ['', null],
  ['\n \n', null],
  ['magnet:?xt=a\nhttps://example.com/a.torrent', null],
  [`${'a1'.repeat(20)}\n${'a2'.repeat(16)}`, ['a1'.repeat(20), 'a2'.repeat(16)]],
  ['a1'.repeat(19), null],
] as const) {
  void t.test(`magnets in ${JSON.stringify(text)}`, async (t) => t.same(magnetsIn(Buffer.from(text)), expected));
}
