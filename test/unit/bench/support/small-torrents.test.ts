import { createHash } from 'node:crypto';
import t from 'tap';
import bencode from 'bencode';
import { makeSmallTorrents } from '../../../../bench/support/small-torrents.js';

void t.test('small torrents share their bytes and nothing else, and are the same in every process', async (t) => {
  const { torrents, data, pieceCount } = makeSmallTorrents(3, 2);
  t.equal(new Set(torrents.map(({ infoHash }) => infoHash)).size, 3);
  t.same(makeSmallTorrents(3, 2).torrents, torrents);
  t.same([data.length, pieceCount], [2 * 16 * 1024, 2]);
  for (const { torrentBytes, infoHash, name } of torrents) {
    // What the bench's own encoder made of it.
    const { info } = bencode.decode(torrentBytes) as { info: Record<string, Uint8Array & number> };
    t.equal(Buffer.from(info['name']!).toString(), name);
    const second = createHash('sha1')
      .update(data.subarray(16 * 1024))
      .digest();
    t.same(Buffer.from(info['pieces']!.subarray(20)), second);
    t.equal(createHash('sha1').update(bencode.encode(info)).digest('hex'), infoHash);
  }
});
