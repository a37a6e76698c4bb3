// Large torrent files have their turns, and leave as much time as they take.
import t from 'tap';
import { LargeTorrentFiles } from '../../../../../api/services/library/large-torrent-files.js';
import { parseAccountId } from '../../../../../shared-protocol/ids.js';
import { settle } from '../../../../support/scripted-peer.js';

const MIB = 1024 * 1024;
const [ALICE, BOB] = [parseAccountId(2), parseAccountId(3)];

/** An engine that parses when it is told to, and a clock that moves when it does. */
function start() {
  let nowMs = 0;
  const begun: string[] = [];
  const paused: number[] = [];
  const ends = new Map<string, () => void>();
  let goOn: () => void = () => undefined;
  const files = new LargeTorrentFiles({
    nowMs: () => nowMs,
    pause: (ms) => {
      paused.push(ms);
      return new Promise<void>((resolve) => (goOn = resolve));
    },
  });
  const parse = (name: string, accountId = ALICE, bytes = MIB) =>
    files.inTurn(accountId, bytes, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      if (name.startsWith('bad')) throw new Error(name);
      return name;
    });
  const end = async (name: string, tookMs: number) => {
    nowMs += tookMs;
    ends.get(name)?.();
    await settle();
  };
  const othersHaveHadTheirTime = async () => {
    goOn();
    await settle();
  };
  return { parse, begun, paused, end, othersHaveHadTheirTime };
}

void t.test('one after another, by account in turn, with a pause as long as it took', async (t) => {
  const { parse, begun, paused, end, othersHaveHadTheirTime } = start();
  const first = parse('a1');
  const later = [parse('a2'), parse('a3'), parse('b1', BOB)];
  await settle();
  t.same(begun, ['a1']);
  await end('a1', 300);
  t.equal(await first, 'a1', 'answered before the pause');
  t.same([begun, paused], [['a1'], [300]]);
  for (const [name, next] of [
    ['a2', 'b1'],
    ['b1', 'a3'],
  ] as const) {
    await othersHaveHadTheirTime();
    t.equal(begun.at(-1), name);
    await end(name, 10);
    t.not(begun.at(-1), next, 'not before the pause');
  }
  await othersHaveHadTheirTime();
  await end('a3', 60_000);
  t.same(await Promise.all(later), ['a2', 'a3', 'b1']);
  t.same(paused, [300, 10, 10, 5_000]);
});

void t.test('small ones wait for none', async (t) => {
  const { parse, begun, paused, end } = start();
  const large = parse('large');
  const small = parse('small', ALICE, 100_000);
  await settle();
  t.same(begun, ['large', 'small']);
  await end('small', 1);
  await end('large', 1);
  t.same([await small, await large, paused], ['small', 'large', [2]]);
});

void t.test('one that is refused is in the way of none, and too many are refused themselves', async (t) => {
  const { parse, begun, end, othersHaveHadTheirTime } = start();
  const bad = t.rejects(parse('bad'), { message: 'bad' });
  const waiting = Array.from({ length: 64 }, (_, n) => parse(`w${n}`));
  await t.rejects(parse('one more'), { code: 'TOO_MANY_REQUESTS' });
  const other = parse('b', BOB);
  await end('bad', 1);
  await bad;
  await othersHaveHadTheirTime();
  t.equal(begun.at(-1), 'w0');
  await end('w0', 1);
  await othersHaveHadTheirTime();
  t.equal(begun.at(-1), 'b', 'before the others that wait');
  await end('b', 1);
  t.equal(await other, 'b');
  for (const n of [...waiting.keys()].slice(1)) {
    await othersHaveHadTheirTime();
    await end(`w${n}`, 0);
  }
  t.equal((await Promise.all(waiting)).length, 64);
});
