// A whole download against peers that leave, choke, reject and send what does not hash, without network or time.
import t from 'tap';
import { BLOCK_SIZE_BYTES } from '../../../../engine/environment.js';
import { createPicker, type BlockRequest, type PeerKey } from '../../../../engine/picker/index.js';
import { SeededRandom } from '../../../support/seeded-random.js';

const PIECES = 60;
const BLOCKS = 4;
const SEED: PeerKey = 0;
const PIPELINE = 8;
const MOST_ROUNDS = 20_000;

interface Tally {
  readonly rounds: number;
  readonly delivered: number;
  readonly wasted: number;
}

function download(seed: number): Tally {
  const random = new SeededRandom(seed);
  let room = 5;
  const picker = createPicker({
    pieceCount: PIECES,
    pieceLength: BLOCKS * BLOCK_SIZE_BYTES,
    totalBytes: PIECES * BLOCKS * BLOCK_SIZE_BYTES,
    random,
    openPiece: () => room > 0 && room-- > 0,
  });
  const inFlight = new Map<PeerKey, BlockRequest[]>();
  const verifying: number[] = [];
  let nextPeer = 1;
  let delivered = 0;
  let wasted = 0;

  const join = (key: PeerKey): void => {
    inFlight.set(key, []);
    picker.onPeerJoined(key);
    if (key === SEED) picker.onPeerHaveAll(key);
    else picker.onPeerBitfield(key, random.bytes(Math.ceil(PIECES / 8)));
  };
  const refill = (key: PeerKey): void => {
    inFlight.get(key)!.push(...picker.pick(key, PIPELINE - picker.outstanding(key)));
  };
  const closeUseless = (): void => {
    room += picker.closeIdlePieces().length;
    if (room === 0) room += picker.closeStrandedPieces().length;
  };

  join(SEED);
  for (let n = 0; n < 6; n++) join(nextPeer++);
  let rounds = 0;
  for (; picker.missingCount > 0 && rounds < MOST_ROUNDS; rounds++) {
    const keys = [...inFlight.keys()];
    const key = keys[random.below(keys.length)]!;
    const queue = inFlight.get(key)!;
    const dice = random.below(100);
    if (dice < 1 && key !== SEED) {
      picker.onPeerGone(key);
      inFlight.delete(key);
      join(nextPeer++);
      continue;
    }
    if (dice < 3) {
      picker.onPeerChoked(key);
      queue.length = 0;
    } else if (dice < 4) picker.setSnubbed(key, random.below(2) === 0);
    else if (dice < 8 && queue.length > 0) {
      const { piece, begin } = queue.shift()!;
      picker.onRequestLost(key, piece, begin);
    } else if (dice < 60 && queue.length > 0) {
      const { piece, begin, length } = queue.shift()!;
      const outcome = picker.onBlockReceived(key, piece, begin, new Uint8Array(length));
      if (outcome.kind === 'accepted') delivered++;
      else wasted++;
      if (outcome.kind === 'accepted' && outcome.pieceComplete) verifying.push(piece);
    } else if (dice < 80 && verifying.length > 0) {
      const piece = verifying.shift()!;
      if (random.below(5) === 0) picker.onPieceFailed(piece);
      else picker.onPieceVerified(piece);
      room++;
    } else if (dice < 82) closeUseless();
    refill(key);
    if (rounds % 64 === 0) picker.checkInvariant();
  }
  picker.checkInvariant();
  return { rounds, delivered, wasted };
}

void t.test('a download completes whatever peers do', async (t) => {
  for (let seed = 1; seed <= 100; seed++) {
    const { rounds, delivered } = download(seed);
    if (rounds === MOST_ROUNDS) t.fail(`seed ${seed}: not complete after ${rounds} rounds`);
    if (delivered < PIECES * BLOCKS) t.fail(`seed ${seed}: only ${delivered} blocks`);
  }
  t.pass('100 seeds');
});

void t.test('the same seed downloads the same way', async (t) => {
  t.same(download(7), download(7));
});

void t.test('one fast and nine stalled peers: the fast one fetches the rest at once', async (t) => {
  const blocks = PIECES * BLOCKS;
  const picker = createPicker({
    pieceCount: PIECES,
    pieceLength: BLOCKS * BLOCK_SIZE_BYTES,
    totalBytes: blocks * BLOCK_SIZE_BYTES,
    random: new SeededRandom(1),
    openPiece: () => true,
  });
  for (let key = 0; key < 10; key++) {
    picker.onPeerJoined(key);
    picker.onPeerHaveAll(key);
    if (key > 0) picker.pick(key, PIPELINE);
  }
  const queue = picker.pick(0, PIPELINE);
  let delivered = 0;
  for (let request = queue.shift(); request; request = queue.shift()) {
    const { piece, begin, length } = request;
    const outcome = picker.onBlockReceived(0, piece, begin, new Uint8Array(length));
    if (outcome.kind === 'accepted') delivered++;
    if (outcome.kind === 'accepted' && outcome.pieceComplete) picker.onPieceVerified(piece);
    queue.push(...picker.pick(0, 1));
  }
  t.equal(delivered, blocks);
  t.equal(picker.missingCount, 0);
  for (let key = 1; key < 10; key++) t.equal(picker.outstanding(key), 0, `nothing is expected of ${key}`);
  picker.checkInvariant();
});

void t.test('fifty equal peers: what arrives twice at the end is at most 1 % of the whole', async (t) => {
  const random = new SeededRandom(3);
  const pieceCount = 2_000;
  const blocksPerPiece = 16;
  const picker = createPicker({
    pieceCount,
    pieceLength: blocksPerPiece * BLOCK_SIZE_BYTES,
    totalBytes: pieceCount * blocksPerPiece * BLOCK_SIZE_BYTES,
    random,
    openPiece: () => true,
  });
  const bytes = new Uint8Array(BLOCK_SIZE_BYTES);
  // A cancel comes too late for what is at the head of a peer's queue: it is on its way.
  const onTheWay = 2;
  const queues = Array.from({ length: 50 }, (_, key) => {
    picker.onPeerJoined(key);
    picker.onPeerHaveAll(key);
    return picker.pick(key, PIPELINE);
  });
  let wasted = 0;
  while (picker.missingCount > 0) {
    const key = random.below(50);
    const queue = queues[key]!;
    const request = queue.shift();
    if (request) {
      const { piece, begin } = request;
      const outcome = picker.onBlockReceived(key, piece, begin, bytes);
      if (outcome.kind !== 'accepted') wasted++;
      else {
        for (const slower of outcome.cancel) {
          const at = queues[slower]!.findIndex((other) => other.piece === piece && other.begin === begin);
          if (at >= onTheWay) queues[slower]!.splice(at, 1);
        }
        if (outcome.pieceComplete) picker.onPieceVerified(piece);
      }
    }
    queue.push(...picker.pick(key, PIPELINE - queue.length));
  }
  for (const queue of queues) wasted += Math.min(queue.length, onTheWay);
  const percent = (100 * wasted) / (pieceCount * blocksPerPiece);
  t.ok(percent <= 1, `${percent.toFixed(2)} % arrived twice`);
});
