import t from 'tap';
import { Rc4, Rc4Machine, Rc4Machines } from '../../../../../engine/wire/mse/rc4.js';
import { SeededRandom } from '../../../../support/seeded-random.js';

/** RFC 6229, key 0x0102…10, key stream from offset 1024. */
const KEY = Uint8Array.from({ length: 16 }, (_, i) => i + 1);
const STREAM_AT_1024 = 'bdf0324e6083dcc6d3cedd3ca8c53c16';

/** The textbook, byte by byte. */
function reference(key: Uint8Array, length: number): Uint8Array {
  const s = Array.from({ length: 256 }, (_, i) => i);
  let j = 0;
  for (let i = 0; i < 256; i++) {
    j = (j + s[i]! + key[i % key.length]!) % 256;
    [s[i], s[j]] = [s[j]!, s[i]!];
  }
  j = 0;
  const out = new Uint8Array(length);
  for (let n = 0; n < length + 1024; n++) {
    const i = (n + 1) % 256;
    j = (j + s[i]!) % 256;
    [s[i], s[j]] = [s[j]!, s[i]!];
    if (n >= 1024) out[n - 1024] = s[(s[i]! + s[j]!) % 256]!;
  }
  return out;
}

void t.test('the key stream begins behind the first kilobyte', async (t) => {
  const bytes = new Uint8Array(16);
  new Rc4(new Rc4Machines(), KEY).apply(bytes);
  t.equal(Buffer.from(bytes).toString('hex'), STREAM_AT_1024);
});

void t.test('pieces of any length join into the same stream, in own and in shared memory', async (t) => {
  const random = new SeededRandom(7);
  const memory = new WebAssembly.Memory<SharedArrayBuffer>({ initial: 8, maximum: 8, shared: true });
  const total = 300_000;
  const wanted = reference(KEY, total);
  for (const where of ['own', 'shared'] as const) {
    const machines = new Rc4Machines(where === 'shared' ? new Rc4Machine(memory, 7 * 64 * 1024) : undefined);
    const bytes = where === 'shared' ? new Uint8Array(memory.buffer, 3, total) : new Uint8Array(total);
    bytes.fill(0);
    const cipher = new Rc4(machines, KEY);
    for (let at = 0; at < total;) {
      const length = Math.min(total - at, random.below(3) === 0 ? random.below(40) : random.below(150_000));
      cipher.apply(bytes.subarray(at, at + length));
      at += length;
    }
    t.equal(Buffer.compare(Buffer.from(bytes), wanted), 0, where);
  }
});

void t.test('two ciphers take turns on the same machines', async (t) => {
  const machines = new Rc4Machines();
  const other = Uint8Array.from([9, 9, 9]);
  const [a, b] = [new Rc4(machines, KEY), new Rc4(machines, other)];
  const left = new Uint8Array(2_000);
  const right = new Uint8Array(2_000);
  for (let at = 0; at < 2_000; at += 500) {
    a.apply(left.subarray(at, at + 500));
    b.apply(right.subarray(at, at + 500));
  }
  t.same(left, reference(KEY, 2_000));
  t.same(right, reference(other, 2_000));
});

void t.test('deciphering undoes enciphering', async (t) => {
  const machines = new Rc4Machines();
  const plain = new SeededRandom(3).bytes(10_000);
  const bytes = plain.slice();
  new Rc4(machines, KEY).apply(bytes);
  t.not(Buffer.compare(bytes, plain), 0);
  new Rc4(machines, KEY).apply(bytes);
  t.same(bytes, plain);
});
