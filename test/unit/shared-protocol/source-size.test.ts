// The size of what a torrent file leads to, as it stands in the file.
import fc from 'fast-check';
import t from 'tap';
import { sourceSize } from '../../../shared-protocol/source-size.js';
import { makeTorrent } from '../../support/make-torrent.js';

const of = (text: string) => sourceSize({ kind: 'metainfo', bytes: Buffer.from(text, 'latin1') });

void t.test('files of all kinds', async (t) => {
  const one = makeTorrent({ name: 'one', pieceLength: 16_384, files: Buffer.alloc(40_000) });
  t.equal(sourceSize({ kind: 'metainfo', bytes: one.torrentBytes }), 40_000);
  const files = [3, 0, 50_000].map((length, n) => ({ path: ['d', String(n)], bytes: Buffer.alloc(length) }));
  const several = makeTorrent({ name: 'several', pieceLength: 16_384, files });
  t.equal(sourceSize({ kind: 'metainfo', bytes: several.torrentBytes }), 50_003);
  t.equal(of('d4:infod6:lengthi9007199254740991eee'), Number.MAX_SAFE_INTEGER);
});

void t.test('what does not say, or nonsense', async (t) => {
  t.equal(sourceSize({ kind: 'magnet', uri: `magnet:?xt=urn:btih:${'a'.repeat(40)}&xl=5` }), null);
  for (const text of [
    '',
    'x',
    'le',
    'de',
    'd4:infoi5ee',
    'd4:infodee',
    'd4:infod6:lengthi-5eee',
    'd4:infod6:length1:5ee',
    'd4:infod6:lengthi99999999999999999999eee',
    'd4:infod5:filesld6:lengthi5eed6:lengthi-1eeeee',
    'd4:infod5:filesli5eeee',
    'd4:infod5:filesdeee',
    'd4:infod6:lengthi5e',
  ]) {
    t.equal(of(text), null, text);
  }
});

void t.test('any bytes are answered', async () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const size = sourceSize({ kind: 'metainfo', bytes });
      return size === null || (Number.isSafeInteger(size) && size >= 0);
    }),
  );
});
