// MSE handshakes (docs/limits.md 2.10): whatever bytes come instead of the other side's, in whatever pieces, a side
// waits for more, fails with a reason or is done. Nothing is thrown, and no more is awaited than the steps allow.
import t from 'tap';
import { parseInfoHash } from '../../../shared-protocol/ids.js';
import { MseHandshake } from '../../../engine/wire/mse/handshake.js';
import { hashOf } from '../../../engine/wire/mse/key-exchange.js';
import { Rc4Machines } from '../../../engine/wire/mse/rc4.js';
import { CRYPTO, type MseProgress } from '../../../engine/wire/mse/types.js';
import { FUZZ_SEED, fuzzRuns, keepFailingInput } from '../../support/fuzzing.js';
import { SeededRandom } from '../../support/seeded-random.js';

const INFO_HASH = parseInfoHash('aa'.repeat(20));
const OBFUSCATED = Buffer.from(hashOf('req2', Buffer.from(INFO_HASH, 'hex'))).toString('hex');
const BOTH = CRYPTO.plaintext | CRYPTO.rc4;
const REASONS = ['MSE_SYNC_LOST', 'MSE_INVALID', 'MSE_UNKNOWN_TORRENT', 'MSE_NO_COMMON_METHOD'];
/** Keys, pads, the fields between them and the largest first payload: who waits for more than this waits for ever. */
const ENOUGH_BYTES = 96 + 512 + 20 + 20 + 8 + 4 + 2 + 512 + 2 + 65_535 + 96;
const machines = new Rc4Machines();

interface Side {
  readonly handshake: MseHandshake;
  readonly sent: Buffer[];
  progress: MseProgress;
  received: number;
}

function sides(random: SeededRandom): readonly [Side, Side] {
  const deps = (sent: Buffer[]) => ({
    random,
    machines,
    send: (bytes: Uint8Array) => void sent.push(Buffer.from(bytes)),
  });
  const [sentByA, sentByB]: [Buffer[], Buffer[]] = [[], []];
  const initial = Buffer.from(random.bytes(random.below(100)));
  const a = MseHandshake.initiate(deps(sentByA), {
    infoHash: INFO_HASH,
    provide: 1 + random.below(3),
    takeInitialPayload: () => initial,
  });
  const b = MseHandshake.respond(deps(sentByB), {
    accept: random.below(4) === 0 ? CRYPTO.rc4 : BOTH,
    findTorrent: (hash) => (hash === OBFUSCATED && random.below(10) > 0 ? INFO_HASH : null),
  });
  return [
    { handshake: a, sent: sentByA, progress: { kind: 'more' }, received: 0 },
    { handshake: b, sent: sentByB, progress: { kind: 'more' }, received: 0 },
  ];
}

/** Now and then changed, cut, lengthened or replaced. */
function spoil(bytes: Buffer, random: SeededRandom): Buffer {
  const kind = random.below(12);
  const at = random.below(bytes.length + 1);
  if (kind === 0) return Buffer.from(random.bytes(random.below(2_000)));
  if (kind === 1) return Buffer.concat([bytes.subarray(0, at), random.bytes(random.below(600)), bytes.subarray(at)]);
  if (kind === 2) return Buffer.from(bytes.subarray(0, at));
  if (kind === 3 && bytes.length > 0) bytes[at % bytes.length] = random.below(256);
  return bytes;
}

function give(side: Side, bytes: Buffer, random: SeededRandom): void {
  for (let at = 0; at < bytes.length && side.progress.kind === 'more';) {
    const piece = bytes.subarray(at, at + 1 + random.below(random.below(4) === 0 ? 5 : 1_500));
    side.progress = side.handshake.push(piece);
    side.received += piece.length;
    at += piece.length;
  }
}

void t.test(`handshakes with spoilt bytes, seed ${FUZZ_SEED}`, async (t) => {
  const ends = new Map<string, number>();
  const runs = fuzzRuns(400);
  for (let run = 0; run < runs; run++) {
    const random = new SeededRandom(FUZZ_SEED + run);
    const given: Buffer[] = [];
    const [a, b] = sides(random);
    try {
      for (let round = 0; round < 4; round++) {
        for (const [from, to] of [
          [a, b],
          [b, a],
        ] as const) {
          const bytes = spoil(Buffer.concat(from.sent.splice(0)), random);
          given.push(bytes);
          give(to, bytes, random);
        }
      }
      // Whoever still waits is fed until it must have an opinion.
      for (const side of [a, b]) {
        const rest = Buffer.from(random.bytes(ENOUGH_BYTES));
        given.push(rest);
        give(side, rest, random);
      }
    } catch (error) {
      return void t.fail(`run ${run}: ${String(error)}; ${keepFailingInput('mse', Buffer.concat(given))}`);
    }
    for (const { progress } of [a, b]) {
      const end = progress.kind === 'failed' ? progress.reason : progress.kind;
      const isKnown =
        progress.kind === 'established' || (progress.kind === 'failed' && REASONS.includes(progress.reason));
      if (!isKnown) return void t.fail(`run ${run}: ${end}; ${keepFailingInput('mse', Buffer.concat(given))}`);
      ends.set(end, (ends.get(end) ?? 0) + 1);
    }
  }
  t.comment(Object.fromEntries(ends));
  for (const end of ['established', 'MSE_SYNC_LOST', 'MSE_UNKNOWN_TORRENT', 'MSE_INVALID']) t.ok(ends.has(end), end);
});
