// What choosing pieces costs in a torrent of 100,000 pieces, counted in pieces and words looked at: no clock.
import t from 'tap';
import { BLOCK_SIZE_BYTES } from '../../../../engine/environment.js';
import { createPicker } from '../../../../engine/picker/index.js';
import { SeededRandom } from '../../../support/seeded-random.js';

const PIECES = 100_000;
const WORDS = PIECES / 32;

function large(peers: number, has: (peer: number) => Uint8Array) {
  const opened: number[] = [];
  const picker = createPicker({
    pieceCount: PIECES,
    pieceLength: BLOCK_SIZE_BYTES,
    totalBytes: PIECES * BLOCK_SIZE_BYTES,
    random: new SeededRandom(5),
    openPiece: (piece) => opened.push(piece) > 0,
  });
  for (let peer = 0; peer < peers; peer++) {
    picker.onPeerJoined(peer);
    picker.onPeerBitfield(peer, has(peer));
  }
  picker.pick(0, 5); // sorts once after all the bitfields, and leaves the random first pieces behind
  opened.length = 0;
  return { picker, opened };
}

function bitfieldOf(isSet: (piece: number) => boolean): Uint8Array {
  const bits = new Uint8Array(PIECES / 8);
  for (let piece = 0; piece < PIECES; piece++) if (isSet(piece)) bits[piece >> 3]! |= 0x80 >> (piece & 7);
  return bits;
}

/** Steps for each of `picks` pieces, one pick each. */
function stepsPerPick(picker: ReturnType<typeof createPicker>, peer: number, picks: number): number {
  const before = picker.steps;
  for (let n = 0; n < picks; n++) if (picker.pick(peer, 1).length !== 1) throw new Error(`pick ${n} found nothing`);
  return (picker.steps - before) / picks;
}

void t.test('a seed is served from the head of the order, and joins and leaves for nothing', async (t) => {
  const random = new SeededRandom(9);
  const { picker } = large(20, () => random.bytes(PIECES / 8));
  const before = picker.steps;
  for (let key = 100; key < 600; key++) {
    picker.onPeerJoined(key);
    picker.onPeerHaveAll(key);
  }
  t.equal(picker.steps - before, 0);
  t.ok(stepsPerPick(picker, 100, 500) <= 2);
  for (let key = 101; key < 600; key++) picker.onPeerGone(key);
  t.ok(stepsPerPick(picker, 100, 500) <= 2);
});

void t.test('peers with half of the pieces take a few steps, also while others announce', async (t) => {
  const random = new SeededRandom(11);
  const { picker } = large(20, () => random.bytes(PIECES / 8));
  let steps = 0;
  for (let n = 0; n < 2_000; n++) {
    const before = picker.steps;
    picker.pick(n % 20, 1);
    picker.onPeerHave((n + 7) % 20, random.below(PIECES));
    steps += picker.steps - before;
  }
  t.ok(steps / 2_000 < 32, `${steps / 2_000} steps for each pick`);
});

void t.test(
  'a peer with a few pieces among many rarer ones costs one pass over words, shared by many picks',
  async (t) => {
    // All but the first 20,000 are rarer than those; peer 0 has nothing else.
    const { picker } = large(3, (peer) => bitfieldOf((piece) => (peer === 1 ? piece >= 20_000 : piece < 20_000)));
    const perPick = stepsPerPick(picker, 0, 640);
    t.ok(perPick < 128 + (WORDS + 20_000) / 32, `${perPick} steps for each pick`);
  },
);

void t.test('a peer whose pieces are all taken costs nothing', async (t) => {
  const { picker } = large(2, (peer) => bitfieldOf((piece) => peer === 1 || piece >= PIECES - 10));
  picker.pick(0, 10);
  const before = picker.steps;
  for (let n = 0; n < 1_000; n++) t.equal(picker.pick(0, 5).length, 0);
  t.equal(picker.steps, before);
  t.ok(picker.isInteresting(0));
});

void t.test('rarity is exact where the order is not walked', async (t) => {
  // Peer 0 has 1,010 pieces: 10 that one other has, the rest had by two others. All further pieces are rarer.
  const isRare = (piece: number): boolean => piece >= 500 && piece < 510;
  const has = [
    (piece: number) => piece < 1_010,
    (piece: number) => piece < 1_010 || piece >= 50_000,
    (piece: number) => (piece < 1_010 && !isRare(piece)) || (piece >= 1_010 && piece < 50_000),
  ];
  const { picker, opened } = large(3, (peer) => bitfieldOf(has[peer]!));
  t.equal(picker.pick(0, 4).length, 4);
  t.ok(opened.every(isRare), `opened ${opened.join()}`);
});

void t.test('pieces found together that have become common since come later', async (t) => {
  const { picker, opened } = large(3, (peer) =>
    bitfieldOf((piece) => (peer === 1 ? piece >= 1_000 : peer === 0 ? piece < 1_000 : piece < 500 || piece >= 50_000)),
  );
  t.equal(picker.pick(0, 1).length, 1);
  t.ok(opened[0]! >= 500, `${opened[0]} is had by one peer`);
  const nowCommon = (piece: number): boolean => piece >= 500 && piece < 990;
  for (const peer of [50, 51]) {
    picker.onPeerJoined(peer);
    picker.onPeerBitfield(peer, bitfieldOf(nowCommon));
  }
  t.equal(picker.pick(0, 5).length, 5);
  t.ok(
    opened.slice(1).every((piece) => piece >= 990 && piece < 1_000),
    `opened ${opened.join()}`,
  );
});
