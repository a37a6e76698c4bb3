import t from 'tap';
import { bitfield, join, pieces, prioritiesOf, SEED, setUp, type BoardParams } from './board.js';

// Four pieces are had on each board: the random first pieces are behind us.
const HAVE = '****      ';

interface Case extends BoardParams {
  readonly name: string;
  readonly sequential?: boolean;
  readonly expected: readonly number[];
}

const ORDERS: readonly Case[] = [
  { name: 'rarest first', availability: '9999423167', have: HAVE, expected: [7, 5, 6, 4, 8, 9] },
  {
    name: 'what only the seed has is rarest of all',
    availability: '9999320145',
    have: HAVE,
    expected: [6, 7, 5, 4, 8, 9],
  },
  {
    name: 'priority before rarity',
    availability: '9999123456',
    have: HAVE,
    priorities: 'nnnnnhnmnh',
    expected: [7, 5, 9, 4, 6, 8],
  },
  {
    name: 'edges of files before all else',
    availability: '9999123456',
    have: HAVE,
    priorities: 'nnnnenmnhe',
    expected: [4, 9, 6, 8, 5, 7],
  },
  {
    name: 'skipped pieces never',
    availability: '9999123456',
    have: HAVE,
    priorities: 'nnnn-n-n-n',
    expected: [5, 7, 9],
  },
  {
    name: 'sequential: by index',
    availability: '9999625143',
    have: HAVE,
    sequential: true,
    expected: [4, 5, 6, 7, 8, 9],
  },
  {
    name: 'sequential: by index within a priority',
    availability: '9999625143',
    have: HAVE,
    priorities: 'nnnnnnhnmn',
    sequential: true,
    expected: [8, 6, 4, 5, 7, 9],
  },
  {
    name: 'sequential: edges of files first',
    availability: '9999625143',
    have: HAVE,
    priorities: 'nnnnennnne',
    sequential: true,
    expected: [4, 9, 5, 6, 7, 8],
  },
];

for (const { name, sequential, expected, ...board } of ORDERS)
  void t.test(`order of new pieces: ${name}`, async (t) => {
    const { picker, opened } = setUp(board);
    if (sequential) picker.setSequential(true);
    t.same(pieces(picker.pick(SEED, 100)), expected);
    t.same(opened, expected, 'each is opened once');
    picker.checkInvariant();
  });

void t.test('a peer is only asked for what it has', async (t) => {
  const { picker } = setUp({ availability: '9999123456', have: HAVE });
  join(picker, 50, '**   * * *');
  t.same(pieces(picker.pick(50, 100)), [5, 7, 9]);
});

void t.test('rarity follows peers that come, announce and leave', async (t) => {
  const { picker } = setUp({ availability: '9999222222', have: HAVE });
  join(picker, 50, '    ***** ');
  t.same(pieces(picker.pick(SEED, 1)), [9]);
  for (const piece of [4, 5, 6, 7]) picker.onPeerHave(1, piece);
  for (const peer of [60, 61]) {
    picker.onPeerJoined(peer);
    for (const piece of [4, 5, 6, 7]) picker.onPeerHave(peer, piece);
  }
  t.same(pieces(picker.pick(SEED, 1)), [8]);
  picker.onPeerHave(61, 8);
  picker.onPeerGone(60);
  picker.onPeerGone(61);
  picker.onPeerGone(50);
  t.same([...picker.availability()], [10, 10, 10, 10, 3, 3, 3, 3, 3, 3]);
  picker.checkInvariant();
});

void t.test('among equals chance decides', async (t) => {
  const first = new Set<number>();
  for (let seed = 1; seed <= 60; seed++) {
    const { picker } = setUp({ availability: '9999333333', have: HAVE, seed });
    first.add(picker.pick(SEED, 1)[0]!.piece);
  }
  t.same([...first].sort(), [4, 5, 6, 7, 8, 9]);
});

void t.test('the first four pieces are random, the fifth is the rarest', async (t) => {
  const first = new Set<number>();
  for (let seed = 1; seed <= 200; seed++) {
    const { picker } = setUp({ availability: '9'.repeat(39) + '1', seed });
    const taken = pieces(picker.pick(SEED, 5));
    first.add(taken[0]!);
    if (taken.indexOf(39) === -1 || taken.indexOf(39) > 4)
      t.fail(`seed ${seed}: the rarest is not among ${taken.join()}`);
  }
  t.ok(first.size > 30, `${first.size} different first pieces of 40`);
});

void t.test('a slab without room is asked once in a pick, and again in the next', async (t) => {
  const { picker, world, opened } = setUp({ availability: '9999123456', have: HAVE, room: 2 });
  t.same(pieces(picker.pick(SEED, 100)), [4, 5]);
  t.same(picker.pick(SEED, 100), []);
  world.room = 1;
  t.same(pieces(picker.pick(SEED, 100)), [6]);
  t.same(opened, [4, 5, 6]);
});

void t.test('a snubbed peer gets one request, from the end of the order', async (t) => {
  const { picker } = setUp({ availability: '9999423167', have: HAVE });
  picker.setSnubbed(SEED, true);
  t.same(pieces(picker.pick(SEED, 100)), [9]);
  t.same(picker.pick(SEED, 100), []);
  picker.setSnubbed(SEED, false);
  t.same(pieces(picker.pick(SEED, 100)), [7, 5, 6, 4, 8]);
  const sequential = setUp({ availability: '9999423167', have: HAVE }).picker;
  sequential.setSequential(true);
  sequential.setSnubbed(SEED, true);
  t.same(pieces(sequential.pick(SEED, 100)), [9]);
});

void t.test('while choked only allowed-fast pieces are asked for (BEP 6)', async (t) => {
  const { picker } = setUp({ availability: '9999423167', have: HAVE, blocksPerPiece: 2 });
  join(picker, 50, '    *** **');
  t.same(pieces(picker.pick(50, 100, new Set([0, 5, 7, 9, 77]))), [5, 9]);
  t.same(picker.pick(50, 100, new Set([5, 7])), []);
});

void t.test('interest: a peer that has a wanted piece which is not verified', async (t) => {
  const { picker } = setUp({ availability: '2222222222', have: HAVE });
  join(picker, 50, '*****     ');
  t.ok(picker.isInteresting(50));
  t.ok(picker.isInteresting(SEED));
  picker.setPriorities(prioritiesOf('nnnn-nnnnn'));
  t.notOk(picker.isInteresting(50));
  picker.setPriorities(prioritiesOf('nnnnn-----'));
  t.ok(picker.isInteresting(50));
  const [request] = picker.pick(50, 1);
  picker.onBlockReceived(50, request!.piece, 0, new Uint8Array(16384));
  t.ok(picker.isInteresting(50), 'until it is verified');
  picker.onPieceVerified(4);
  t.notOk(picker.isInteresting(50));
  t.notOk(picker.isInteresting(SEED));
  t.equal(picker.missingCount, 0);
  picker.onPieceLost(4);
  t.ok(picker.isInteresting(50));
  t.ok(picker.isInteresting(SEED));
  picker.checkInvariant();
});

void t.test('a peer that announces its last piece counts as one that has everything', async (t) => {
  const { picker } = setUp({ availability: '9999123456' });
  join(picker, 50, '********* ');
  picker.onPeerHave(50, 9);
  picker.onPeerHave(50, 9);
  picker.onPeerHave(50, 10);
  picker.onPeerHave(50, -1);
  t.equal(picker.peerPieceCount(50), 10);
  t.ok(picker.peerHas(50, 9));
  t.notOk(picker.peerHas(50, 10));
  t.same([...picker.availability()], [11, 11, 11, 11, 3, 4, 5, 6, 7, 8]);
  picker.checkInvariant();
  picker.onPeerGone(50);
  t.same([...picker.availability()], [10, 10, 10, 10, 2, 3, 4, 5, 6, 7]);
  picker.checkInvariant();
});

void t.test('what a second bitfield says replaces the first', async (t) => {
  const { picker } = setUp({ availability: '1111111111' });
  join(picker, 50, '**********');
  picker.onPeerBitfield(50, bitfield('*         '));
  t.equal(picker.peerPieceCount(50), 1);
  t.same([...picker.availability()], [3, 2, 2, 2, 2, 2, 2, 2, 2, 2]);
  picker.checkInvariant();
});
