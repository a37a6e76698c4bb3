// The check value of the CRC catalogues and the vectors of RFC 3720, B.4.
import t from 'tap';
import { crc32c } from '../../../../engine/util/crc32c.js';

void t.test('known values', async (t) => {
  t.equal(crc32c(Buffer.from('123456789')), 0xe3069283);
  t.equal(crc32c(new Uint8Array(0)), 0);
  t.equal(crc32c(new Uint8Array(32)), 0x8a9136aa);
  t.equal(crc32c(new Uint8Array(32).fill(0xff)), 0x62a8ab43);
  t.equal(crc32c(Uint8Array.from({ length: 32 }, (_, at) => at)), 0x46dd794e);
});
