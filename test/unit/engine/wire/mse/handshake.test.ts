import t from 'tap';
import fc from 'fast-check';
import Wire from 'bittorrent-protocol';
import { parseInfoHash } from '../../../../../shared-protocol/ids.js';
import { MseHandshake } from '../../../../../engine/wire/mse/handshake.js';
import { hashOf } from '../../../../../engine/wire/mse/key-exchange.js';
import { Rc4Machines } from '../../../../../engine/wire/mse/rc4.js';
import { CRYPTO, type MseProgress } from '../../../../../engine/wire/mse/types.js';
import { SeededRandom } from '../../../../support/seeded-random.js';

const INFO_HASH = parseInfoHash('aa'.repeat(20));
const OBFUSCATED = Buffer.from(hashOf('req2', Buffer.from(INFO_HASH, 'hex'))).toString('hex');
const BOTH = CRYPTO.plaintext | CRYPTO.rc4;
/** Its powers are 1 and itself: the secret would be known to all. */
const PRIME_LESS_ONE = Buffer.from(
  'ffffffffffffffffc90fdaa22168c234c4c6628b80dc1cd129024e088a67cc74020bbea63b139b22514a08798e3404dd' +
    'ef9519b3cd3a431b302b0a6df25f14374fe1356d6d51c245e485b576625e7ec6f44c42e9a63a36210000000000090562',
  'hex',
);
const machines = new Rc4Machines();

interface Side {
  readonly handshake: MseHandshake;
  readonly sent: Buffer[];
  progress: MseProgress;
}

function initiator(seed: number, provide: number = BOTH, initial = Buffer.from('hello')): Side {
  const sent: Buffer[] = [];
  const handshake = MseHandshake.initiate(
    { random: new SeededRandom(seed), machines, send: (bytes) => sent.push(Buffer.from(bytes)) },
    { infoHash: INFO_HASH, provide, takeInitialPayload: () => initial },
  );
  return { handshake, sent, progress: { kind: 'more' } };
}

function responder(seed: number, accept: number = BOTH): Side {
  const sent: Buffer[] = [];
  const handshake = MseHandshake.respond(
    { random: new SeededRandom(seed), machines, send: (bytes) => sent.push(Buffer.from(bytes)) },
    { accept, findTorrent: (hash) => (hash === OBFUSCATED ? INFO_HASH : null) },
  );
  return { handshake, sent, progress: { kind: 'more' } };
}

/** Carries bytes between the two until nobody has anything to say, in pieces of random length. */
function converse(a: Side, b: Side, seed: number): void {
  const random = new SeededRandom(seed);
  for (let round = 0; round < 10; round++) {
    for (const [from, to] of [
      [a, b],
      [b, a],
    ] as const) {
      const bytes = Buffer.concat(from.sent.splice(0));
      for (let at = 0; at < bytes.length && to.progress.kind === 'more';) {
        const length = 1 + random.below(random.below(4) === 0 ? 5 : 700);
        to.progress = to.handshake.push(bytes.subarray(at, at + length));
        at += length;
      }
    }
  }
}

function established(side: Side) {
  if (side.progress.kind !== 'established') throw new Error(`not established: ${JSON.stringify(side.progress)}`);
  return side.progress;
}

void t.test('both sides agree, however the bytes are cut', async (t) => {
  const cases = [
    { name: 'both offer both: plain payload', provide: BOTH, accept: BOTH, rc4: false },
    { name: 'initiator insists on RC4', provide: CRYPTO.rc4, accept: BOTH, rc4: true },
    { name: 'responder insists on RC4', provide: BOTH, accept: CRYPTO.rc4, rc4: true },
  ];
  for (const { name, provide, accept, rc4 } of cases) {
    for (let seed = 1; seed <= 20; seed++) {
      const a = initiator(seed, provide);
      const b = responder(seed + 1_000, accept);
      converse(a, b, seed);
      const [left, right] = [established(a), established(b)];
      t.equal(Buffer.from(right.early).toString(), 'hello', `${name}, seed ${seed}: first payload arrives`);
      t.equal(left.encrypt !== null, rc4, `${name}: how the payload travels`);
      for (const [from, to] of [
        [left, right],
        [right, left],
      ] as const) {
        const payload = Buffer.from('the payload that follows');
        from.encrypt?.apply(payload);
        to.decrypt?.apply(payload);
        if (payload.toString() !== 'the payload that follows') t.fail(`${name}, seed ${seed}: payload garbled`);
      }
    }
  }
});

void t.test('payload behind the handshake in the same read is deciphered and handed on', async (t) => {
  const a = initiator(1, CRYPTO.rc4, Buffer.alloc(0));
  const b = responder(2);
  b.progress = b.handshake.push(Buffer.concat(a.sent.splice(0)));
  a.progress = a.handshake.push(Buffer.concat(b.sent.splice(0)));
  b.progress = b.handshake.push(Buffer.concat(a.sent.splice(0)));
  const follows = Buffer.from('follows at once');
  established(b).encrypt?.apply(follows);
  a.progress = a.handshake.push(Buffer.concat([...b.sent.splice(0), follows]));
  t.equal(Buffer.from(established(a).early).toString(), 'follows at once');
});

void t.test('what cannot come to an agreement fails with its reason', async (t) => {
  const noMethod = [initiator(1, CRYPTO.plaintext), responder(2, CRYPTO.rc4)] as const;
  converse(...noMethod, 1);
  t.same(noMethod[1].progress, { kind: 'failed', reason: 'MSE_NO_COMMON_METHOD' });

  const b = MseHandshake.respond(
    { random: new SeededRandom(1), machines, send: () => undefined },
    { accept: BOTH, findTorrent: () => null },
  );
  const other: Side = { handshake: b, sent: [], progress: { kind: 'more' } };
  const asked: Buffer[] = [];
  const stranger = MseHandshake.respond(
    { random: new SeededRandom(3), machines, send: (bytes) => asked.push(Buffer.from(bytes)) },
    { accept: BOTH, findTorrent: () => null },
  );
  const a = initiator(4);
  const pair: Side = { handshake: stranger, sent: asked, progress: { kind: 'more' } };
  converse(a, pair, 2);
  t.same(pair.progress, { kind: 'failed', reason: 'MSE_UNKNOWN_TORRENT' });

  other.progress = other.handshake.push(new SeededRandom(9).bytes(96 + 600));
  t.same(other.progress, { kind: 'failed', reason: 'MSE_SYNC_LOST' }, 'no padding is that long');

  for (const [name, key] of [
    ['zero', Buffer.alloc(96)],
    ['one', Buffer.concat([Buffer.alloc(95), Buffer.of(1)])],
    ['the prime less one', PRIME_LESS_ONE],
  ] as const) {
    t.same(responder(5).handshake.push(key), { kind: 'failed', reason: 'MSE_INVALID' }, `public key ${name}`);
  }
});

void t.test('the wire of bittorrent-protocol understands both our sides', async (t) => {
  for (const peEnabled of [1, 2] as const) {
    const wire = new Wire('tcpIncoming', peEnabled);
    const a = initiator(11);
    const toUs: Buffer[] = [];
    wire.on('data', (bytes: Uint8Array) => toUs.push(Buffer.from(bytes)));
    wire.on('crypto-infohash', (hash: string) => {
      t.equal(hash, OBFUSCATED, 'names the torrent');
      (wire as Wire & { setInfoHash(hash: string): void }).setInfoHash(INFO_HASH);
    });
    for (let round = 0; round < 6 && a.progress.kind === 'more'; round++) {
      for (const bytes of a.sent.splice(0)) wire.write(bytes);
      await new Promise((resolve) => setImmediate(resolve));
      for (const bytes of toUs.splice(0)) if (a.progress.kind === 'more') a.progress = a.handshake.push(bytes);
    }
    t.equal(established(a).encrypt !== null, peEnabled === 2, peEnabled === 2 ? 'RC4' : 'plain payload');
    wire.destroy();
  }
});

void t.test('garbage of any kind ends in a typed failure or waits, and holds little', async (t) => {
  const random = new SeededRandom(77);
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 400 }), { maxLength: 12 }), fc.boolean(), (pushes, first) => {
      const side = first ? initiator(random.below(1_000)) : responder(random.below(1_000));
      for (const bytes of pushes) {
        const progress = side.handshake.push(bytes);
        if (progress.kind === 'failed') return /^MSE_/.test(progress.reason);
        if (progress.kind === 'established') return false;
      }
      return true;
    }),
    { numRuns: 300, seed: 5 },
  );
  t.pass('never throws');
});

void t.test('a handshake with one bit changed never ends in two sides that believe in different things', async (t) => {
  for (let seed = 1; seed <= 60; seed++) {
    const random = new SeededRandom(seed);
    const a = initiator(seed, CRYPTO.rc4);
    const b = responder(seed + 500);
    const flipAt = random.below(1_200);
    let passed = 0;
    for (let round = 0; round < 4; round++) {
      for (const [from, to] of [
        [a, b],
        [b, a],
      ] as const) {
        for (const bytes of from.sent.splice(0)) {
          if (flipAt >= passed && flipAt < passed + bytes.length) bytes[flipAt - passed]! ^= 1 << random.below(8);
          passed += bytes.length;
          if (to.progress.kind === 'more') to.progress = to.handshake.push(bytes);
        }
      }
    }
    if (a.progress.kind === 'established' && b.progress.kind === 'established') {
      t.equal(a.progress.encrypt !== null, b.progress.encrypt !== null, `seed ${seed}`);
    }
  }
});
