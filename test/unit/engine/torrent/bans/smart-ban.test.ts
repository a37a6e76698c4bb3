// Which senders a piece's failures and its success convict. Blocks are letters, one for each version of a block.
import t from 'tap';
import { DIGEST_BYTES } from '../../../../../engine/hashing/constants.js';
import { FailedPieces } from '../../../../../engine/torrent/bans/smart-ban.js';

/** One character for each block: all that a digest has to tell apart. */
function digests(blocks: string): Uint8Array {
  return Uint8Array.from([...blocks].flatMap((block) => Array<number>(DIGEST_BYTES).fill(block.charCodeAt(0))));
}

const failure = (senders: string, blocks: string) => ({
  senders: [...senders].map((sender) => (sender === '-' ? null : sender)),
  digests: digests(blocks),
});

interface Case {
  readonly name: string;
  /** Senders and blocks of each failure, and the blocks when it passes. */
  readonly failures: readonly (readonly [string, string])[];
  readonly right: string;
  readonly whileFailing?: string;
  readonly guilty: string;
}

const CASES: readonly Case[] = [
  { name: 'whose block differs', failures: [['AAB', 'abX']], right: 'abc', guilty: 'B' },
  { name: 'all whose blocks differ', failures: [['ABC', 'XbY']], right: 'abc', guilty: 'AC' },
  { name: 'nobody else with a part in it', failures: [['ABA', 'aXc']], right: 'abc', guilty: 'B' },
  {
    name: 'over several failures',
    failures: [
      ['AB', 'Xb'],
      ['BC', 'aX'],
    ],
    right: 'ab',
    guilty: 'AC',
  },
  {
    name: 'who sent two versions, at once',
    failures: [
      ['AB', 'aX'],
      ['CB', 'aY'],
    ],
    whileFailing: 'B',
    right: 'ab',
    guilty: 'B',
  },
  {
    name: 'two versions of two peers prove nothing yet',
    failures: [
      ['AB', 'aX'],
      ['AC', 'ab'],
    ],
    right: 'ab',
    guilty: 'B',
  },
  { name: 'a sender that nobody knows', failures: [['A-', 'aX']], right: 'ab', guilty: '' },
];

void t.test('guilty is', async (t) => {
  for (const { name, failures, right, whileFailing = '', guilty } of CASES) {
    const failed = new FailedPieces<string>();
    const early = failures.flatMap(([senders, blocks]) => [...failed.onFailed(7, failure(senders, blocks)).guilty]);
    t.equal(early.join(''), whileFailing, `${name}: while it fails`);
    t.ok(failed.has(7));
    const passed = failed.onPassed(7, digests(right));
    t.equal([...passed.guilty].sort().join(''), guilty, name);
    t.equal(passed.settled.length, failures.length, `${name}: each failure is settled once`);
    t.notOk(failed.has(7));
    t.equal(failed.onPassed(7, digests(right)).settled.length, 0);
  }
});

void t.test('pieces do not speak for one another', async (t) => {
  const failed = new FailedPieces<string>();
  failed.onFailed(1, failure('AB', 'aX'));
  t.equal(failed.onFailed(2, failure('AB', 'aY')).guilty.size, 0);
  t.equal(failed.onPassed(3, digests('zz')).guilty.size, 0);
  t.same([...failed.onPassed(1, digests('ab')).guilty], ['B']);
});

void t.test('the oldest are forgotten, and said to be', async (t) => {
  const failed = new FailedPieces<string>({ pieces: 3, blocks: 100 });
  for (let piece = 0; piece < 3; piece++) t.same(failed.onFailed(piece, failure('AB', 'aX')).settled, []);
  t.same(failed.onFailed(0, failure('CB', 'aX')).settled, [], 'one that fails again is the newest');
  t.same(failed.onFailed(9, failure('CD', 'aX')).settled, [new Set('AB')]);
  t.notOk(failed.has(1));
  t.equal(failed.size, 3);

  const small = new FailedPieces<string>({ pieces: 100, blocks: 5 });
  small.onFailed(0, failure('AB', 'aX'));
  small.onFailed(1, failure('AB', 'aX'));
  t.same(small.onFailed(2, failure('AB', 'aX')).settled, [new Set('AB')], 'by blocks');
  t.same(small.forget(1).settled, [new Set('AB')]);
  small.onFailed(3, failure('CD', 'aX'));
  t.equal(small.size, 2, 'what was let go of counts no more');
});

void t.test('of a piece that fails for ever, the last failures are kept', async (t) => {
  const failed = new FailedPieces<string>();
  for (const sender of 'ABCD') t.equal(failed.onFailed(1, failure(`${sender}Z`, 'aX')).settled.length, 0);
  t.same(failed.onFailed(1, failure('EZ', 'aX')).settled, [new Set('AZ')]);
  t.equal(failed.onPassed(1, digests('ab')).settled.length, 4);
});
