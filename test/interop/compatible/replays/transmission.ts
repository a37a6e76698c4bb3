// Sonarr and autobrr over Transmission's RPC: the session id, a folder of the category that nobody has made, the limits of
// seeding, the fields that are read.
import {
  BOOLEAN,
  has,
  INTEGER,
  listOf,
  NUMBER,
  only,
  reads,
  TEXT,
  type Exchange,
  type Replay,
} from '../../../support/compatible/replay.js';

const ROOT = '/transmission/rpc';
const BASIC = { authorization: '{basic}' };
const HEADERS = { ...BASIC, 'x-transmission-session-id': '{session}' };
const SUCCESS = { result: only('success') };

/** Sonarr asks by GET, as any answer has the id. */
const SESSION_ID: Exchange = {
  name: 'session id',
  send: 'GET ',
  headers: BASIC,
  status: 409,
  keepHeader: ['x-transmission-session-id', 'session'],
};

function call(name: string, method: string, fields: object, schema: Readonly<Record<string, object>> = {}): Exchange {
  const told = reads({ ...SUCCESS, ...(schema as Readonly<Record<string, Readonly<Record<string, unknown>>>>) });
  return { name, send: 'POST ', json: { method, arguments: fields }, headers: HEADERS, status: 200, schema: told };
}

const STRANGER: Exchange = { name: 'without a password', send: 'GET ', status: 401 };

const SESSION = call(
  'settings',
  'session-get',
  {},
  {
    arguments: reads({
      ...{ version: { type: 'string', pattern: '^[2-9]\\.\\d+' }, 'rpc-version': INTEGER, 'download-dir': TEXT },
      ...{
        seedRatioLimited: BOOLEAN,
        seedRatioLimit: NUMBER,
        'idle-seeding-limit-enabled': BOOLEAN,
        'idle-seeding-limit': NUMBER,
      },
    }),
  },
);

/** The 21 that Sonarr asks for. */
const FIELDS = [
  ...['id', 'hashString', 'name', 'downloadDir', 'totalSize', 'leftUntilDone', 'isFinished', 'eta', 'status'],
  ...['secondsDownloading', 'secondsSeeding', 'errorString', 'uploadedEver', 'downloadedEver', 'seedRatioLimit'],
  ...['seedRatioMode', 'seedIdleLimit', 'seedIdleMode', 'fileCount', 'file-count', 'labels'],
];

const FIELD_TYPES = {
  ...{ id: INTEGER, hashString: only('{hash}'), name: only('alpha.bin'), totalSize: INTEGER, leftUntilDone: only(0) },
  ...{ isFinished: BOOLEAN, eta: INTEGER, secondsDownloading: INTEGER, secondsSeeding: INTEGER, errorString: only('') },
  ...{ uploadedEver: INTEGER, downloadedEver: INTEGER, labels: listOf(TEXT) },
};

function added(name: string): Readonly<Record<string, object>> {
  return { arguments: reads({ [name]: reads({ id: INTEGER, name: only('alpha.bin'), hashString: only('{hash}') }) }) };
}

function watch(name: string, found: Readonly<Record<string, Readonly<Record<string, unknown>>>>): Exchange {
  const torrent = reads({ ...FIELD_TYPES, ...found });
  const asked = call(
    name,
    'torrent-get',
    { fields: FIELDS, ids: ['{hash}'] },
    { arguments: reads({ torrents: has(torrent) }) },
  );
  return { ...asked, isRepeated: true };
}

export const SONARR_OVER_TRANSMISSION: Replay = {
  tool: 'Sonarr, over Transmission',
  root: ROOT,
  exchanges: [
    STRANGER,
    SESSION_ID,
    SESSION,
    call(
      'add into a folder of its own',
      'torrent-add',
      { metainfo: '{metainfo}', 'download-dir': '{savePath}/tv', paused: false },
      added('torrent-added'),
    ),
    call(
      'add it again',
      'torrent-add',
      { metainfo: '{metainfo}', 'download-dir': '{savePath}/tv', paused: false },
      added('torrent-duplicate'),
    ),
    call('its limits', 'torrent-set', {
      ids: ['{hash}'],
      seedRatioLimit: 1.5,
      seedRatioMode: 1,
      seedIdleLimit: 90,
      seedIdleMode: 1,
    }),
    call('first', 'queue-move-top', { ids: ['{hash}'] }),
    call('its label', 'torrent-set', { ids: ['{hash}'], labels: ['tv-sonarr'] }),
    watch('is it complete, and where', { downloadDir: only('{savePath}/tv'), labels: listOf(only('tv-sonarr'), 1) }),
    watch('its limits are kept', {
      seedRatioMode: only(1),
      seedRatioLimit: only(1.5),
      seedIdleMode: only(1),
      seedIdleLimit: only(90),
    }),
    call('imported', 'torrent-set', { ids: ['{hash}'], labels: ['tv-imported'] }),
    call('a limit that it has reached', 'torrent-set', { ids: ['{hash}'], seedRatioLimit: 0, seedRatioMode: 1 }),
    watch('has it seeded enough', { status: only(0), isFinished: only(true), labels: listOf(only('tv-imported'), 1) }),
    call('remove it and its files', 'torrent-remove', { ids: ['{hash}'], 'delete-local-data': true }),
    call(
      'it is gone',
      'torrent-get',
      { fields: ['id'], ids: ['{hash}'] },
      { arguments: reads({ torrents: listOf({}, 0) }) },
    ),
  ],
};

export const AUTOBRR_OVER_TRANSMISSION: Replay = {
  tool: 'autobrr, over Transmission',
  root: ROOT,
  exchanges: [
    SESSION_ID,
    SESSION,
    call(
      'add',
      'torrent-add',
      { metainfo: '{metainfo}', 'download-dir': '{savePath}/tv', paused: false },
      added('torrent-added'),
    ),
    call('its limits', 'torrent-set', {
      ids: ['{hash}'],
      uploadLimit: 100,
      uploadLimited: true,
      seedIdleLimit: 60,
      seedIdleMode: 1,
    }),
    call('announce', 'torrent-reannounce', { ids: ['{hash}'] }),
    {
      ...call(
        'until a tracker works',
        'torrent-get',
        { fields: ['trackerStats', 'trackers'], ids: ['{hash}'] },
        {
          arguments: reads({
            torrents: has(
              reads({
                trackerStats: has(
                  reads({
                    announce: only('{announceUrl}'),
                    hasAnnounced: only(true),
                    lastAnnounceSucceeded: only(true),
                    lastAnnounceResult: TEXT,
                    seederCount: INTEGER,
                  }),
                ),
              }),
            ),
          }),
        },
      ),
      isRepeated: true,
    },
    call('remove', 'torrent-remove', { ids: ['{hash}'], 'delete-local-data': true }),
  ],
};
