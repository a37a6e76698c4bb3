// Pieces that somebody waits for come before all else, in their order, from those who are fast; what is late of them is
// asked for again.
import t from 'tap';
import { BLOCK_SIZE_BYTES } from '../../../../engine/environment.js';
import { blockBytes, join, names, pieces, SEED, setUp } from './board.js';

const HAVE = '****        ';
const ALL = '*'.repeat(HAVE.length);
const [FAST, SLOW] = [50, 51] as const;

function board({ room = Infinity, blocksPerPiece = 2 } = {}) {
  const { picker, world } = setUp({ availability: '999911111111', have: HAVE, blocksPerPiece, room });
  return { picker, world };
}

type Picker = ReturnType<typeof board>['picker'];

function deliver(picker: Picker, peer: number, requests: readonly { piece: number; begin: number }[]): void {
  for (const { piece, begin } of requests) picker.onBlockReceived(peer, piece, begin, blockBytes());
}

/** So many blocks of a peer have come, of pieces that do not count here. */
function proven(picker: Picker, peer: number, blocks: number): void {
  for (let nth = 0; nth < blocks; nth++) {
    const [request] = picker.pick(peer, 1);
    picker.onBlockReceived(peer, request!.piece, request!.begin, blockBytes());
    if (picker.sendersOf(request!.piece).every((sender) => sender !== -1)) picker.onPieceFailed(request!.piece);
  }
}

void t.test('before rarest first, in their order', async (t) => {
  const { picker } = board();
  picker.setUrgent([9, 5, 7]);
  t.same(names(picker.pick(SEED, 6)), ['9.0', '9.1', '5.0', '5.1', '7.0', '7.1']);
  t.notOk(
    pieces(picker.pick(SEED, 2)).some((piece) => [5, 7, 9].includes(piece)),
    'then the rest',
  );
  picker.checkInvariant();
});

void t.test('before pieces in progress, and of pieces in progress', async (t) => {
  const { picker } = board();
  const [first] = picker.pick(SEED, 1);
  const other = first!.piece === 9 ? 8 : 9;
  picker.setUrgent([other, first!.piece]);
  t.same(pieces(picker.pick(SEED, 3)), [other, first!.piece]);
  picker.checkInvariant();
});

void t.test('a jump replaces the ones before; none: as if there had been none', async (t) => {
  const { picker } = board();
  picker.setUrgent([5, 6]);
  t.same(pieces(picker.pick(SEED, 2)), [5]);
  picker.setUrgent([10, 11]);
  t.same(pieces(picker.pick(SEED, 4)), [10, 11]);
  picker.setUrgent([]);
  t.notOk(pieces(picker.pick(SEED, 1)).includes(10));
  picker.checkInvariant();
});

void t.test('what is here, not wanted, no piece, or not had by the peer is passed over', async (t) => {
  const { picker } = setUp({
    availability: '999911111111',
    have: HAVE,
    priorities: 'nnnn-nnnnnnn',
    blocksPerPiece: 2,
  });
  picker.setUrgent([0, 4, -1, 99, 1.5, Number.NaN, 11, 6]);
  join(picker, FAST, '      *     ');
  t.same(names(picker.pick(FAST, 4)), ['6.0', '6.1']);
  t.same(pieces(picker.pick(SEED, 2)), [11]);
  t.same(names(picker.pick(FAST, 4, new Set([11]))), [], 'nor what it does not let us have');
  picker.checkInvariant();
});

void t.test('without room the rest goes on, and they come with the next room', async (t) => {
  const { picker, world } = board({ room: 1 });
  const [first] = picker.pick(SEED, 1);
  picker.setUrgent([first!.piece === 9 ? 8 : 9]);
  t.same(pieces(picker.pick(SEED, 1)), [first!.piece]);
  world.room = 1;
  t.same(pieces(picker.pick(SEED, 1)), [first!.piece === 9 ? 8 : 9]);
  picker.checkInvariant();
});

void t.test('the next ones are for those who are fast', async (t) => {
  const { picker } = board();
  join(picker, FAST, ALL);
  join(picker, SLOW, ALL);
  proven(picker, FAST, 40);
  const working = pieces(picker.pick(FAST, 1));
  const urgent = [4, 5, 6, 7, 8, 9, 10, 11].filter((piece) => !working.includes(piece));
  picker.setUrgent(urgent);
  t.same(pieces(picker.pick(SLOW, 2)), [urgent[4]], 'it keeps out of the first four');
  t.same(pieces(picker.pick(FAST, 2)), [urgent[0]]);
  picker.checkInvariant();
});

void t.test('a block that is late is asked of a second peer, and the first to come counts', async (t) => {
  const { picker } = board();
  join(picker, SLOW, '     *      ');
  picker.setUrgent([5]);
  t.same(names(picker.pick(SLOW, 2)), ['5.0', '5.1']);
  join(picker, FAST, ALL);
  t.same(
    names(picker.pick(FAST, 1)).filter((name) => name.startsWith('5.')),
    [],
    'nobody has delivered yet',
  );
  picker.setUrgent([]);
  proven(picker, FAST, 60);
  picker.setUrgent([5]);
  const copies = picker.pick(FAST, 2);
  t.same(names(copies), ['5.0', '5.1']);
  picker.checkInvariant();
  const outcome = picker.onBlockReceived(FAST, 5, 0, blockBytes());
  t.same(outcome, { kind: 'accepted', pieceComplete: false, cancel: [SLOW] });
  t.same(picker.onBlockReceived(SLOW, 5, 0, blockBytes()), { kind: 'duplicate' });
  deliver(picker, FAST, copies.slice(1));
  t.same(picker.onPieceVerified(5), [FAST]);
  picker.checkInvariant();
});

void t.test('of two that are as fast as each other nothing is asked twice', async (t) => {
  const { picker } = board({ blocksPerPiece: 8 });
  join(picker, FAST, ALL);
  join(picker, SLOW, ALL);
  for (let nth = 0; nth < 10; nth++) {
    proven(picker, FAST, 1);
    proven(picker, SLOW, 1);
  }
  picker.setUrgent([5, 6]);
  const all = [...names(picker.pick(FAST, 6)), ...names(picker.pick(SLOW, 6)), ...names(picker.pick(FAST, 3))];
  t.equal(new Set(all).size, all.length, all.join(' '));
  picker.checkInvariant();
});

void t.test('a snubbing peer is asked for none of them', async (t) => {
  const { picker } = board();
  join(picker, SLOW, ALL);
  picker.setSnubbed(SLOW, true);
  picker.setUrgent([5]);
  const requests = picker.pick(SLOW, 4);
  t.equal(requests.length, 1);
  t.equal(picker.pick(SEED, 1)[0]!.piece, 5);
  t.equal(requests[0]!.begin % BLOCK_SIZE_BYTES, 0);
  picker.checkInvariant();
});
