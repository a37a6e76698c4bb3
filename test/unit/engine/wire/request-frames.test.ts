import t from 'tap';
import { encodeCancels, encodeRejects, encodeRequests } from '../../../../engine/wire/request-frames.js';
import { cancel, reject, request } from '../../../support/frames.js';

const BLOCKS = [
  { piece: 0, begin: 0, length: 16_384 },
  { piece: 2 ** 32 - 1, begin: 2 ** 31, length: 1 },
];

void t.test('many requests, cancels or rejects make one write, each frame as BEP 3 and BEP 6 say', async (t) => {
  for (const [encode, frame] of [
    [encodeRequests, request],
    [encodeCancels, cancel],
    [encodeRejects, reject],
  ] as const) {
    t.same(
      Buffer.from(encode(BLOCKS)),
      Buffer.concat(BLOCKS.map(({ piece, begin, length }) => frame(piece, begin, length))),
    );
    t.equal(encode([]).length, 0);
  }
});
