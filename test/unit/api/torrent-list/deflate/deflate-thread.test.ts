// The thread that deflates: what comes out of it is what went in, wherever it is put together.
import { constants, crc32, inflateRawSync } from 'node:zlib';
import t from 'tap';
import { DeflateThread } from '../../../../../api/torrent-list/deflate/deflate-thread.js';
import { plainPart } from '../../../../../api/torrent-list/deflate/deflated-part.js';
import { SeededRandom } from '../../../../support/seeded-random.js';
import { stayAwake } from '../../../../support/stay-awake.js';

void t.test('parts of every size, also at once, put together in any order', async (t) => {
  stayAwake(t);
  const thread = new DeflateThread();
  const random = new SeededRandom(3);
  const sizes = [0, 1, 60, 1_024, 16_383, 16_384, 70_000, 1_500_000, 3_000_000];
  const plain = sizes.flatMap((size) => [Buffer.from(random.bytes(size)), Buffer.alloc(size, 'json')]);
  const [parts, [again]] = await Promise.all([
    thread.deflate(plain.map(plainPart)),
    thread.deflate([plainPart(plain[9]!)]),
  ]);
  t.same(again, parts[9]);
  const joined = Buffer.concat([...parts].reverse().map(({ bytes }) => bytes));
  const read = inflateRawSync(joined, { finishFlush: constants.Z_SYNC_FLUSH });
  t.ok(read.equals(Buffer.concat([...plain].reverse())));
  for (const [i, { plainLength, checksum }] of parts.entries()) {
    t.same({ plainLength, checksum }, { plainLength: plain[i]!.length, checksum: crc32(plain[i]!) });
  }
  t.same(await thread.deflate([]), []);
});
