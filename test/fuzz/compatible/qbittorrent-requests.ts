// Requests to qBittorrent's WebAPI made from the table of its routes: fields that tools send, such as nobody should send,
// and forms that are none.
import fc, { type Arbitrary } from 'fast-check';
import { ROUTE_TABLE } from '../../../api/compatible/qbittorrent/routes.js';
import { multipart } from '../../support/api-harness.js';
import { makeTorrent, seededBytes } from '../../support/make-torrent.js';
import { URLS } from '../api/requests.js';
import { NASTY, toJsonText } from '../api/values.js';
import type { SentRequest } from '../sender.js';
import { TORRENT_IDS } from './scene.js';

const TORRENT = makeTorrent({ name: 'up', pieceLength: 16_384, files: seededBytes(1, 100) }).torrentBytes;

/** Never a setting that would move the listener away from the test. */
const PREFERENCES = [
  ...['save_path', 'dl_limit', 'up_limit', 'alt_dl_limit', 'max_ratio', 'max_ratio_enabled', 'max_ratio_act'],
  ...['max_seeding_time', 'max_seeding_time_enabled', 'queueing_enabled', 'max_active_downloads', 'max_connec'],
  ...['start_paused_enabled', 'scheduler_enabled', 'schedule_from_hour', 'autorun_program', 'dht', 'pex', 'lsd'],
  ...['encryption', 'announce_ip', 'temp_path', 'temp_path_enabled', 'proxy_type', 'rss_auto_downloading_enabled'],
];

function fieldsIn(folder: string): Readonly<Record<string, Arbitrary<string>>> {
  const hash = fc.constantFrom(...TORRENT_IDS, 'f'.repeat(40), 'F'.repeat(40), 'nonsense', '');
  const path = fc.constantFrom('', 'sub', folder, `${folder}/a`, `${folder}/../..`, '/nonexistent/x', 'a\\b');
  const name = fc.constantFrom('films', 'FILMS', 'a/b', '/', '', 'x'.repeat(300), 'a,b', ' ');
  const number = fc.constantFrom('0', '-1', '-2', '1', '1024', '1e9', '99999999999999999999', '0.5', 'NaN', '');
  const flag = fc.constantFrom('true', 'false', '1', 'nonsense', '');
  const url = fc.constantFrom(...URLS, `magnet:?xt=urn:btih:${TORRENT_IDS[0]}`, 'magnet:?xt=nonsense');
  const several = (one: Arbitrary<string>, by: string) => fc.array(one, { maxLength: 4 }).map((all) => all.join(by));
  const json = fc.dictionary(fc.constantFrom(...PREFERENCES), fc.oneof(NASTY, fc.integer(), fc.boolean()), {
    maxKeys: 5,
  });
  return {
    hash,
    hashes: fc.oneof(several(hash, '|'), fc.constant('all')),
    ...{ category: name, name, categories: several(name, '\n'), tags: several(name, ','), tag: name, rename: name },
    ...{
      savePath: path,
      savepath: path,
      location: path,
      downloadPath: path,
      oldPath: path,
      newPath: path,
      dirPath: path,
    },
    ...{ url, urls: several(url, '\n'), origUrl: url, newUrl: url, itemPath: name, ruleName: name, destPath: name },
    ...{
      limit: number,
      ratioLimit: number,
      seedingTimeLimit: number,
      inactiveSeedingTimeLimit: number,
      offset: number,
    },
    ...{
      upLimit: number,
      dlLimit: number,
      rid: number,
      id: several(number, '|'),
      priority: number,
      indexes: number,
      mode: number,
    },
    ...{ last_known_id: number, refreshInterval: number, tier: number },
    ...{
      value: flag,
      enable: flag,
      deleteFiles: flag,
      paused: flag,
      stopped: flag,
      autoTMM: flag,
      skip_checking: flag,
    },
    ...{
      sequentialDownload: flag,
      firstLastPiecePrio: flag,
      reverse: flag,
      private: flag,
      includeTrackers: flag,
      normal: flag,
    },
    filter: fc.constantFrom('all', 'completed', 'stopped', 'paused', 'nonsense'),
    sort: fc.constantFrom('name', 'added_on', '__proto__', 'constructor', 'nonsense'),
    peers: fc.constantFrom('127.0.0.1:1', '[::1]:2', 'nonsense', '127.0.0.1:1|10.0.0.1:99999'),
    contentLayout: fc.constantFrom('Original', 'Subfolder', 'NoSubfolder', 'nonsense'),
    shareLimitAction: fc.constantFrom('Default', 'Stop', 'Remove', 'nonsense'),
    stopCondition: fc.constantFrom('None', 'MetadataReceived', 'nonsense'),
    filePriorities: several(number, ','),
    json: json.map(toJsonText),
    ruleDef: json.map(toJsonText),
    username: fc.constant('admin'),
  };
}

const headers: Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 12, arbitrary: fc.constant({}) },
  fc.constantFrom<Record<string, string>>(
    { origin: 'http://evil.example' },
    { referer: 'http://evil.example/' },
    { 'sec-fetch-site': 'cross-site' },
    { cookie: 'SID=' },
    { cookie: 'SID=%' },
    { 'content-type': 'multipart/form-data' },
    { 'content-type': 'multipart/form-data; boundary=' },
    { 'content-type': 'nonsense' },
    { 'content-encoding': 'gzip' },
    { range: 'bytes=0-1' },
    { 'x-http-method-override': 'GET' },
  ),
);

/** `folder`: nothing else of the machine is to be touched. */
export function webApiRequests(folder: string): Arbitrary<SentRequest> {
  const known = fieldsIn(folder);
  const paths = Object.keys(ROUTE_TABLE);
  const form = fc.subarray(Object.keys(known), { minLength: 8 }).chain((names) => formOf(names, known));
  const path = fc.oneof(
    { weight: 30, arbitrary: fc.constantFrom(...paths) },
    fc.constantFrom('', 'app', 'torrents/nonsense', '__proto__', 'torrents/info/', '%00', '..%2f..', 'x'.repeat(3_000)),
  );
  const method = fc.oneof(
    { weight: 14, arbitrary: fc.constant('POST') },
    { weight: 3, arbitrary: fc.constant('GET') },
    fc.constantFrom('HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'),
  );
  const shape = fc.constantFrom('encoded', 'encoded', 'encoded', 'parts', 'cut', 'junk');
  return fc
    .record({ method, path, form, shape, headers, chunked: fc.boolean(), junk: fc.uint8Array({ maxLength: 100 }) })
    .map(({ method, path, form, shape, headers: extra, chunked, junk }): SentRequest => {
      if (method !== 'POST') {
        const query = wellFormed(new URLSearchParams(form).toString());
        return { method, path: `/api/v2/${path}?${query}`, body: undefined, chunked, headers: extra };
      }
      const { body, headers } = bodyOf(shape, form, junk);
      return { method, path: `/api/v2/${path}`, body, chunked, headers: { ...headers, ...extra } };
    });
}

/** Some of the fields, one in ten of them such as nobody should send. */
function formOf(names: readonly string[], known: Readonly<Record<string, Arbitrary<string>>>) {
  const nasty = { weight: 1, arbitrary: NASTY.map(toJsonText) };
  const values = names.map((name) => [name, fc.oneof({ weight: 9, arbitrary: known[name]! }, nasty)] as const);
  return fc.record(Object.fromEntries(values), { noNullPrototype: true });
}

/** A request line has its bounds, which are the server's, not the interface's. */
function wellFormed(query: string): string {
  return query.slice(0, 4_000).replace(/%[0-9A-F]?$/, '');
}

function bodyOf(shape: string, form: Readonly<Record<string, string>>, junk: Uint8Array) {
  const encoded = { headers: { 'content-type': 'application/x-www-form-urlencoded' } };
  if (shape === 'encoded') return { ...encoded, body: new URLSearchParams(form).toString() };
  if (shape === 'junk') return { ...encoded, body: junk };
  const { headers, body } = multipart({ ...form, torrents: TORRENT });
  const bytes = body as Uint8Array;
  return {
    headers: headers as Record<string, string>,
    body: shape === 'cut' ? bytes.subarray(0, bytes.length / 2) : bytes,
  };
}
