// Requests made from the document: most of them nearly right, so that they get past the first check.
import fc, { type Arbitrary } from 'fast-check';
import { ROUTES, type Route } from '../../../api/routes/index.js';
import { bodyOf } from './bodies.js';
import type { Hints } from './values.js';

export const CALLERS = ['admin', 'every flag', 'no flag', 'cookie', 'nobody'] as const;

export interface FuzzRequest {
  /** Null: a path that no route has. */
  readonly route: Route | null;
  readonly caller: (typeof CALLERS)[number];
  readonly method: string;
  readonly path: string;
  readonly body: string | Uint8Array | undefined;
  readonly chunked: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/** What the service has that requests may name. */
export interface Pool {
  readonly torrentIds: readonly string[];
  /** Absolute, below the data directory: nothing else of the machine is to be touched. */
  readonly folder: string;
}

const VERBS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'M-SEARCH'];
/** Nothing that leaves the machine: refused addresses, and names that do not exist anywhere. */
export const URLS = [
  'http://127.0.0.1:9/list',
  'http://[::1]/feed',
  'http://localhost/feed',
  'https://10.0.0.1/a.torrent',
  'http://169.254.169.254/latest',
  'http://0x7f.1/',
  'http://user:secret@192.168.0.1/?passkey=abc',
  'ftp://127.0.0.1/',
  'file:///etc/passwd',
  'udp://127.0.0.1:1/announce',
  'http://127.0.0.1:9/announce',
  'http://',
  'javascript:alert(1)',
];

const inPath = fc.oneof(
  fc.constantFrom(
    '%',
    '%ZZ',
    '%00',
    '%c0%af',
    '..%2f..',
    '%2e%2e',
    '__proto__',
    '0',
    '-1',
    '1e3',
    '%20',
    'x'.repeat(5_000),
  ),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }).map(encodeURIComponent),
);

export function requests(pool: Pool): Arbitrary<FuzzRequest> {
  const torrentId = fc.constantFrom(...pool.torrentIds, 'f'.repeat(40), 'f'.repeat(64));
  const path = fc.constantFrom(
    '',
    'sub',
    '/',
    pool.folder,
    `${pool.folder}/a`,
    `${pool.folder}/../..`,
    '/nonexistent/x',
  );
  const url = fc.constantFrom(...URLS);
  const hints: Hints = {
    infohash: torrentId,
    id: fc.oneof(torrentId, fc.integer({ min: 1, max: 9 })),
    magnet: torrentId.map((id) => `magnet:?xt=urn:btih:${id}&dn=x&tr=http%3A%2F%2F127.0.0.1%3A9%2Fa`),
    url,
    path,
    save_path: path,
    default_save_path: path,
    peers: fc.constantFrom('127.0.0.1:1', '[::1]:2', 'nonsense'),
    priorities: fc.constantFrom('skip', 'high', 'other'),
    ...Object.fromEntries(
      ['category_id', 'tag_id', 'feed_id', 'user_id'].map((name) => [name, fc.integer({ min: 1, max: 9 })]),
    ),
    regex: fc.constantFrom('', 'a+', '(', '(?i)x', '(a+)+$', '\\', '[[:alpha:]]'),
    channel: fc.constantFrom('stable', 'beta', 'nightly'),
  };
  return fc.constantFrom(...ROUTES).chain((route) => requestOf(route, torrentId, hints));
}

function requestOf(route: Route, torrentId: Arbitrary<string>, hints: Hints): Arbitrary<FuzzRequest> {
  const method = fc.oneof({ weight: 12, arbitrary: fc.constant(route.method) }, fc.constantFrom<string>(...VERBS));
  return fc
    .record({
      caller: fc.oneof({ weight: 4, arbitrary: fc.constant('admin' as const) }, fc.constantFrom(...CALLERS)),
      method,
      path: pathOf(route, torrentId),
      query: fc.oneof(
        { weight: 4, arbitrary: fc.constant('') },
        fc.constantFrom('?', '?delete=1', '?delete=1&delete=2', '?delete[a]=1', '?__proto__[x]=1', '?%ZZ=%', '?a=%00'),
        fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => `?${encodeURIComponent(text)}`),
      ),
      body: bodyOf(route, hints),
      chunked: fc.boolean(),
      extra: headers,
    })
    .map(({ path, query, body, extra, ...rest }) => {
      const found = body?.headers ?? {};
      return {
        route: path.isRoute ? route : null,
        path: path.text + query,
        body: body?.body,
        headers: { ...found, ...extra },
        ...rest,
      };
    });
}

function pathOf({ path }: Route, torrentId: Arbitrary<string>): Arbitrary<{ text: string; isRoute: boolean }> {
  const parts = path.split(/(\{\w+\})/).map((part): Arbitrary<string> => {
    if (!part.startsWith('{')) return fc.constant(part);
    const number = fc.integer({ min: 1, max: 12 }).map(String);
    const known = part === '{id}' && path.startsWith('/api/torrents/') ? torrentId : number;
    return fc.oneof({ weight: 4, arbitrary: known }, inPath);
  });
  const filled = fc.tuple(...parts).map((texts) => ({ text: texts.join(''), isRoute: true }));
  const wild = inPath.map((text) => ({ text: `${path.slice(0, 12)}/${text}`, isRoute: false }));
  return fc.oneof({ weight: 30, arbitrary: filled }, wild);
}

const headers: Arbitrary<Record<string, string>> = fc
  .record(
    {
      'content-type': fc.constantFrom(
        'application/json',
        'text/plain',
        'multipart/form-data',
        'multipart/form-data; boundary=',
        'x',
        ';;;',
      ),
      'content-encoding': fc.constantFrom('gzip', 'br', 'identity', 'nonsense'),
      origin: fc.constantFrom('null', 'http://evil.example', 'nonsense', ''),
      referer: fc.constantFrom('http://evil.example/', '::'),
      'sec-fetch-site': fc.constantFrom('same-origin', 'cross-site'),
      accept: fc.constantFrom('text/html', '*/*;q=nonsense'),
      range: fc.constant('bytes=0-1'),
      'if-none-match': fc.constant('*'),
      'x-forwarded-for': fc.constantFrom('1.2.3.4', 'nonsense', '::1, 1'),
      'x-forwarded-host': fc.constantFrom('evil.example', ''),
      'x-http-method-override': fc.constant('DELETE'),
      cookie: fc.constantFrom('service_session=', 'service_session=%', '__proto__=1; service_session="x"', ';;=;'),
    },
    { requiredKeys: [], noNullPrototype: true },
  )
  // Most requests have none of them.
  .chain((all) =>
    fc.integer({ min: -8, max: 2 }).map((keep) => Object.fromEntries(Object.entries(all).slice(0, Math.max(0, keep)))),
  );
