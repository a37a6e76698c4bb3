// One sample or more of everything that crosses between threads. Typed over all commands and events, so that a new
// one does not compile until it is sampled here, and so is sent through every transport by its contract test.
import type { CommandName, CommandParams, CommandResult } from '../../shared-protocol/commands.js';
import { AppError, toErrorRecord } from '../../shared-protocol/errors.js';
import type { EngineEvents, EventName, TorrentFacts } from '../../shared-protocol/events.js';
import { ADMIN_ACCOUNT_ID, parseAccountId, parseInfoHash } from '../../shared-protocol/ids.js';
import { NEW_LIBRARY_RECORD, type LibraryRecord } from '../../shared-protocol/library-record.js';

export type CommandSamples = {
  readonly [Name in CommandName]: readonly {
    readonly params: CommandParams<Name>;
    readonly result: CommandResult<Name>;
  }[];
};

export type EventSamples = { readonly [Name in EventName]: readonly EngineEvents[Name][] };

const id = parseInfoHash('0123456789abcdef0123456789abcdef01234567');
const LIBRARY: LibraryRecord = {
  shares: [{ accountId: parseAccountId(2), access: 'editor' }],
  categoryId: 1,
  tagIds: [3, 1],
  seedPolicy: { ratioLimit: 1.5, minutesLimit: null },
  seedingSince: 1_700_000_002,
};
/** Three bytes of the shared pool: on Node 20 they would arrive as a view of all of its 8 KiB. */
const POOLED = Buffer.from('d3:');

export const COMMAND_SAMPLES: CommandSamples = {
  start: [
    {
      params: {
        dataDir: '/var/lib/swarmd',
        peerHosts: ['0.0.0.0', '::'],
        peerPort: 0,
        maxPeersPerTorrent: 100,
        maxPeers: 1000,
        slabBytes: 48 * 2 ** 20,
        hashThreads: 2,
        logLevel: 'info',
        userAgent: 'Swarmd/0.1.0',
        encryption: 'preferred',
        dht: { bootstrap: [{ host: 'router.example', port: 6881 }] },
        lsd: true,
        portMapping: true,
        rateLimits: { downBytesPerSec: 0, upBytesPerSec: 1024 },
        queueLimits: { maxActiveDownloads: 5, maxActiveSeeds: 0 },
        fetchAllow: ['192.168.0.0/16', 'fd00::/8'],
        nameServers: ['192.0.2.53', '[2001:db8::53]:5353'],
        insiders: [ADMIN_ACCOUNT_ID, parseAccountId(7)],
        blocklist: [{ ipv4: new SharedArrayBuffer(16), ipv6: new SharedArrayBuffer(0) }],
        peerPorts: [{ first: 6881, last: 6889 }],
        network: { bind: 'wg0', proxy: null },
        anonymous: true,
      },
      result: { peerPort: 51_413, torrents: 10_000 },
    },
  ],
  tellTorrents: [{ params: {}, result: { peerPort: 51_413, torrents: 10_000 } }],
  locateFolder: [
    { params: { path: '/srv/a' }, result: { kind: 'place', path: '/mnt/a' } },
    { params: { path: '/srv/b' }, result: { kind: 'unusable', path: '/srv/b', reason: 'not a directory' } },
  ],
  tryFolder: [
    { params: { path: '/srv/a' }, result: { kind: 'usable' } },
    { params: { path: '/srv/b' }, result: { kind: 'refused', exists: false, code: 'EACCES' } },
  ],
  isFolder: [{ params: { path: '/srv/a' }, result: true }],
  volumesOf: [
    { params: { paths: ['/srv/a', '/srv/b'] }, result: [{ device: 7, totalBytes: 2 ** 40, freeBytes: 2 ** 33 }, null] },
  ],
  listFolder: [
    {
      params: { folder: '/srv', beginning: 'a' },
      result: {
        entries: [{ name: 'a', kind: 'folder', realPath: '/mnt/a', isLink: true }],
        isComplete: true,
      },
    },
    { params: { folder: '/root' }, result: { entries: null, isComplete: false } },
  ],
  readMetainfo: [
    {
      params: { bytes: new Uint8Array(POOLED), maxFiles: 10_000 },
      result: {
        id,
        name: 'Größe',
        totalBytes: 2 ** 44,
        pieceLength: 2 ** 24,
        pieceCount: 2 ** 20,
        isPrivate: true,
        fileCount: 2,
        files: [{ index: 1, path: 'Größe/файл', sizeBytes: 2 ** 44 }],
        trackerHosts: ['tracker.example:80', '[2001:db8::1]'],
      },
    },
  ],
  addTorrent: [
    {
      params: {
        source: { kind: 'metainfo', bytes: new Uint8Array(POOLED) },
        savePath: '/srv/Größe/файл',
        ownerId: ADMIN_ACCOUNT_ID,
        paused: false,
      },
      result: { id, existed: false, trackers: [] },
    },
    {
      params: {
        source: { kind: 'magnet', uri: `magnet:?xt=urn:btih:${id}&dn=\u{1f4be}` },
        savePath: '/srv',
        ownerId: parseAccountId(7),
        library: LIBRARY,
        paused: true,
        sequential: true,
        firstLastFirst: true,
        forceStart: true,
        isFirstInQueue: true,
        rateLimits: { downBytesPerSec: 2 ** 40, upBytesPerSec: 0 },
        filePriorities: { 0: 'skip', 12: 'max' },
        stopAfter: 'check',
        skipCheck: true,
        layout: 'no_subfolder',
      },
      result: { id, existed: true, trackers: [['http://a/announce', 'udp://b:1'], []] },
    },
  ],
  joinTorrent: [
    {
      params: {
        source: { kind: 'metainfo', bytes: new Uint8Array(POOLED) },
        savePath: '/srv',
        ownerId: parseAccountId(3),
        library: LIBRARY,
        paused: true,
        sequential: false,
      },
      result: undefined,
    },
  ],
  leaveTorrent: [{ params: { id, by: parseAccountId(3) }, result: undefined }],
  pauseTorrent: [
    { params: { id }, result: undefined },
    { params: { id, by: parseAccountId(3) }, result: undefined },
  ],
  resumeTorrent: [{ params: { id }, result: undefined }],
  recheckTorrent: [{ params: { id }, result: undefined }],
  moveTorrent: [
    { params: { id, path: '/srv/Größe', accountId: ADMIN_ACCOUNT_ID }, result: undefined },
    {
      params: { id, by: parseAccountId(3), path: '/srv', existing: true, takeOver: false, accountId: ADMIN_ACCOUNT_ID },
      result: undefined,
    },
  ],
  cancelMove: [{ params: { id }, result: undefined }],
  renamePath: [
    {
      params: { id, by: parseAccountId(3), from: 'Größe/файл', to: 'b', accountId: ADMIN_ACCOUNT_ID },
      result: { state: 'waiting' },
    },
  ],
  moveStatus: [
    {
      params: { id, by: parseAccountId(3) },
      result: {
        state: 'failed',
        path: '/srv',
        bytesDone: 1,
        bytesTotal: 2 ** 44,
        error: { code: 'DISK_FULL', message: 'no space' },
      },
    },
  ],
  removeTorrent: [
    { params: { id, deleteData: true }, result: undefined },
    { params: { id, deleteData: false }, result: undefined },
  ],
  addPeers: [
    {
      params: { id, peers: ['192.0.2.1:6881', '[2001:db8::1]:6881'], accountId: ADMIN_ACCOUNT_ID },
      result: { added: 2 },
    },
  ],
  setRateLimits: [{ params: { downBytesPerSec: 0, upBytesPerSec: 2 ** 31 }, result: undefined }],
  setTorrentRateLimits: [{ params: { id, downBytesPerSec: 1, upBytesPerSec: 0 }, result: undefined }],
  setTorrentPeerLimits: [{ params: { id, maxPeers: 40, uploadSlots: 0 }, result: undefined }],
  torrentPeerLimits: [{ params: { id }, result: { maxPeers: 0, uploadSlots: 4 } }],
  torrentRateLimits: [{ params: { id }, result: { downBytesPerSec: 1, upBytesPerSec: 0 } }],
  setFilePriorities: [
    { params: { id, priorities: {} }, result: undefined },
    { params: { id, priorities: { 0: 'skip', 12: 'max' } }, result: undefined },
  ],
  setSequential: [{ params: { id, sequential: true }, result: undefined }],
  setSuperSeeding: [{ params: { id, superSeeding: true }, result: undefined }],
  setFirstLastFirst: [{ params: { id, by: parseAccountId(3), firstLastFirst: true }, result: undefined }],
  setForceStart: [{ params: { id, forceStart: false }, result: undefined }],
  setQueuePosition: [{ params: { id, position: -1 }, result: undefined }],
  moveInQueue: [
    { params: { shares: [{ id }, { id, by: parseAccountId(3) }], to: 'up' }, result: undefined },
    { params: { shares: [], to: -1 }, result: undefined },
  ],
  setQueueLimits: [{ params: { maxActiveDownloads: 0, maxActiveSeeds: 3 }, result: undefined }],
  setAccountLimits: [
    { params: { limits: [] }, result: undefined },
    { params: { limits: [{ accountId: parseAccountId(7), downBytesPerSec: 1, upBytesPerSec: 0 }] }, result: undefined },
  ],
  setInsiders: [
    { params: { accountIds: [ADMIN_ACCOUNT_ID, parseAccountId(7)] }, result: undefined },
    { params: { accountIds: [] }, result: undefined },
  ],
  setNetwork: [
    {
      params: {
        bind: 'wg0',
        proxy: {
          kind: 'socks5',
          host: 'proxy.example',
          port: 1080,
          credentials: { username: 'anna', password: 'pässword' },
          peers: true,
          trackers: false,
          isGuarded: false,
        },
      },
      result: {
        binding: { kind: 'bound', device: 'wg0', addresses: ['10.2.0.2', 'fd00::2'] },
        proxyAddress: '192.0.2.7',
        peerPort: null,
      },
    },
    {
      params: { bind: null, proxy: null },
      result: { binding: { kind: 'open' }, proxyAddress: null, peerPort: 51_413 },
    },
  ],
  networkStatus: [
    {
      params: {},
      result: { binding: { kind: 'closed', fault: 'missing' }, proxyAddress: null, peerPort: null },
    },
  ],
  setBlocklist: [
    { params: { lists: [] }, result: undefined },
    { params: { lists: [{ ipv4: new SharedArrayBuffer(8), ipv6: new SharedArrayBuffer(32) }] }, result: undefined },
  ],
  addTracker: [
    {
      params: { id, url: 'https://tracker.example/announce?k=\u{1f4be}', accountId: ADMIN_ACCOUNT_ID },
      result: undefined,
    },
  ],
  removeTracker: [{ params: { id, url: '' }, result: undefined }],
  setTrackers: [
    {
      params: {
        id,
        by: parseAccountId(7),
        tiers: [['http://a/announce', 'udp://b:1'], []],
        accountId: ADMIN_ACCOUNT_ID,
      },
      result: undefined,
    },
  ],
  replaceTrackers: [
    {
      params: {
        shares: [{ id }, { id, by: parseAccountId(7) }],
        find: 'http://a/',
        replace: 'http://b/',
        accountId: ADMIN_ACCOUNT_ID,
        isDryRun: true,
      },
      result: {
        matches: [{ id, addresses: 2 }],
        failures: [{ id, error: { code: 'TRACKER_INVALID', message: 'url: not a URL' } }],
      },
    },
  ],
  announceNow: [{ params: { id }, result: { announced: 1, waiting: 2, nextAnnounce: 1_700_000_000 } }],
  workingTrackers: [
    { params: { ids: [] }, result: [] },
    { params: { ids: [id, id] }, result: [['tracker.example', '::1'], []] },
  ],
  exportTorrent: [{ params: { id, by: parseAccountId(7) }, result: new Uint8Array(POOLED) }],
  mergeTrackers: [{ params: { id, tiers: [[], ['udp://b:1']], accountId: ADMIN_ACCOUNT_ID }, result: undefined }],
  setLibraryRecord: [
    { params: { id, record: LIBRARY }, result: undefined },
    { params: { id, record: NEW_LIBRARY_RECORD, before: LIBRARY }, result: undefined },
  ],
  openFile: [
    {
      params: { id, index: 3, accountId: parseAccountId(2) },
      result: { reader: 2 ** 48 - 1, path: 'Größe/файл', sizeBytes: 2 ** 44, isWhole: false },
    },
    {
      params: { id, by: parseAccountId(3), index: 0, accountId: parseAccountId(2) },
      result: { reader: 0, path: '\u{1f4be}', sizeBytes: 0, isWhole: true },
    },
  ],
  readFile: [
    { params: { reader: 7, from: 2 ** 44 - 3, count: 3, until: 2 ** 44 }, result: new Uint8Array(POOLED) },
    { params: { reader: 7, from: 0, count: 3, until: 3 }, result: new Uint8Array(0) },
  ],
  closeFile: [{ params: { reader: 7 }, result: undefined }],
  createTorrent: [
    {
      params: {
        accountId: parseAccountId(2),
        path: '/srv/Größe/файл',
        pieceLength: null,
        isPrivate: true,
        padFiles: false,
        source: '\u{1f4be}',
        trackers: [['http://a/announce', 'udp://b:1'], []],
        webSeeds: ['http://a/'],
        comment: '',
        createdBy: 'Swarmd/0.1.0',
        isToSeed: true,
      },
      result: { creation: 2 ** 48 - 1 },
    },
  ],
  creationStatus: [
    {
      params: { creation: 7, wait: true },
      result: { state: 'done', bytesDone: 3, bytesTotal: 2 ** 44, files: 2, pieceLength: 2 ** 24, id, error: null },
    },
    {
      params: { creation: 7 },
      result: {
        state: 'failed',
        bytesDone: 0,
        bytesTotal: 0,
        files: 0,
        pieceLength: 0,
        id: null,
        error: { code: 'FILES_CHANGED', message: 'path: a has changed' },
      },
    },
  ],
  createdTorrent: [{ params: { creation: 7 }, result: new Uint8Array(POOLED) }],
  endCreation: [{ params: { creation: 7 }, result: undefined }],
  inspectTorrents: [
    {
      params: { shares: [{ id }, { id, by: parseAccountId(3) }], parts: ['trackers'] },
      result: [null, { trackers: [] }],
    },
  ],
  inspectTorrent: [
    { params: { id, parts: [] }, result: {} },
    {
      params: { id, parts: ['files', 'peers', 'trackers', 'pieces'] },
      result: {
        files: [
          { index: 0, path: 'Größe/файл', sizeBytes: 2 ** 44, bytesDone: 1, priority: 'max' },
          { index: 2, path: 'Größe/\u{1f4be}', sizeBytes: 0, bytesDone: 0, priority: 'skip' },
        ],
        peers: [
          {
            host: '2001:db8::1',
            port: 51_413,
            client: 'µTorrent 3.5',
            flags: 'DUE',
            facts: {
              weAreInterested: true,
              chokesUs: false,
              interested: true,
              choked: false,
              optimisticUnchoke: false,
              snubbed: false,
              incoming: false,
              encryption: 'rc4',
              sources: ['dht', 'pex'],
            },
            progress: 0.25,
            relevance: 0.5,
            downloadRate: 1,
            uploadRate: 0,
            bytesDown: 2 ** 40,
            bytesUp: 0,
          },
        ],
        trackers: [
          {
            url: 'udp://tracker.example:80',
            tier: 1,
            status: 'error: timed out',
            seeds: 1,
            peers: 2,
            downloaded: 3,
            lastAnnounce: 1_700_000_000,
            nextAnnounce: 0,
            hasTold: true,
            answered: false,
            fails: 3,
            message: 'timed out',
            peersGiven: 50,
            interval: 1_800,
            minInterval: 0,
          },
        ],
        pieces: {
          pieceCount: 9,
          pieceLength: 2 ** 24,
          have: Uint8Array.of(0xff, 0x80),
          availability: new Uint8Array(9),
        },
      },
    },
    {
      params: { id, parts: ['filePieces', 'pieceHashes', 'metainfo', 'webSeeds'] },
      result: {
        filePieces: { first: Uint32Array.of(0), last: Uint32Array.of(9), availability: Float64Array.of(0.5) },
        pieceHashes: new Uint8Array(20),
        metainfo: {
          comment: 'Größe\nзавтра',
          createdBy: 'Swarmd',
          createdAt: 1_700_000_000,
          source: '',
          infoHashV2: 'ab'.repeat(32),
          isPrivate: true,
          pieceLength: 2 ** 24,
          pieceCount: 10,
        },
        webSeeds: [
          { url: 'http://seed.example/', form: 'files', state: 'waiting', downloadRate: 0, bytesDown: 2 ** 40 },
        ],
      },
    },
    {
      params: { id, parts: ['pieces'] },
      result: { pieces: { pieceCount: 0, pieceLength: 0, have: new Uint8Array(), availability: null } },
    },
  ],
  setAdopters: [{ params: { adopters: [{ accountId: ADMIN_ACCOUNT_ID, home: null }] }, result: undefined }],
  torrentOverlaps: [{ params: {}, result: [{ one: id, other: id, path: '/srv/files/show' }] }],
  setPeerLimits: [{ params: { maxPeersPerTorrent: 0 }, result: undefined }],
  health: [
    {
      params: {},
      result: {
        uptimeMs: 1234.5,
        loopDelayP99Ms: 0.25,
        torrents: 0,
        connections: 12,
        dhtNodes: 0,
        listeningPort: null,
        hasIncoming: false,
        slabUsedBytes: 2 ** 40,
        bans: 3,
        failedPieces: 4,
        wastedBytes: 2 ** 40,
      },
    },
  ],
  grantLease: [{ params: { asked: 7, epoch: 2, ttlMs: 15_000 }, result: undefined }],
  giveTorrents: [
    { params: { ids: [id], engineId: 'a'.repeat(32) }, result: { given: 0, failures: [{ id, message: 'no' }] } },
  ],
  takeTorrents: [
    { params: { from: null, limit: 50 }, result: { taken: 3, left: 0 } },
    { params: { from: { engineId: 'a'.repeat(32), epoch: 3 }, limit: 50 }, result: { taken: 50, left: 9 } },
  ],
  stop: [{ params: { timeoutMs: 5_000 }, result: undefined }],
};

export const FACTS: TorrentFacts = {
  id,
  row: 3,
  rowTag: 99,
  name: 'Ubuntu \u202e\0\u{1f4be}',
  trackers: 'udp://a.example:80\nhttp://b.example/announce',
  savePath: '/srv',
  totalBytes: 2 ** 48 - 1,
  isPrivate: false,
  hasMetadata: true,
  metadataBytes: 1_000,
  addedAt: 1_700_000_000,
  completedAt: null,
  ownerId: ADMIN_ACCOUNT_ID,
  library: LIBRARY,
  error: null,
};

export const EVENT_SAMPLES: EventSamples = {
  'torrents.added': [
    { torrents: [] },
    {
      torrents: [
        FACTS,
        {
          ...FACTS,
          completedAt: 1_700_000_001,
          error: toErrorRecord(new AppError('DISK_FULL', 'no space', { freeBytes: 0 })),
        },
      ],
    },
  ],
  'torrent.changed': [{ facts: FACTS }],
  'torrent.removed': [{ id }, { id, moved: { down: 2 ** 48, up: 0 } }, { id, givenTo: 'a'.repeat(32) }],
  'files.left': [
    {
      ...{ id, ownerId: parseAccountId(2), name: 'film', path: '/srv/film' },
      error: toErrorRecord(new AppError('DISK_FAILED', 'film/a.bin: EROFS: read-only file system')),
    },
  ],
  'lease.wanted': [{ asked: 7 }],
  'stats.table': [{ buffer: new SharedArrayBuffer(128), changes: new SharedArrayBuffer(16) }],
  log: [
    { level: 'debug', message: 'piece verified', fields: { piece: 1, torrentId: id, ok: true, reason: null } },
    { level: 'error', message: '', fields: {} },
  ],
};
