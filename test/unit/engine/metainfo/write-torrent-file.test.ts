// Torrent files that are written are read again as what they were written from.
import t from 'tap';
import { parseTorrentFile } from '../../../../engine/metainfo/index.js';
import { writeTorrentFile } from '../../../../engine/metainfo/write-torrent-file.js';
import { makeTorrent, seededBytes } from '../../../support/make-torrent.js';

const A = 'http://a.example/announce';
const B = 'udp://b.example:1';

void t.test('the info dictionary byte for byte, trackers in tiers, seeds', (t) => {
  const made = makeTorrent({ name: 'Größe', pieceLength: 16_384, files: seededBytes(3, 40_000) });
  const { infoBytes } = parseTorrentFile(made.torrentBytes);
  const webSeeds = ['http://w.example/'];
  const httpSeeds = ['http://h.example/seed'];
  for (const trackers of [[], [[A]], [[A, B]], [[A], [B]]]) {
    const read = parseTorrentFile(writeTorrentFile({ infoBytes, trackers, webSeeds, httpSeeds }));
    t.same(Buffer.from(read.infoBytes), Buffer.from(infoBytes));
    t.equal(read.info.infoHash, made.infoHash);
    t.same(read.trackers, trackers);
    t.match(read, { webSeeds, httpSeeds });
  }
  const bare = parseTorrentFile(writeTorrentFile({ infoBytes, trackers: [], webSeeds: [], httpSeeds: [] }));
  t.match(bare, { trackers: [], webSeeds: [], httpSeeds: [] });
  t.end();
});
