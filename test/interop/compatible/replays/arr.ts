// Sonarr, Radarr and Prowlarr over qBittorrent's WebAPI: the test of their settings, a download, its import, its removal
// when it has seeded enough.
import {
  BOOLEAN,
  has,
  INTEGER,
  NUMBER,
  only,
  reads,
  TEXT,
  type Exchange,
  type Replay,
} from '../../../support/compatible/replay.js';

const ROOT = '/api/v2/';
const COOKIE = { cookie: '{sid}' };

/** Which version of the WebAPI there is: 403 is a yes, 404 means version 1, 401 is an error. */
const PROBE: Exchange = { name: 'probe', send: 'GET app/webapiVersion', status: 403 };

/** Basic is sent beside the form, and with each request beside the cookie. */
const SIGN_IN: Exchange = {
  name: 'sign in',
  send: 'POST auth/login',
  form: { username: '{username}', password: '{password}' },
  status: 200,
  text: 'Ok\\.',
  keepHeader: ['set-cookie', 'sid'],
};

const VERSION: Exchange = {
  name: 'version',
  send: 'GET app/webapiVersion',
  headers: COOKIE,
  status: 200,
  text: '\\d+\\.\\d+(\\.\\d+)?',
};

const PREFERENCES: Exchange = {
  name: 'preferences: whether torrents are removed at a limit, whether they queue',
  send: 'GET app/preferences',
  headers: COOKIE,
  status: 200,
  schema: reads({
    save_path: TEXT,
    max_ratio_enabled: BOOLEAN,
    max_ratio: NUMBER,
    max_seeding_time_enabled: BOOLEAN,
    max_seeding_time: INTEGER,
    max_ratio_act: only(0),
    queueing_enabled: BOOLEAN,
    dht: BOOLEAN,
  }),
};

function categories(category: string): readonly Exchange[] {
  const read = { send: 'GET torrents/categories', headers: COOKIE, status: 200 } as const;
  return [
    { ...read, name: 'categories', schema: { type: 'object' } },
    { name: 'create it', send: 'POST torrents/createCategory', form: { category }, headers: COOKIE, status: 200 },
    { ...read, name: 'it is there', schema: reads({ [category]: reads({ name: only(category), savePath: TEXT }) }) },
  ];
}

function add(category: string, limits: Readonly<Record<string, string>>): readonly Exchange[] {
  return [
    {
      name: 'add',
      send: 'POST torrents/add',
      parts: { torrents: '{file}', category, paused: 'false', stopped: 'false', contentLayout: 'Original', ...limits },
      headers: COOKIE,
      status: 200,
      text: 'Ok\\.',
    },
    {
      // Ten times in a second, and then it goes on without.
      name: 'is it there',
      send: 'GET torrents/properties?hash={hash}',
      headers: COOKIE,
      status: 200,
      schema: reads({ save_path: TEXT, seeding_time: INTEGER }),
      isRepeated: true,
    },
  ];
}

function watch(category: string, found: Readonly<Record<string, object>>, name: string): Exchange {
  return {
    name,
    send: `GET torrents/info?category=${category}`,
    headers: COOKIE,
    status: 200,
    schema: has(
      reads({
        ...{ hash: only('{hash}'), name: TEXT, size: INTEGER, progress: NUMBER, eta: INTEGER, state: TEXT },
        ...{ category: only(category), save_path: TEXT, content_path: TEXT, ratio: NUMBER },
        ...{ ratio_limit: NUMBER, seeding_time: INTEGER, seeding_time_limit: INTEGER, last_activity: INTEGER },
        ...(found as Readonly<Record<string, Readonly<Record<string, unknown>>>>),
      }),
    ),
    isRepeated: true,
  };
}

const REMOVE: readonly Exchange[] = [
  {
    name: 'remove it and its files',
    send: 'POST torrents/delete',
    form: { hashes: '{hash}', deleteFiles: 'true' },
    headers: COOKIE,
    status: 200,
  },
  {
    name: 'it is gone',
    send: 'GET torrents/info?hashes={hash}',
    headers: COOKIE,
    status: 200,
    schema: { type: 'array', maxItems: 0 },
    isRepeated: true,
  },
];

/** Removal waits for a torrent that has stopped by itself at its limit. */
const HAS_SEEDED = { state: { enum: ['stoppedUP', 'pausedUP'] }, ratio_limit: { maximum: 0.001 } };

/** Without one, which torrent is the first is refused. */
const QUEUE: Exchange = {
  name: 'the queue of its user',
  send: 'POST app/setPreferences',
  form: {
    json: '{"queueing_enabled":true,"max_active_downloads":20,"max_active_uploads":20,"max_active_torrents":-1}',
  },
  headers: COOKIE,
  status: 200,
};

export const SONARR: Replay = {
  tool: 'Sonarr',
  root: ROOT,
  exchanges: [
    PROBE,
    SIGN_IN,
    VERSION,
    PREFERENCES,
    ...categories('tv-sonarr'),
    ...add('tv-sonarr', { ratioLimit: '0', seedingTimeLimit: '-2' }),
    watch('tv-sonarr', { progress: only(1), content_path: only('{savePath}/alpha.bin') }, 'is it complete, and where'),
    {
      name: 'its files',
      send: 'GET torrents/files?hash={hash}',
      headers: COOKIE,
      status: 200,
      schema: has(reads({ name: only('alpha.bin') })),
    },
    {
      name: 'a category for what is imported',
      send: 'POST torrents/createCategory',
      form: { category: 'tv-imported' },
      headers: COOKIE,
      status: 200,
    },
    {
      name: 'imported',
      send: 'POST torrents/setCategory',
      form: { hashes: '{hash}', category: 'tv-imported' },
      headers: COOKIE,
      status: 200,
    },
    watch('tv-imported', HAS_SEEDED, 'has it seeded enough'),
    ...REMOVE,
  ],
};

export const RADARR: Replay = {
  tool: 'Radarr',
  root: ROOT,
  exchanges: [
    PROBE,
    SIGN_IN,
    VERSION,
    PREFERENCES,
    ...categories('radarr'),
    ...add('radarr', {}),
    QUEUE,
    { name: 'first', send: 'POST torrents/topPrio', form: { hashes: '{hash}' }, headers: COOKIE, status: 200 },
    {
      name: 'not forced',
      send: 'POST torrents/setForceStart',
      form: { hashes: '{hash}', value: 'false' },
      headers: COOKIE,
      status: 200,
    },
    {
      name: 'its limits',
      send: 'POST torrents/setShareLimits',
      form: { hashes: '{hash}', ratioLimit: '0', seedingTimeLimit: '-2', inactiveSeedingTimeLimit: '-2' },
      headers: COOKIE,
      status: 200,
    },
    watch('radarr', { progress: only(1), content_path: only('{savePath}/alpha.bin') }, 'is it complete, and where'),
    watch('radarr', HAS_SEEDED, 'has it seeded enough'),
    ...REMOVE,
  ],
};

/** It hands torrents over and looks no further. */
export const PROWLARR: Replay = {
  tool: 'Prowlarr',
  root: ROOT,
  exchanges: [PROBE, SIGN_IN, VERSION, PREFERENCES, ...categories('prowlarr'), ...add('prowlarr', {}), ...REMOVE],
};
