// DetailDTO field by field (docs/api.md).
import t from 'tap';
import type { TorrentDetails } from '../../../../../shared-protocol/commands/inspection.js';
import type { Access } from '../../../../../shared-protocol/dto/torrents.js';
import type { TorrentFacts } from '../../../../../shared-protocol/events.js';
import { ADMIN_ACCOUNT_ID, parseInfoHash } from '../../../../../shared-protocol/ids.js';
import { NEW_LIBRARY_RECORD } from '../../../../../shared-protocol/library-record.js';
import { emptyStats, TORRENT_FLAGS, type TorrentStats } from '../../../../../shared-protocol/stats-table.js';
import { toDetailDto } from '../../../../../api/services/library/inspector-dto.js';
import { shownPeer, shownTracker } from '../../../../support/shown-details.js';

const id = parseInfoHash('ab'.repeat(20));
const FACTS: TorrentFacts = {
  id,
  row: 0,
  rowTag: 1,
  name: 'Sample',
  trackers: '',
  savePath: '/srv',
  totalBytes: 1_000,
  isPrivate: false,
  hasMetadata: true,
  metadataBytes: 1_000,
  addedAt: 1_700_000_000,
  completedAt: null,
  ownerId: ADMIN_ACCOUNT_ID,
  library: NEW_LIBRARY_RECORD,
  error: null,
};
const COUNTRIES = { of: (ip: string) => (ip === '192.0.2.1' ? 'NL' : '') };

interface Given {
  readonly facts?: Partial<TorrentFacts>;
  readonly stats?: Partial<TorrentStats>;
  readonly details?: TorrentDetails;
  readonly access?: Access;
}

function detail({ facts = {}, stats = {}, details = {}, access = 'owner' }: Given) {
  return toDetailDto({
    facts: { ...FACTS, ...facts },
    access,
    stats: { ...emptyStats(), ...stats },
    details,
    countries: COUNTRIES,
  });
}

void t.test('without tabs', async (t) => {
  const stats = {
    bytesDone: 400,
    wantedBytes: 800,
    wantedDone: 200,
    totalDown: 500,
    totalUp: 100,
    peers: 3,
    seeds: 1,
    flags: TORRENT_FLAGS.paused | TORRENT_FLAGS.filesMissing,
  };
  t.strictSame(detail({ stats }), {
    id,
    name: 'Sample',
    magnet: `magnet:?xt=urn:btih:${id}&dn=Sample`,
    save_path: '/srv',
    content_path: '/srv/Sample',
    total_bytes: 1_000,
    bytes_done: 400,
    progress: 0.25,
    first_last_first: false,
    ratio: 0.25,
    total_down: 500,
    total_up: 100,
    peers: 3,
    seeds: 1,
    added_at: 1_700_000_000,
    paused: true,
    completed: false,
    files_missing: true,
  });
});

void t.test('ratio is bytes up by bytes done, and 0 while nothing is there', async (t) => {
  for (const { totalUp, bytesDone, ratio } of [
    { totalUp: 0, bytesDone: 0, ratio: 0 },
    { totalUp: 7, bytesDone: 0, ratio: 0 },
    { totalUp: 0, bytesDone: 7, ratio: 0 },
    { totalUp: 14, bytesDone: 7, ratio: 2 },
  ]) {
    t.equal(detail({ stats: { totalUp, bytesDone } }).ratio, ratio);
  }
});

void t.test('completed_at is there from the first completion on', async (t) => {
  t.notOk('completed_at' in detail({}));
  t.equal(detail({ facts: { completedAt: 1_700_000_500 } }).completed_at, 1_700_000_500);
});

void t.test('lists, also empty ones, are there when they were asked for', async (t) => {
  for (const [details, added] of [
    [{ files: [] }, 'files'],
    [{ peers: [] }, 'peers_list'],
    [{ trackers: [] }, 'trackers'],
  ] as const) {
    const bare = Object.keys(detail({}));
    t.same(
      Object.keys(detail({ details })).filter((name) => !bare.includes(name)),
      [added],
    );
  }
});

void t.test('files, peers and trackers', async (t) => {
  const { files, peers_list, trackers } = detail({
    details: {
      files: [
        { index: 0, path: 'a/b', sizeBytes: 400, bytesDone: 100, priority: 'high' },
        { index: 2, path: 'a/empty', sizeBytes: 0, bytesDone: 0, priority: 'skip' },
      ],
      peers: [
        shownPeer({
          host: '192.0.2.1',
          client: 'Transmission 4.0.5',
          flags: 'DI',
          progress: 0.5,
          downloadRate: 10.4,
          uploadRate: 0.6,
          bytesDown: 7,
          bytesUp: 9,
        }),
        shownPeer({ host: '::1', port: 1 }),
      ],
      trackers: [
        shownTracker({
          url: 'udp://tracker.example:80',
          tier: 2,
          status: 'error: timed out',
          seeds: 1,
          peers: 2,
          downloaded: 3,
          lastAnnounce: 4,
          nextAnnounce: 5,
          interval: 1_800,
          minInterval: 900,
        }),
      ],
    },
  });
  t.strictSame(files, [
    { index: 0, path: 'a/b', size: 400, bytes_done: 100, progress: 0.25, priority: 'high' },
    { index: 2, path: 'a/empty', size: 0, bytes_done: 0, progress: 1, priority: 'skip' },
  ]);
  t.strictSame(peers_list, [
    {
      ip: '192.0.2.1',
      port: 6881,
      client: 'Transmission 4.0.5',
      flags: 'DI',
      progress: 0.5,
      download_rate: 10,
      upload_rate: 1,
      total_down: 7,
      total_up: 9,
      country: 'NL',
    },
    {
      ...{ ip: '::1', port: 1, client: '', flags: '', progress: 0, download_rate: 0, upload_rate: 0 },
      ...{ total_down: 0, total_up: 0, country: '' },
    },
  ]);
  t.strictSame(trackers, [
    {
      url: 'udp://tracker.example:80',
      tier: 2,
      status: 'error: timed out',
      seeds: 1,
      peers: 2,
      downloaded: 3,
      last_announce: 4,
      next_announce: 5,
      interval: 1_800,
      min_interval: 900,
    },
  ]);
});

void t.test('what was downloaded for nothing, where it was asked for', (t) => {
  const details = { waste: { failedPieces: 2, failedBytes: 32, redundantBytes: 5 } };
  t.strictSame(detail({ details }).waste, { failed_pieces: 2, failed_bytes: 32, redundant_bytes: 5 });
  t.notOk('waste' in detail({}));
  t.end();
});

void t.test('web seeds and what its maker wrote, where they were asked for; viewers see no secrets', async (t) => {
  const url = `https://seed.example/${'0123456789'.repeat(3)}/files`;
  const details = {
    webSeeds: [{ url, form: 'files', state: 'connected', downloadRate: 5.4, bytesDown: 6 }],
    metainfo: {
      ...{ comment: 'for all', createdBy: 'maker 1', createdAt: 7, source: 'S', infoHashV2: null, isPrivate: false },
      ...{ pieceLength: 1, pieceCount: 1 },
    },
  } as const;
  const shown = detail({ details });
  t.strictSame(shown.web_seeds, [{ url, form: 'files', state: 'connected', download_rate: 5, total_down: 6 }]);
  t.strictSame(shown.metainfo, { comment: 'for all', created_by: 'maker 1', created_at: 7, source: 'S' });
  t.match(detail({ details, access: 'viewer' }).web_seeds, [{ url: 'https://seed.example/***/files' }]);
  t.notOk('web_seeds' in detail({}) || 'metainfo' in detail({}));
});

void t.test('viewers see no passkeys, in trackers or in the magnet', async (t) => {
  const url = `https://tracker.example/${'0123456789'.repeat(3)}/announce`;
  const tracker = shownTracker({ url, status: `error: unknown ${url}` });
  const details = { trackers: [tracker] };
  const magnet = (tracker: string) => `magnet:?xt=urn:btih:${id}&dn=Sample&tr=${encodeURIComponent(tracker)}`;
  const masked = 'https://tracker.example/***/announce';
  for (const isPrivate of [false, true]) {
    const shown = detail({ facts: { trackers: url, isPrivate }, details, access: 'viewer' });
    t.match(shown.trackers, [{ url: masked, status: `error: unknown ${masked}` }]);
    t.equal(shown.magnet, isPrivate ? `magnet:?xt=urn:btih:${id}&dn=Sample` : magnet(masked));
    for (const access of ['editor', 'owner'] as const) {
      const whole = detail({ facts: { trackers: url, isPrivate }, details, access });
      t.match(whole, { magnet: magnet(url), trackers: [{ url, status: tracker.status }] });
    }
  }
});
