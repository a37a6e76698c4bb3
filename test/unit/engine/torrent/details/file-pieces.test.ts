// The pieces of files, where files share pieces, are empty, or stand behind pad files.
import t from 'tap';
import { Bitfield } from '../../../../../engine/torrent/pieces/bitfield.js';
import { filePieces } from '../../../../../engine/torrent/details/file-pieces.js';
import { FileListCache, type FileList } from '../../../../../engine/torrent/files/file-list-cache.js';
import { shapeTorrent, type ShapedFile } from '../../../../support/torrent-shapes.js';

function listOf(pieceLength: number, files: readonly ShapedFile[]): FileList {
  const info = shapeTorrent(pieceLength, files);
  const list = new FileListCache().of(info.infoHash, () => info);
  if (!list) throw new Error('no list');
  return list;
}

void t.test('first and last', (t) => {
  // pieces |0000|1111|2222|33|
  // files  |aaab|bbbb|b.ccc|cc|, an empty one between b and c, and one at the end
  const list = listOf(4, [{ sizeBytes: 3 }, { sizeBytes: 6 }, { sizeBytes: 0 }, { sizeBytes: 5 }, { sizeBytes: 0 }]);
  const { first, last, availability } = filePieces(list, new Bitfield(4), null);
  t.same([...first], [0, 0, 2, 2, 3]);
  t.same([...last], [0, 2, 2, 3, 3]);
  t.equal(availability, null);
  t.end();
});

void t.test('what is here counts as what peers have', (t) => {
  const list = listOf(4, [{ sizeBytes: 4 }, { sizeBytes: 2, isPad: true }, { sizeBytes: 10 }]);
  const have = new Bitfield(4, Uint8Array.of(0b0100_0000));
  const { availability } = filePieces(list, have, { availability: () => Uint16Array.of(0, 0, 3, 0) });
  t.same(
    [...(availability ?? [])].map((share) => share.toFixed(2)),
    ['0.00', '0.67'],
  );
  t.end();
});
