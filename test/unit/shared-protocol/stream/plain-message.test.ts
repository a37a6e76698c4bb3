// Messages of the other side that are made to take all memory, or minutes: none is given to the decoder.
import t from 'tap';
import { decodeMessage, encodeMessage } from '../../../../shared-protocol/stream/codec.js';
import { engineMessageOf } from '../../../../shared-protocol/stream/messages.js';
import { isPlainMessage } from '../../../../shared-protocol/stream/plain-message.js';
import { COMMAND_SAMPLES, EVENT_SAMPLES } from '../../../support/samples.js';

const ofFourBytes = (number: number) => [number >>> 24, (number >>> 16) & 255, (number >>> 8) & 255, number & 255];
const text = (said: string) => [0xa0 + said.length, ...Buffer.from(said)];
const bytesOf = (head: readonly number[], length = head.length, fill = 0): Uint8Array => {
  const bytes = new Uint8Array(length).fill(fill);
  bytes.set(head);
  return bytes;
};
/** An id, and a reference to it (msgpackr's extensions of structured clones). */
const ID = [0xd6, 0x69, 0, 0, 0, 1];
const REFERENCE = [0xd6, 0x70, 0, 0, 0, 1];

void t.test('what our engines and fronts say', async (t) => {
  for (const sample of [...Object.values(COMMAND_SAMPLES), ...Object.values(EVENT_SAMPLES)]) {
    const bytes = encodeMessage({ sample });
    t.ok(isPlainMessage(bytes));
    for (const end of [0, 1, bytes.length >> 1, bytes.length - 1]) t.notOk(isPlainMessage(bytes.subarray(0, end)));
    t.notOk(isPlainMessage(Buffer.concat([bytes, Buffer.of(0)])));
  }
  const shapes = [0, 1, 2, 4, 8, 15, 16, 31, 32, 255, 256, 65_535, 65_536].map((length) => ({
    text: 'é'.repeat(length),
    bytes: new Uint8Array(length),
    numbers: new Float64Array(length),
    shared: new SharedArrayBuffer(length),
    list: Array<undefined>(length).fill(undefined),
    map: Object.fromEntries(Array.from({ length: Math.min(length, 65_535) }, (_, n) => [`${n}`, n * 2 ** 30])),
    small: -(2 ** length) + 0.5,
  }));
  for (const shape of shapes) t.strictSame(decodeMessage(encodeMessage(shape)), shape);
});

void t.test('lists within lists, each of more places than there are bytes', async (t) => {
  const bytes = Uint8Array.from(Array.from({ length: 200 }, () => [0xdd, ...ofFourBytes(30_000_000)]).flat());
  t.equal(decodeMessage(bytes), null);
  const maps = Uint8Array.from(Array.from({ length: 200 }, () => [0xdf, ...ofFourBytes(0xffff_ffff)]).flat());
  t.equal(decodeMessage(maps), null);
});

void t.test('a number of a megabyte for the name of a field', async (t) => {
  const length = 1_000_000;
  t.equal(decodeMessage(bytesOf([0x81, 0xc9, ...ofFourBytes(length), 0x42], length + 8, 0x7f)), null);
});

void t.test('one thing in many places, or in itself', async (t) => {
  t.equal(decodeMessage(Uint8Array.from([0x92, ...ID, 0x91, 1, ...REFERENCE])), null);
  t.equal(decodeMessage(Uint8Array.from([...ID, 0x91, ...REFERENCE])), null);
});

void t.test('records, sets, patterns, errors, dates, and texts that are elsewhere', async (t) => {
  for (const [name, bytes] of Object.entries({
    record: [0xd4, 0x72, 0x40, 0x91, ...text('a'), 1],
    set: [0xd4, 0x73, 0, 0x91, 1],
    pattern: [0xd4, 0x78, 0, 0x92, ...text('(a*)*b'), 0xa0],
    error: [0xd4, 0x65, 0, 0x93, ...text('Error'), ...text('x'), 0xc0],
    date: [0xd6, 0xff, 0, 0, 0, 1],
    bundle: [0xd6, 0x62, 0, 0, 0, 4, 0xc1, 0, 0xa0, 0xa0],
    never: [0xc1],
  })) {
    t.equal(decodeMessage(Uint8Array.from(bytes)), null, name);
  }
});

void t.test('more items than any of ours has', async (t) => {
  const items = 9_000_000;
  t.notOk(isPlainMessage(bytesOf([0xdd, ...ofFourBytes(items)], items + 5, 0xc0)));
});

void t.test('a list of events that has millions of faults', async (t) => {
  const heap = process.memoryUsage().heapUsed;
  t.equal(engineMessageOf({ kind: 'events', first: 1, events: Array<null>(2_000_000).fill(null) }), null);
  t.ok(process.memoryUsage().heapUsed - heap < 64 * 2 ** 20);
});
