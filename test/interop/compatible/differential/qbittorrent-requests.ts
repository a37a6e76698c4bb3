// Requests to qBittorrent's WebAPI, for the shape of their answers: what is read, what is changed, what is refused.
import type { FormFields, WebApiRequest } from '../../../support/compatible/web-api.js';

export interface Hashes {
  /** Complete. */
  readonly alpha: string;
  /** Stopped; three files of which nothing is there. */
  readonly beta: string;
}

/** Without a credential. */
export type Named = WebApiRequest & { readonly isStranger?: true };

const NONE = 'f'.repeat(40);

function get(path: string): Named {
  return { method: 'GET', path };
}

function post(path: string, form: FormFields = {}): Named {
  return { method: 'POST', path, form };
}

export function readingRequests({ alpha, beta }: Hashes): readonly Named[] {
  const about = ['version', 'webapiVersion', 'buildInfo', 'defaultSavePath', 'preferences'];
  const ofOne = ['properties', 'files', 'trackers', 'webseeds', 'pieceStates', 'pieceHashes', 'export'];
  const transfers = ['info', 'speedLimitsMode', 'downloadLimit', 'uploadLimit'];
  const queries = ['', '?filter=completed', '?filter=nonsense', `?hashes=${alpha}|${beta}`, '?sort=name&reverse=true'];
  return [
    ...about.map((name) => get(`app/${name}`)),
    ...transfers.map((name) => get(`transfer/${name}`)),
    ...queries.map((query) => get(`torrents/info${query}`)),
    ...[alpha, beta, NONE, alpha.toUpperCase()].flatMap((hash) =>
      ofOne.map((name) => get(`torrents/${name}?hash=${hash}`)),
    ),
    ...ofOne.map((name) => get(`torrents/${name}`)),
    ...['categories', 'tags'].map((name) => get(`torrents/${name}`)),
    ...['downloadLimit', 'uploadLimit'].map((name) => post(`torrents/${name}`, { hashes: beta })),
    ...[`sync/torrentPeers?hash=${alpha}`, `sync/torrentPeers?hash=${NONE}`, 'sync/maindata'].map(get),
    ...['log/main', 'log/peers', 'rss/items', 'rss/rules', 'search/plugins'].map(get),
    post('torrents/info'),
    get('torrents/info?sort=nonsense'),
  ];
}

export function refusedRequests({ beta }: Hashes): readonly Named[] {
  const changes = ['torrents/stop', 'torrents/delete', 'torrents/setCategory', 'app/setPreferences'];
  return [
    ...['torrents/pause', 'torrents/delete', 'torrents/addTags'].map(get),
    ...['app/nonsense', 'nonsense/info', 'torrents', 'torrents/'].map(get),
    ...['app/version', 'torrents/info', 'sync/maindata', 'app/nonsense'].map((path) => ({
      ...get(path),
      isStranger: true as const,
    })),
    ...changes.map((path) => ({ ...post(path, { hashes: beta }), isStranger: true as const })),
    { ...post('auth/login', { username: 'admin', password: 'wrong' }), isStranger: true },
    { ...post('auth/login', {}), isStranger: true },
    ...[{}, { hashes: '' }, { hashes: NONE }, { hashes: 'nonsense' }].map((form) =>
      post('torrents/pause', form as FormFields),
    ),
    post('torrents/delete', { hashes: beta }),
    post('torrents/setCategory', { hashes: beta, category: 'nowhere' }),
    post('torrents/createCategory', {}),
    post('torrents/createCategory', { category: 'a//b' }),
    post('torrents/editCategory', { category: 'nowhere', savePath: '' }),
    post('torrents/filePrio', { hash: beta, id: '99', priority: '1' }),
    post('torrents/filePrio', { hash: beta, id: '0', priority: '5' }),
    post('torrents/filePrio', { hash: NONE, id: '0', priority: '1' }),
    post('torrents/filePrio', { hash: beta, id: 'x', priority: '1' }),
    post('torrents/setShareLimits', { hashes: beta }),
    post('torrents/setDownloadLimit', { hashes: beta }),
    post('torrents/setLocation', { hashes: beta, location: '' }),
    post('torrents/setLocation', { hashes: beta }),
    post('torrents/rename', { hash: beta, name: '' }),
    post('torrents/rename', { hash: NONE, name: 'x' }),
    post('torrents/renameFile', { hash: beta, oldPath: 'beta/none', newPath: 'beta/x' }),
    post('torrents/addTrackers', { hash: NONE, urls: 'http://127.0.0.1:9/announce' }),
    post('torrents/editTracker', {
      hash: beta,
      origUrl: 'http://127.0.0.1:9/none',
      newUrl: 'http://127.0.0.1:9/announce',
    }),
    post('torrents/addPeers', { hashes: beta, peers: 'nonsense' }),
    post('torrents/addPeers', { hashes: beta, peers: '127.0.0.1:9' }),
    post('torrents/add', {}),
    { method: 'POST', path: 'torrents/add', parts: { torrents: Buffer.from('no torrent') } },
    { method: 'POST', path: 'torrents/add', parts: { urls: 'magnet:?xt=nonsense' } },
    post('app/setPreferences', { json: 'no json' }),
    post('app/setPreferences', {}),
  ];
}

export function changingRequests({ alpha, beta }: Hashes): readonly Named[] {
  const hashes = beta;
  return [
    post('torrents/createCategory', { category: 'films', savePath: '' }),
    post('torrents/createCategory', { category: 'films' }),
    post('torrents/setCategory', { hashes, category: 'films' }),
    get('torrents/categories'),
    post('torrents/createTags', { tags: 'hd, new' }),
    post('torrents/addTags', { hashes, tags: 'hd' }),
    get('torrents/tags'),
    get('sync/maindata'),
    post('torrents/removeTags', { hashes, tags: 'hd' }),
    post('torrents/deleteTags', { tags: 'hd,new' }),
    post('torrents/setShareLimits', {
      hashes,
      ratioLimit: '1.5',
      seedingTimeLimit: '-2',
      inactiveSeedingTimeLimit: '-2',
    }),
    post('torrents/setDownloadLimit', { hashes, limit: '102400' }),
    post('torrents/setUploadLimit', { hashes, limit: '0' }),
    post('torrents/toggleSequentialDownload', { hashes }),
    post('torrents/toggleFirstLastPiecePrio', { hashes }),
    post('torrents/setForceStart', { hashes, value: 'false' }),
    post('torrents/setSuperSeeding', { hashes, value: 'false' }),
    post('torrents/setAutoManagement', { hashes, enable: 'false' }),
    ...['topPrio', 'bottomPrio', 'increasePrio', 'decreasePrio'].map((name) => post(`torrents/${name}`, { hashes })),
    post('torrents/filePrio', { hash: beta, id: '0|1', priority: '6' }),
    post('torrents/rename', { hash: beta, name: 'renamed' }),
    post('torrents/addTrackers', { hash: beta, urls: 'http://127.0.0.1:9/announce/2' }),
    post('torrents/editTracker', {
      hash: beta,
      origUrl: 'http://127.0.0.1:9/announce/2',
      newUrl: 'http://127.0.0.1:9/announce/3',
    }),
    post('torrents/removeTrackers', { hash: beta, urls: 'http://127.0.0.1:9/announce/3' }),
    post('torrents/reannounce', { hashes: alpha }),
    post('torrents/pause', { hashes: alpha }),
    post('torrents/resume', { hashes: alpha }),
    post('torrents/recheck', { hashes: beta }),
    post('transfer/setDownloadLimit', { limit: '0' }),
    post('transfer/setUploadLimit', { limit: '0' }),
    post('transfer/toggleSpeedLimitsMode'),
    post('transfer/toggleSpeedLimitsMode'),
    post('transfer/banPeers', { peers: '127.0.0.1:9' }),
    post('app/setPreferences', { json: JSON.stringify({ dl_limit: 0, no_such_preference: 1 }) }),
    post('torrents/removeCategories', { categories: 'films' }),
    post('torrents/delete', { hashes, deleteFiles: 'false' }),
    post('auth/logout'),
  ];
}
