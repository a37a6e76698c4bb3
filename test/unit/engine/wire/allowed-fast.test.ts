// BEP 6, with the sets that it prints.
import t from 'tap';
import fc from 'fast-check';
import { allowedFastSet } from '../../../../engine/wire/allowed-fast.js';
import { parseInfoHash } from '../../../../shared-protocol/ids.js';

const INFO_HASH = parseInfoHash('aa'.repeat(20));

void t.test('the sets of BEP 6', async (t) => {
  const seven = [1059, 431, 808, 1217, 287, 376, 1188];
  t.same(allowedFastSet('80.4.4.200', INFO_HASH, 1313, 7), seven);
  t.same(allowedFastSet('80.4.4.200', INFO_HASH, 1313, 9), [...seven, 353, 508]);
});

void t.test('the whole /24 has the same set, other networks and torrents have others', async (t) => {
  const set = allowedFastSet('80.4.4.200', INFO_HASH, 1313, 7);
  t.same(allowedFastSet('80.4.4.1', INFO_HASH, 1313, 7), set);
  t.same(allowedFastSet('::ffff:80.4.4.1', INFO_HASH, 1313, 7), set, 'IPv4-mapped');
  t.notSame(allowedFastSet('80.4.5.200', INFO_HASH, 1313, 7), set);
  t.notSame(allowedFastSet('80.4.4.200', parseInfoHash('ab'.repeat(20)), 1313, 7), set);
});

void t.test('no set', async (t) => {
  t.same(allowedFastSet('2001:db8::1', INFO_HASH, 1313, 7), []);
  t.same(allowedFastSet('not an address', INFO_HASH, 1313, 7), []);
  t.same(allowedFastSet('80.4.4.200', INFO_HASH, 0, 7), []);
  for (const k of [0, -1, Number.NaN]) t.same(allowedFastSet('80.4.4.200', INFO_HASH, 1313, k), [], String(k));
});

void t.test('always distinct pieces of the torrent, as many as there are', async () => {
  fc.assert(
    fc.property(
      fc.ipV4(),
      fc.uint8Array({ minLength: 20, maxLength: 20 }),
      fc.integer({ min: 1, max: 200 }),
      fc.integer({ min: 0, max: 300 }),
      (ip, hash, pieceCount, k) => {
        const set = allowedFastSet(ip, parseInfoHash(Buffer.from(hash).toString('hex')), pieceCount, k);
        return (
          set.length === Math.min(k, pieceCount) &&
          new Set(set).size === set.length &&
          set.every((piece) => piece >= 0 && piece < pieceCount)
        );
      },
    ),
  );
});
