import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { FILE_BYTES, makeTorrentSet } from '../../../../bench/support/torrent-set.js';
import { parseTorrentFile } from '../../../../engine/metainfo/index.js';

void t.test('torrents whose data is there', async (t) => {
  const { folder, torrents } = await makeTorrentSet(join(t.testdir(), 'data'), 3);
  t.equal(readdirSync(folder).length, 3);
  t.equal(new Set(torrents.map(({ id }) => id)).size, 3, 'each is another one');
  for (const { id, bytes } of torrents) {
    const { info } = parseTorrentFile(bytes);
    t.equal(info.infoHash, id);
    const data = readFileSync(join(folder, info.name));
    t.equal(data.length, FILE_BYTES);
    t.strictSame(Buffer.from(info.pieceHashes), createHash('sha1').update(data).digest());
  }
});

void t.test('a larger set begins with a smaller one', async (t) => {
  const small = await makeTorrentSet(join(t.testdir(), 'data'), 2);
  const large = await makeTorrentSet(join(t.testdir(), 'more'), 4);
  t.strictSame(large.torrents.slice(0, 2), small.torrents);
});

void t.test('with a tracker the torrents are the same', async (t) => {
  const announce = 'http://127.0.0.1:9/announce';
  const without = await makeTorrentSet(join(t.testdir(), 'data'), 2);
  const { torrents } = await makeTorrentSet(join(t.testdir(), 'more'), 2, announce);
  t.strictSame(
    torrents.map(({ id }) => id),
    without.torrents.map(({ id }) => id),
  );
  t.strictSame(parseTorrentFile(torrents[0]!.bytes).trackers, [[announce]]);
});
