// Checksums put together of those of parts.
import { crc32 } from 'node:zlib';
import t from 'tap';
import { combineCrc32 } from '../../../../../api/torrent-list/deflate/crc32.js';
import { SeededRandom } from '../../../../support/seeded-random.js';

void t.test('checksums of parts make that of the whole', async (t) => {
  const bytes = Buffer.from(new SeededRandom(5).bytes(100_000));
  for (const cut of [0, 1, 2, 255, 65_536, 99_999, 100_000]) {
    const [first, second] = [bytes.subarray(0, cut), bytes.subarray(cut)];
    t.equal(combineCrc32(crc32(first), crc32(second), second.length), crc32(bytes), `cut at ${cut}`);
  }
});
