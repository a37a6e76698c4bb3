// A check beside transfers: it has everything for itself, or a tenth.
import t from 'tap';
import bencode from 'bencode';
import { PieceCheck } from '../../../../../engine/torrent/check/piece-check.js';
import { CheckThrottle } from '../../../../../engine/torrent/check/check-throttle.js';
import { parseInfoDictionary } from '../../../../../engine/metainfo/index.js';
import { VirtualClock } from '../../../../support/virtual-clock.js';

const MIB = 1024 * 1024;
const WORK_MS = 10;
const PIECES = 256;

void t.test('busy is what moves fast, and only while it does', async (t) => {
  const clock = new VirtualClock();
  const pace = new CheckThrottle(clock);
  t.equal(pace.isBusy, false);
  pace.onPayload(10 * MIB);
  t.equal(pace.isBusy, false, 'too early to tell');
  await clock.advance(200);
  t.equal(pace.isBusy, true, '50 MiB/s');
  await clock.advance(50);
  t.equal(pace.isBusy, true, 'until there is news');
  await clock.advance(50);
  t.equal(pace.isBusy, false);
  pace.onPayload(MIB);
  await clock.advance(100);
  t.equal(pace.isBusy, false, '10 MiB/s are borne');
});

void t.test('nine times the work, but no longer than a stop may take', async (t) => {
  const clock = new VirtualClock();
  const pace = new CheckThrottle(clock);
  await pace.rest(WORK_MS);
  const rested = async (workedMs: number, transferMs: number): Promise<number> => {
    pace.onPayload(100 * MIB);
    await clock.advance(transferMs);
    const fromMs = clock.nowMs();
    let untilMs = NaN;
    void pace.rest(workedMs).then(() => (untilMs = clock.nowMs()));
    await clock.advance(1_000);
    return untilMs - fromMs;
  };
  t.equal(await rested(WORK_MS, 100), 90);
  t.equal(await rested(80, 100), 500);
  t.equal(await rested(80, 60_000), 0, 'long ago');
});

void t.test('a check takes small bites beside transfers and goes on at full speed after them', async (t) => {
  const clock = new VirtualClock();
  const checkThrottle = new CheckThrottle(clock);
  const digest = new Uint8Array(20).fill(7);
  const pieces = Buffer.alloc(PIECES * digest.length, digest[0]);
  const info = parseInfoDictionary(
    bencode.encode({ length: PIECES * MIB, name: 'large', 'piece length': MIB, pieces }),
    'posix',
  );
  const windows: number[] = [];
  const storage = {
    pinSpans: (_first: number, count: number) =>
      Promise.resolve({ pieces: Array.from({ length: count }, () => []), release: () => undefined }),
  };
  const hasher = {
    hashPieces: async ({ length }: readonly unknown[]): Promise<Uint8Array[]> => {
      windows.push(length);
      await new Promise<void>((resolve) => void clock.after(WORK_MS, resolve));
      return Array.from({ length }, () => digest);
    },
  };
  const check = new PieceCheck({ info, storage, hasher, clock, checkThrottle });
  checkThrottle.onPayload(100 * MIB);
  await clock.advance(100);
  let isFull = false;
  const turn = { spend: () => undefined, isOver: false, pass: () => Promise.resolve() };
  void check.run(turn).then((found) => (isFull = found?.isFull === true));
  for (let step = 0; step < 10; step++) {
    checkThrottle.onPayload(10 * MIB);
    await clock.advance(100);
  }
  const beside = windows.reduce((sum, pieces) => sum + pieces, 0);
  t.ok(
    beside >= 2 * 4 * 9 && beside <= 2 * 4 * 11,
    `${beside} MiB in a second: two workers, 4 MiB each, a tenth of the time`,
  );
  await clock.advance(1_000);
  t.ok(isFull);
  t.ok(windows.includes(32), 'whole windows again');
});
