// The file lists of torrents that are looked at: read once, and only so many kept.
import t from 'tap';
import { parseInfoHash } from '../../../../../shared-protocol/ids.js';
import { FileListCache } from '../../../../../engine/torrent/files/file-list-cache.js';
import { shapeTorrent } from '../../../../support/torrent-shapes.js';

const idOf = (number: number) => parseInfoHash(number.toString(16).padStart(40, '0'));

/** Asks for lists as an inspector would, and remembers which had to be read. */
class Reader {
  readonly lists = new FileListCache();
  #reads: number[] = [];

  look(torrent: number, files: number): void {
    const shape = () =>
      shapeTorrent(
        1,
        Array.from({ length: files }, () => ({ sizeBytes: 1 })),
      );
    const list = this.lists.of(idOf(torrent), () => {
      this.#reads.push(torrent);
      return shape();
    });
    if (list?.files.length !== files) throw new Error(`torrent ${torrent}: ${list?.files.length} files`);
  }

  /** The torrents whose metainfo was read since the last call. */
  reads(): number[] {
    return this.#reads.splice(0);
  }
}

void t.test('a list is read once while it is looked at', async (t) => {
  const reader = new Reader();
  for (let second = 0; second < 5; second++) for (const torrent of [1, 2]) reader.look(torrent, 10);
  t.same(reader.reads(), [1, 2]);
  t.equal(reader.lists.filesKept, 20);
});

void t.test('the lists used least recently go when there are too many files', async (t) => {
  const reader = new Reader();
  for (const torrent of [1, 2, 3]) reader.look(torrent, 60_000);
  reader.look(1, 60_000);
  reader.look(4, 60_000);
  t.same(reader.reads(), [1, 2, 3, 4]);
  t.equal(reader.lists.filesKept, 180_000);
  for (const torrent of [1, 3, 4]) reader.look(torrent, 60_000);
  t.same(reader.reads(), [], 'these were used after 2');
  reader.look(2, 60_000);
  t.same(reader.reads(), [2]);
});

void t.test('the one looked at is kept however long it is, and alone', async (t) => {
  const reader = new Reader();
  reader.look(1, 10);
  reader.look(2, 300_000);
  reader.look(2, 300_000);
  t.same(reader.reads(), [1, 2]);
  t.equal(reader.lists.filesKept, 300_000);
  reader.look(1, 10);
  t.same(reader.reads(), [1]);
  t.equal(reader.lists.filesKept, 10);
});

void t.test('nothing is kept of a torrent whose metadata is unknown', async (t) => {
  const lists = new FileListCache();
  t.equal(
    lists.of(idOf(1), () => null),
    null,
  );
  const info = shapeTorrent(4, [{ sizeBytes: 5 }]);
  t.match(
    lists.of(idOf(1), () => info),
    { pieceLength: 4, pieceCount: 2, totalBytes: 5, files: [{ path: 't/f0' }] },
  );
});
