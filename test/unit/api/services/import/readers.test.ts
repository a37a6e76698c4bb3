// What the readers make of records as Deluge and rTorrent write them (seen of Deluge 2.0.3 and rTorrent 0.9.8).
import bencode, { type BencodeInput } from 'bencode';
import t from 'tap';
import { fromState } from '../../../../../api/services/import/deluge/deluge.js';
import { readRecord } from '../../../../../api/services/import/record-values.js';
import { fromSession } from '../../../../../api/services/import/rtorrent/session-record.js';
import { makeTorrent } from '../../../../support/make-torrent.js';
import { inEnglish } from '../../../../support/import/in-english.js';

const record = (fields: Record<string, BencodeInput>) => readRecord(bencode.encode(fields), 'record');
const { torrentBytes } = makeTorrent({
  name: 'multi',
  pieceLength: 16_384,
  files: [
    { path: ['a'], bytes: Buffer.alloc(20_000) },
    { path: ['b'], bytes: Buffer.alloc(20_000) },
  ],
});

t.test('rTorrent: pieces, times and the folder of a torrent', async (t) => {
  const torrent = fromSession(
    record({
      directory: '/old/other name',
      state: 1,
      custom1: 'My%20films',
      custom: { addtime: '1700000000\n' },
      'timestamp.finished': 1_700_000_100,
      total_uploaded: 5,
      throttle_name: 'slow',
    }),
    record({
      bitfield: Buffer.from([0xe0]),
      uncertain_pieces: Buffer.from([0, 0, 0, 1]),
      files: [
        { mtime: 1_700_000_050, priority: 2 },
        { mtime: -1, priority: 0 },
      ],
      trackers: {
        'http://a/': { enabled: 1, group: 1 },
        'http://b/': { enabled: 1, group: 0 },
        'http://c/': { enabled: 0, group: 0 },
      },
    }),
    torrentBytes,
    'x.torrent',
  );
  t.match(inEnglish(torrent), { savePath: '/old', category: 'My films', paused: false, notes: [/slow/] });
  t.match(torrent.state, {
    folder: 'other name',
    have: { of: 'pieces', bits: Uint8Array.of(0xa0) },
    fileTimes: { kind: 'exact', seconds: [1_700_000_050, null] },
    filePriorities: ['high', 'skip'],
    trackers: [['http://b/'], ['http://a/']],
    addedAt: 1_700_000_000,
    completedAt: 1_700_000_100,
    uploadedBytes: 5,
  });
});

t.test('Deluge: fields of its state over those of the resume data', async (t) => {
  const resume = bencode.encode({
    pieces: Buffer.from([1, 1, 0]),
    unfinished: [{ piece: 2, bitmask: Buffer.from([1]) }],
    total_uploaded: 7,
    added_time: 1_700_000_000,
    mapped_files: ['multi/c', ''],
  });
  const fields = new Map<string, never>(
    Object.entries({
      save_path: '/old',
      paused: true,
      auto_managed: true,
      file_priorities: [7, 0],
      max_upload_speed: 12.5,
      max_download_speed: -1,
      stop_at_ratio: true,
      stop_ratio: 2,
      remove_at_ratio: true,
      name: 'shown',
      owner: 'ann',
    }) as [string, never][],
  );
  const torrent = inEnglish(fromState(fields, torrentBytes, resume, 'id', 'films'));
  t.match(torrent, {
    savePath: '/old',
    paused: true,
    forced: false,
    category: 'films',
    name: 'shown',
    rateLimits: { downBytesPerSec: 0, upBytesPerSec: 12_800 },
    seeding: { ratio: 2, minutes: 'inherited' },
    notes: [/removed at its ratio/, /ann/],
  });
  t.match(torrent.state, {
    have: { of: 'pieces', bits: Uint8Array.of(0xc0), count: 3 },
    unfinished: [{ piece: 2, blocks: Uint8Array.of(0x80) }],
    filePriorities: ['max', 'skip'],
    paths: [[0, ['multi', 'c']]],
    uploadedBytes: 7,
    addedAt: 1_700_000_000,
  });
});
