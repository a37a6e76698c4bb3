// Copies of the whole among the peers and us, as libtorrent counts them.
import t from 'tap';
import { bitfield, blockBytes, join, SEED, setUp } from './board.js';

interface Case {
  readonly name: string;
  /** Peers that have each piece, beside one that has all. */
  readonly availability: string;
  readonly have?: string;
  readonly expected: number;
}

const CASES: readonly Case[] = [
  { name: 'one seed', availability: '0000000000', expected: 1_000 },
  { name: 'a peer with a third of it as well', availability: '111000000', expected: 1_333 },
  { name: 'the rarest piece counts', availability: '3333320333', expected: 1_900 },
  { name: 'all alike', availability: '22222', expected: 3_000 },
  { name: 'ours are counted', availability: '0000000000', have: '***       ', expected: 1_300 },
  { name: 'ours in place of what a peer lacks', availability: '1110', have: '   *', expected: 2_000 },
];

for (const { name, availability, have, expected } of CASES) {
  void t.test(name, async (t) => {
    const { picker } = setUp({ availability, ...(have && { have }) });
    t.equal(picker.copiesPerMille(), expected);
    picker.checkInvariant();
  });
}

void t.test('it follows who comes, says more and goes', async (t) => {
  const { picker } = setUp({ availability: '0000' });
  const steps = [
    [() => picker.onPeerGone(SEED), 0],
    [() => join(picker, 1, '**  '), 500],
    [() => join(picker, 2, '  * '), 750],
    [() => picker.onPeerHave(2, 3), 1_000],
    [() => picker.onPeerHave(2, 3), 1_000],
    [() => picker.onPeerHave(2, 0), 1_250],
    [() => picker.onPeerHave(2, 1), 1_500],
    [() => picker.onPeerBitfield(1, bitfield('   *')), 1_250],
    [() => picker.onPeerHaveAll(1), 2_000],
    [() => picker.onPeerGone(2), 1_000],
    [() => picker.onPeerGone(1), 0],
  ] as const;
  for (const [step, expected] of steps) {
    step();
    t.equal(picker.copiesPerMille(), expected, String(step));
    picker.checkInvariant();
  }
});

void t.test('it follows what we get and lose', async (t) => {
  const { picker } = setUp({ availability: '0000' });
  const [first, second] = picker.pick(SEED, 2);
  for (const { piece, begin } of [first!, second!]) picker.onBlockReceived(SEED, piece, begin, blockBytes());
  t.equal(picker.copiesPerMille(), 1_000, 'what is not verified is no copy');
  for (const { piece } of [first!, second!]) picker.onPieceVerified(piece);
  t.equal(picker.copiesPerMille(), 1_500);
  picker.setHave(bitfield('****'));
  t.equal(picker.copiesPerMille(), 2_000);
  picker.onPieceLost(0);
  picker.onPieceLost(0);
  t.equal(picker.copiesPerMille(), 1_750);
  picker.checkInvariant();
});

void t.test('without pieces', async (t) => {
  t.equal(setUp({ availability: '' }).picker.copiesPerMille(), 1_000);
});
