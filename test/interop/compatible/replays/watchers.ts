// Tools that watch over torrents by qBittorrent's WebAPI: autobrr announces until a tracker knows of the torrent, qui and
// Home Assistant follow all of them.
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

const ROOT = '/api/v2/';
const COOKIE = { cookie: '{sid}' };

const SIGN_IN: Exchange = {
  name: 'sign in',
  send: 'POST auth/login',
  form: { username: '{username}', password: '{password}' },
  status: 200,
  text: 'Ok\\.',
  keepHeader: ['set-cookie', 'sid'],
};

function get(name: string, path: string, schema?: Readonly<Record<string, unknown>>): Exchange {
  return { name, send: `GET ${path}`, headers: COOKIE, status: 200, ...(schema ? { schema } : {}) };
}

function post(name: string, path: string, form: Readonly<Record<string, string>>): Exchange {
  return { name, send: `POST ${path}`, form, headers: COOKIE, status: 200 };
}

function add(parts: Readonly<Record<string, string>>): Exchange {
  return {
    name: 'add',
    send: 'POST torrents/add',
    parts: { torrents: '{file}', ...parts },
    headers: COOKIE,
    status: 200,
    text: 'Ok\\.',
  };
}

/** 2 works; a message with it says that the tracker does not know the torrent. */
const TRACKER = reads({ url: TEXT, status: INTEGER, msg: TEXT, num_peers: INTEGER, num_seeds: INTEGER });

export const AUTOBRR: Replay = {
  tool: 'autobrr',
  root: ROOT,
  exchanges: [
    SIGN_IN,
    { ...get('version', 'app/webapiVersion'), text: '\\d+\\.\\d+(\\.\\d+)?' },
    get('how many are downloading', 'torrents/info?filter=downloading', listOf(reads({ state: TEXT }))),
    get('speeds', 'transfer/info', reads({ dl_info_speed: INTEGER, up_info_speed: INTEGER, dht_nodes: INTEGER })),
    add({
      category: 'race',
      tags: 'autobrr,fast',
      paused: 'false',
      stopped: 'false',
      upLimit: '1048576',
      skip_checking: 'false',
    }),
    { ...get('its trackers', 'torrents/trackers?hash={hash}', has(TRACKER)), isRepeated: true },
    post('announce', 'torrents/reannounce', { hashes: '{hash}' }),
    {
      ...get(
        'until one works',
        'torrents/trackers?hash={hash}',
        has(reads({ url: only('{announceUrl}'), status: only(2), num_seeds: only(3) })),
      ),
      isRepeated: true,
    },
    {
      ...get(
        'its labels',
        'torrents/info?hashes={hash}',
        has(
          reads({
            category: only('race'),
            tags: { enum: ['autobrr, fast', 'fast, autobrr'] },
          }),
        ),
      ),
      isRepeated: true,
    },
    {
      ...post('its limit', 'torrents/uploadLimit', { hashes: '{hash}' }),
      schema: reads({ '{hash}': only(1_048_576) }),
    },

    post('remove', 'torrents/delete', { hashes: '{hash}', deleteFiles: 'true' }),
  ],
};

const SERVER_STATE = reads({
  ...{ connection_status: TEXT, dht_nodes: INTEGER, dl_info_speed: INTEGER, up_info_speed: INTEGER },
  ...{ dl_info_data: INTEGER, up_info_data: INTEGER, alltime_dl: INTEGER, alltime_ul: INTEGER, global_ratio: TEXT },
  ...{ free_space_on_disk: INTEGER, queueing: BOOLEAN, use_alt_speed_limits: BOOLEAN, refresh_interval: INTEGER },
  ...{ dl_rate_limit: INTEGER, up_rate_limit: INTEGER, total_peer_connections: INTEGER },
});

const TORRENT = reads({
  ...{ name: TEXT, state: TEXT, progress: NUMBER, eta: INTEGER, size: INTEGER, added_on: INTEGER, ratio: NUMBER },
  ...{ dlspeed: INTEGER, upspeed: INTEGER, num_seeds: INTEGER, num_leechs: INTEGER, category: TEXT, tags: TEXT },
  ...{ tracker: TEXT, save_path: TEXT, seq_dl: BOOLEAN, force_start: BOOLEAN, auto_tmm: BOOLEAN },
});

export const QUI: Replay = {
  tool: 'qui',
  root: ROOT,
  exchanges: [
    SIGN_IN,
    { ...get('version', 'app/webapiVersion'), text: '\\d+\\.\\d+(\\.\\d+)?' },
    get('build', 'app/buildInfo', reads({ libtorrent: TEXT, qt: TEXT, boost: TEXT, openssl: TEXT, bitness: INTEGER })),
    add({ savepath: '{savePath}', tags: 'qui', autoTMM: 'false' }),
    {
      ...get(
        'everything',
        'sync/maindata?rid=0',
        reads({
          ...{ rid: INTEGER, full_update: only(true), categories: { type: 'object' }, tags: has(only('qui')) },
          ...{ torrents: reads({ '{hash}': TORRENT }), server_state: SERVER_STATE },
        }),
      ),
      isRepeated: true,
    },
    get('peers', 'sync/torrentPeers?hash={hash}&rid=0', reads({ full_update: only(true), rid: INTEGER, peers: {} })),
    get(
      'properties',
      'torrents/properties?hash={hash}',
      reads({ piece_size: INTEGER, pieces_num: INTEGER, eta: INTEGER }),
    ),
    get(
      'files',
      'torrents/files?hash={hash}',
      has(reads({ name: TEXT, size: INTEGER, progress: NUMBER, priority: INTEGER })),
    ),
    get('web seeds', 'torrents/webseeds?hash={hash}', { type: 'array' }),
    get('pieces', 'torrents/pieceStates?hash={hash}', listOf({ enum: [0, 1, 2] })),
    { ...post('stop', 'torrents/stop', { hashes: '{hash}' }), isNewer: true },
    { ...post('tags in place of others', 'torrents/setTags', { hashes: '{hash}', tags: 'late' }), isNewer: true },
    {
      ...get('it has them', 'torrents/info?hashes={hash}', has(reads({ tags: only('late') }))),
      isRepeated: true,
      isNewer: true,
    },
    { ...post('start', 'torrents/start', { hashes: '{hash}' }), isNewer: true },
    {
      ...get('with its trackers', 'torrents/info?includeTrackers=true', has(reads({ trackers: { type: 'array' } }))),
      isNewer: true,
    },
    { ...get('its file', 'torrents/export?hash={hash}'), text: 'd.*e' },
    post('remove', 'torrents/delete', { hashes: '{hash}', deleteFiles: 'false' }),
  ],
};

/** Signs in anew each time, and wants everything each time. */
export const HOME_ASSISTANT: Replay = {
  tool: 'Home Assistant',
  root: ROOT,
  exchanges: [
    SIGN_IN,
    { ...get('version', 'app/version'), text: 'v\\d+\\.\\d+\\.\\d+' },
    add({}),
    {
      ...get(
        'everything',
        'sync/maindata',
        reads({ torrents: reads({ '{hash}': TORRENT }), server_state: SERVER_STATE }),
      ),
      isRepeated: true,
    },
    get(
      'everything again',
      'sync/maindata',
      reads({ full_update: only(true), torrents: reads({ '{hash}': TORRENT }) }),
    ),
    { ...get('slow', 'transfer/speedLimitsMode'), text: '0' },
    post('slow or not', 'transfer/toggleSpeedLimitsMode', {}),
    { ...get('slow now', 'transfer/speedLimitsMode'), text: '1', isRepeated: true },
    post('no more', 'transfer/toggleSpeedLimitsMode', {}),
    post('remove', 'torrents/delete', { hashes: '{hash}', deleteFiles: 'false' }),
    { ...post('sign out', 'auth/logout', {}) },
    { name: 'it is out', send: 'GET sync/maindata', headers: COOKIE, status: 403 },
  ],
};
