import t from 'tap';
import { fastresumeOf, type LeavingTorrent } from '../../../../../api/services/export/fastresume.js';
import { fromFastresume } from '../../../../../api/services/import/qbittorrent/fastresume.js';
import { readRecord } from '../../../../../api/services/import/record-values.js';

const TORRENT: LeavingTorrent = {
  id: 'ab'.repeat(20),
  name: 'box',
  shownName: 'A box',
  savePath: '/srv/a',
  incompleteSuffix: '.!qB',
  files: [
    { index: 0, path: 'box/a ö.bin', sizeBytes: 10, bytesDone: 10, priority: 'high' },
    { index: 2, path: 'box/b.bin', sizeBytes: 10, bytesDone: 3, priority: 'max' },
    { index: 3, path: 'box/c.bin', sizeBytes: 10, bytesDone: 0, priority: 'skip' },
  ],
  pieces: { pieceCount: 10, pieceLength: 16, have: Uint8Array.of(0b10100000, 0b01000000), availability: null },
  isComplete: false,
  trackers: [['http://a/announce', 'http://b/announce'], ['udp://c:1']],
  uploadedBytes: 2 ** 40,
  downloadedBytes: 12,
  activeSeconds: 50,
  seedingSeconds: 40,
  addedAt: 1_600_000_000,
  completedAt: 0,
  lastActivityAt: 1_600_000_100,
  isPaused: true,
  isForced: false,
  isSequential: true,
  isFirstLastFirst: true,
  isSuperSeeding: false,
  rateLimits: { downBytesPerSec: 0, upBytesPerSec: 1024 },
  ratio: 1.5,
  minutes: null,
  inactiveMinutes: 'inherited',
  category: 'Films/New',
  tags: ['a', 'b'],
};

t.test('what is written for qBittorrent is read as that of qBittorrent', async (t) => {
  const record = readRecord(fastresumeOf(TORRENT), 'x.fastresume');
  const back = fromFastresume(record, Uint8Array.of(1), 'x.fastresume', []);
  t.match(back, {
    savePath: '/srv/a',
    completePath: '',
    paused: true,
    forced: false,
    sequential: true,
    firstLastFirst: true,
    name: 'A box',
    category: 'Films/New',
    tags: ['a', 'b'],
    rateLimits: { downBytesPerSec: 0, upBytesPerSec: 1024 },
    seeding: { ratio: 1.5, minutes: null, inactiveMinutes: 'inherited' },
    incompleteSuffix: '.!qB',
  });
  t.match(back.state, {
    have: { of: 'pieces', bits: Uint8Array.of(0b10100000, 0b01000000), count: 10 },
    filePriorities: ['high', 'normal', 'max', 'skip'],
    paths: [
      [0, ['box', 'a ö.bin']],
      [2, ['box', 'b.bin']],
      [3, ['box', 'c.bin']],
    ],
    trackers: [['http://a/announce', 'http://b/announce'], ['udp://c:1']],
    uploadedBytes: 2 ** 40,
    downloadedBytes: 12,
    activeSeconds: 50,
    seedingSeconds: 40,
    addedAt: 1_600_000_000,
    completedAt: 0,
  });
});

t.test('a magnet stays one, running and forced are told apart', async (t) => {
  const magnet = { ...TORRENT, files: [], pieces: { ...TORRENT.pieces, pieceCount: 0, have: new Uint8Array() } };
  const read = (torrent: LeavingTorrent, metainfo: Uint8Array | null) =>
    fromFastresume(readRecord(fastresumeOf(torrent), 'x.fastresume'), metainfo, 'x.fastresume', []);
  t.match(read(magnet, null).source, { kind: 'magnet', uri: `magnet:?xt=urn:btih:${TORRENT.id}&dn=box` });
  t.match(read({ ...TORRENT, isPaused: false }, Uint8Array.of(1)), { paused: false, forced: false });
  t.match(read({ ...TORRENT, isPaused: false, isForced: true }, Uint8Array.of(1)), { paused: false, forced: true });
});
