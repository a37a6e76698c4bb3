// Requests to Transmission's RPC made from the table of its methods, in both of its dialects: arguments that tools send,
// such as nobody should send, and what is no JSON.
import fc, { type Arbitrary } from 'fast-check';
import { METHOD_TABLE } from '../../../api/compatible/transmission/methods.js';
import { makeTorrent, seededBytes } from '../../support/make-torrent.js';
import { URLS } from '../api/requests.js';
import { NASTY, toJsonText } from '../api/values.js';
import type { SentRequest } from '../sender.js';
import { TORRENT_IDS } from './scene.js';

const PATH = '/transmission/rpc';
const TORRENT = makeTorrent({ name: 'up', pieceLength: 16_384, files: seededBytes(1, 100) }).torrentBytes;
const FIELDS = [
  'id',
  'name',
  'files',
  'fileStats',
  'peers',
  'trackers',
  'trackerStats',
  'pieces',
  'labels',
  'nonsense',
];
const LISTS = ['files-wanted', 'files-unwanted', 'priority-high', 'priority-normal', 'priority-low', 'trackerRemove'];
const NUMBERS = [
  ...['downloadLimit', 'uploadLimit', 'seedRatioLimit', 'seedRatioMode', 'seedIdleLimit', 'seedIdleMode', 'peer-limit'],
  ...[
    'bandwidthPriority',
    'queuePosition',
    'speed-limit-down',
    'speed-limit-up',
    'alt-speed-down',
    'alt-speed-time-begin',
  ],
  ...['download-queue-size', 'peer-limit-global', 'cache-size-mb', 'idle-seeding-limit'],
];
const FLAGS = [
  ...['downloadLimited', 'uploadLimited', 'honorsSessionLimits', 'paused', 'move', 'delete-local-data', 'dht-enabled'],
  ...['speed-limit-down-enabled', 'alt-speed-enabled', 'download-queue-enabled', 'start-added-torrents', 'pex-enabled'],
  ...['script-torrent-done-enabled', 'sequential_download'],
];

function argumentsIn(folder: string): Readonly<Record<string, Arbitrary<unknown>>> {
  const id = fc.oneof(
    fc.constantFrom<unknown>(...TORRENT_IDS, 'f'.repeat(40), 'nonsense'),
    fc.integer({ min: -2, max: 9 }),
  );
  const path = fc.constantFrom('', 'sub', folder, `${folder}/a`, `${folder}/../..`, '/nonexistent/x', '/');
  const name = fc.constantFrom('films', 'a/b', '..', '', 'x'.repeat(300), '\0');
  const url = fc.constantFrom(...URLS, `magnet:?xt=urn:btih:${TORRENT_IDS[0]}`, 'magnet:?xt=nonsense');
  const number = fc.oneof(fc.integer({ min: -2, max: 5_000 }), fc.double());
  const each = <Value>(names: readonly string[], value: Arbitrary<Value>) =>
    Object.fromEntries(names.map((name) => [name, value]));
  return {
    ids: fc.oneof(id, fc.array(id, { maxLength: 4 }), fc.constant('recently-active')),
    fields: fc.array(fc.constantFrom(...FIELDS), { maxLength: 5 }),
    format: fc.constantFrom('table', 'objects', 'nonsense'),
    filename: url,
    metainfo: fc.constantFrom(Buffer.from(TORRENT).toString('base64'), '', 'nonsense', '='),
    labels: fc.array(name, { maxLength: 3 }),
    trackerAdd: fc.array(url, { maxLength: 3 }),
    trackerReplace: fc.tuple(fc.nat(3), url),
    trackerList: fc.array(url, { maxLength: 3 }).map((urls) => urls.join('\n\n')),
    ...{ 'download-dir': path, location: path, path, 'incomplete-dir': path, name, group: name },
    'script-torrent-done-filename': fc.constant('/bin/true'),
    encryption: fc.constantFrom('required', 'preferred', 'tolerated', 'nonsense'),
    ...each(LISTS, fc.array(fc.integer({ min: -1, max: 5 }), { maxLength: 3 })),
    ...each(NUMBERS, number),
    ...each(FLAGS, fc.boolean()),
  };
}

const HEADERS: readonly Readonly<Record<string, string>>[] = [
  { 'content-type': 'application/json' },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'content-type': 'multipart/form-data' },
  { origin: 'http://evil.example' },
  { 'sec-fetch-site': 'cross-site' },
  { 'content-encoding': 'gzip' },
  { cookie: 'SID=%' },
];

/** `sessionId`: without it every request is answered 409. */
export function rpcRequests(folder: string, sessionId: string): Arbitrary<SentRequest> {
  const known = argumentsIn(folder);
  const named = fc.subarray(Object.keys(known)).chain((names) => argumentsOf(names, known));
  const method = fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(...Object.keys(METHOD_TABLE)) },
    fc.constantFrom('nonsense', '__proto__', 'constructor', ''),
  );
  const legacy = fc.record(
    { method, arguments: named, tag: fc.oneof(fc.integer(), NASTY) },
    { requiredKeys: ['method'] },
  );
  const params = fc.record({ id: fc.oneof(fc.integer(), NASTY), params: named, method }, { requiredKeys: ['method'] });
  const jsonRpc = params.map((call) => ({ ...call, jsonrpc: '2.0', method: call.method.replaceAll('-', '_') }));
  const body = fc.oneof(
    { weight: 8, arbitrary: legacy.map(toJsonText) },
    { weight: 4, arbitrary: jsonRpc.map(toJsonText) },
    { weight: 1, arbitrary: fc.array(jsonRpc, { maxLength: 4 }).map(toJsonText) },
    { weight: 1, arbitrary: fc.tuple(legacy.map(toJsonText), fc.nat(200)).map(([text, cut]) => text.slice(0, cut)) },
    { weight: 1, arbitrary: NASTY.map(toJsonText) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 100 }) },
  );
  const verb = fc.oneof(
    { weight: 15, arbitrary: fc.constant('POST') },
    fc.constantFrom('GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'),
  );
  const extra = fc.oneof({ weight: 12, arbitrary: fc.constant({}) }, fc.constantFrom(...HEADERS));
  const session = fc.nat(30).map((chance) => (chance === 0 ? 'nonsense' : sessionId));
  return fc
    .record({ verb, body, extra, session, chunked: fc.boolean(), slash: fc.boolean() })
    .map(({ verb, body, extra, session, chunked, slash }): SentRequest => ({
      method: verb,
      path: slash ? `${PATH}/` : PATH,
      body: verb === 'POST' ? body : undefined,
      chunked,
      headers: { 'x-transmission-session-id': session, ...extra },
    }));
}

/** Some of the arguments, one in ten of them such as nobody should send. */
function argumentsOf(names: readonly string[], known: Readonly<Record<string, Arbitrary<unknown>>>) {
  const nasty = { weight: 1, arbitrary: NASTY };
  const values = names.map((name) => [name, fc.oneof({ weight: 9, arbitrary: known[name]! }, nasty)] as const);
  return fc.record(Object.fromEntries(values), { noNullPrototype: true });
}
