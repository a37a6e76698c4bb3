// A call of each route of qBittorrent's interface that changes something; one that is missing does not compile.
import type { changeRoutes } from '../../../../api/compatible/qbittorrent/change/index.js';
import type { FormFields } from '../../../support/compatible-scene.js';

export type ChangePath = keyof typeof changeRoutes;
export interface ChangeSample {
  /** Of torrents of which each is named, or of the one that is; none: the route is for no torrent. */
  readonly of: 'many' | 'one' | 'none';
  readonly fields: (hash: string) => FormFields;
  /** Refused for all of them alike, as there is no such thing here. */
  readonly isRefused?: true;
}

export const TRACKER = 'http://t.example/announce';
const many = (fields: FormFields = {}): ChangeSample => ({ of: 'many', fields: (hashes) => ({ hashes, ...fields }) });
const byId = (fields: FormFields): ChangeSample => ({ of: 'many', fields: (id) => ({ id, ...fields }) });
const one = (fields: FormFields): ChangeSample => ({ of: 'one', fields: (hash) => ({ hash, ...fields }) });
const label = (fields: FormFields): ChangeSample => ({ of: 'none', fields: () => fields });

/** One call of each that is done, where the caller may edit the torrent. */
export const CHANGE_SAMPLES: { readonly [Name in ChangePath]: ChangeSample } = {
  'torrents/add': label({ urls: `magnet:?xt=urn:btih:${'e'.repeat(40)}` }),
  'torrents/stop': many(),
  'torrents/pause': many(),
  'torrents/start': many(),
  'torrents/resume': many(),
  'torrents/setForceStart': many({ value: 'true' }),
  'torrents/topPrio': many(),
  'torrents/bottomPrio': many(),
  'torrents/increasePrio': many(),
  'torrents/decreasePrio': many(),
  'torrents/recheck': many(),
  'torrents/reannounce': many(),
  'torrents/toggleSequentialDownload': many(),
  'torrents/toggleFirstLastPiecePrio': many(),
  'torrents/setSuperSeeding': many({ value: 'true' }),
  'torrents/setAutoManagement': many({ enable: 'false' }),
  'torrents/setCategory': many({ category: '' }),
  'torrents/addTags': many({ tags: 'of-ann' }),
  'torrents/setTags': many({ tags: 'other' }),
  'torrents/removeTags': many({ tags: 'other' }),
  'torrents/setShareLimits': many({ ratioLimit: '1', seedingTimeLimit: '2', inactiveSeedingTimeLimit: '3' }),
  'torrents/setDownloadLimit': many({ limit: '5000' }),
  'torrents/setUploadLimit': many({ limit: '5000' }),
  'torrents/setLocation': many({ location: 'elsewhere' }),
  'torrents/setSavePath': byId({ path: 'elsewhere' }),
  'torrents/setDownloadPath': { ...byId({ path: 'elsewhere' }), isRefused: true },
  'torrents/filePrio': one({ id: '0', priority: '0' }),
  'torrents/rename': one({ name: 'shown' }),
  'torrents/renameFile': one({ oldPath: 'a', newPath: 'b' }),
  'torrents/renameFolder': one({ oldPath: 'c', newPath: 'd' }),
  'torrents/addTrackers': one({ urls: TRACKER }),
  'torrents/editTracker': one({ origUrl: TRACKER, newUrl: `${TRACKER}/2` }),
  'torrents/removeTrackers': one({ urls: TRACKER }),
  'torrents/addWebSeeds': { ...one({ urls: 'http://s.example/' }), isRefused: true },
  'torrents/editWebSeed': { ...one({ origUrl: 'http://s.example/', newUrl: 'http://s.example/2' }), isRefused: true },
  'torrents/removeWebSeeds': { ...one({ urls: 'http://s.example/' }), isRefused: true },
  'torrents/addPeers': many({ peers: '203.0.113.1:6881' }),
  'torrents/createCategory': label({ category: 'new' }),
  'torrents/editCategory': label({ category: 'new', savePath: '' }),
  'torrents/removeCategories': label({ categories: 'new' }),
  'torrents/createTags': label({ tags: 'new' }),
  'torrents/deleteTags': label({ tags: 'new' }),
  'torrents/delete': many({ deleteFiles: 'false' }),
};
export const CHANGES = Object.entries(CHANGE_SAMPLES) as readonly (readonly [ChangePath, ChangeSample])[];
