// What messages are made of comes out as it went in, and bytes that are none are nothing.
import t from 'tap';
import fc from 'fast-check';
import { decodeMessage, encodeMessage } from '../../../../shared-protocol/stream/codec.js';
import { engineMessageOf, frontMessageOf, isStreamId } from '../../../../shared-protocol/stream/messages.js';

void t.test('values that cross', async (t) => {
  const shared = new SharedArrayBuffer(3);
  new Uint8Array(shared).set([1, 2, 3]);
  const value = {
    ...{
      none: undefined,
      nothing: null,
      infinite: Infinity,
      big: 2 ** 53 - 1,
      small: -(2 ** 40),
      half: 0.5,
      yes: true,
    },
    ...{ bytes: new Uint8Array([9, 8]), numbers: new Float64Array([0.5]), rows: new Int32Array([-1, 7]) },
    ...{ list: [1, undefined, 'é'], map: { 'a b': {} } },
  };
  t.strictSame(decodeMessage(encodeMessage(value)), value);
  const { ranges } = decodeMessage(encodeMessage({ ranges: shared })) as { ranges: SharedArrayBuffer };
  t.type(ranges, SharedArrayBuffer);
  t.same([...new Uint8Array(ranges)], [1, 2, 3]);
});

void t.test('a piece of a pooled buffer is that piece, in memory of its own', async (t) => {
  const { bytes } = decodeMessage(encodeMessage({ bytes: Buffer.from('d3:') })) as { bytes: Uint8Array };
  t.notOk(Buffer.isBuffer(bytes));
  t.equal(bytes.buffer.byteLength, 3);
});

void t.test('a function is refused', async (t) => {
  t.throws(() => encodeMessage({ onDone: () => undefined }), { code: 'BUG' });
});

void t.test('no bytes make it throw', async () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const value = decodeMessage(bytes);
      frontMessageOf(value);
      engineMessageOf(value);
    }),
    { numRuns: 2_000 },
  );
});

void t.test('deeply nested bytes are nothing', async (t) => {
  t.equal(decodeMessage(new Uint8Array(200_000).fill(0x91)), null);
});

void t.test('messages of a front', async (t) => {
  const epoch = 'ab'.repeat(16);
  t.match(frontMessageOf({ kind: 'hello', heard: { epoch, sequence: 3 } }), { kind: 'hello' });
  t.match(frontMessageOf({ kind: 'call', id: 1, name: 'health', params: {} }), { name: 'health' });
  for (const wrong of [
    null,
    [],
    { kind: 'hello' },
    { kind: 'hello', heard: { epoch: 'x', sequence: 0 } },
    { kind: 'hello', heard: { epoch, sequence: -1 } },
    { kind: 'call', id: 1, name: 'constructor', params: {} },
    { kind: 'call', id: 1.5, name: 'health', params: {} },
    { kind: 'other' },
  ]) {
    t.equal(frontMessageOf(wrong), null, JSON.stringify(wrong));
  }
  t.notOk(isStreamId('AB'.repeat(16)));
});

void t.test('messages of an engine', async (t) => {
  const id = 'ab'.repeat(16);
  const welcome = { kind: 'welcome', engineId: id, epoch: id, sequence: 0, isResumed: false, version: '1', roots: [] };
  t.strictSame(engineMessageOf(welcome), welcome);
  t.match(engineMessageOf({ kind: 'rows', bytes: new Uint8Array(128) }), { kind: 'rows' });
  for (const wrong of [
    { ...welcome, engineId: '../x' },
    { ...welcome, roots: [{ name: 'a', path: 'x'.repeat(5_000) }] },
    { kind: 'rows', bytes: [1] },
    { kind: 'events', first: -1, events: [] },
    { kind: 'call', id: 1, name: 'health', params: {} },
  ]) {
    t.equal(engineMessageOf(wrong), null, JSON.stringify(wrong));
  }
});
