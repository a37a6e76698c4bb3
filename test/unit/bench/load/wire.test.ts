// The raw ends' reader must find the same messages however the stream is cut: a bench that loses count hangs.
import t from 'tap';
import { fullBitfield, handshake, ID, message, WireReader } from '../../../../bench/load/wire.js';

const KEEP_ALIVE = Buffer.alloc(4);

function block(length: number): Buffer {
  return message(ID.piece, Buffer.alloc(8 + length, 0xee));
}

function readInSteps(stream: Buffer, step: number): string[] {
  const seen: string[] = [];
  const reader = new WireReader({
    onHandshake: () => seen.push('handshake'),
    onMessage: (id, frame) => seen.push(`${id}:${frame.toString('hex')}`),
    onBlock: (length) => seen.push(`block ${length}`),
  });
  for (let at = 0; at < stream.length; at += step) reader.push(stream.subarray(at, at + step));
  return seen;
}

void t.test('messages and blocks come out whole for every size of read', async (t) => {
  const stream = Buffer.concat([
    handshake('ab'.repeat(20), '-SB0001-test--------'),
    fullBitfield(9),
    message(ID.unchoke),
    block(100),
    KEEP_ALIVE,
    block(0),
    message(ID.have, Buffer.from([0, 0, 0, 7])),
    block(33),
  ]);
  const expected = ['handshake', '5:05ff80', '1:01', 'block 100', 'block 0', '4:0400000007', 'block 33'];
  for (let step = 1; step <= stream.length; step++) t.same(readInSteps(stream, step), expected, `reads of ${step}`);
});

void t.test('a full bitfield has no spare bit set (BEP 3)', async (t) => {
  t.equal(fullBitfield(8).subarray(5).toString('hex'), 'ff');
  t.equal(fullBitfield(17).subarray(5).toString('hex'), 'ffff80');
  t.equal(fullBitfield(1).subarray(5).toString('hex'), '80');
});
