// What an operation may answer: the 200 of its row, and the errors that its gate, its input, its path and the row itself
// imply. The statuses are those of docs/semantics.md section 1.
import type { z } from 'zod';
import { errorSchema } from '../../shared-protocol/dto/fields.js';
import type { KnownRoute, Route } from '../routes/index.js';
import type { Components, JsonSchema } from './components.js';

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: JsonSchema }>>;
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>;
}
export type Responses = Readonly<Record<string, Response>>;

const TEXT = { type: 'string' };
const ANY_TYPE = { '*/*': { schema: {} } };
const FILE_HEADERS = {
  'Content-Disposition': {
    description: 'inline for video, sound, pictures and plain text; else attachment',
    schema: TEXT,
  },
  ETag: { description: 'strong: of the same tag are the same bytes', schema: TEXT },
};

const FILE: Responses = {
  200: { description: 'the file', headers: FILE_HEADERS, content: ANY_TYPE },
  206: {
    description: 'the range that was asked for',
    headers: { ...FILE_HEADERS, 'Content-Range': { description: 'bytes <first>-<last>/<size>', schema: TEXT } },
    content: ANY_TYPE,
  },
  304: { description: 'the client has the file' },
};

const TORRENT_FILE: Responses = {
  200: { description: 'the torrent file', content: { 'application/x-bittorrent': { schema: {} } } },
};

/** Answers that are no JSON of a schema. */
const UNUSUAL: { readonly [Name in KnownRoute]?: Responses } = {
  'GET /api/ws': { 101: { description: 'the socket is open' } },
  'GET /api/torrents/{id}/files/{index}': FILE,
  'GET /api/links/{key}/files/{index}/{file}': FILE,
  'GET /api/torrents/{id}/zip': FILE,
  'GET /api/links/{key}/zip': FILE,
  'GET /api/backups/{name}': { 200: { description: 'the archive', content: { 'application/gzip': { schema: {} } } } },
  'GET /api/export': { 200: { description: 'the archive', content: { 'application/zip': { schema: {} } } } },
  'GET /api/log/file': { 200: { description: 'the lines', content: { 'text/plain': { schema: TEXT } } } },
  'GET /metrics': { 200: { description: 'the metrics', content: { 'text/plain': { schema: TEXT } } } },
  'GET /api/torrents/{id}/file': TORRENT_FILE,
  'GET /api/create/{id}/file': TORRENT_FILE,
  'GET /api/docs': { 200: { description: 'the page', content: { 'text/html': { schema: TEXT } } } },
  'GET /api/docs/{file}': {
    200: {
      description: 'the file',
      content: { 'text/css': { schema: TEXT }, 'text/javascript': { schema: TEXT }, 'image/png': { schema: {} } },
    },
  },
};

/** On errors that carry more than their body. */
const ERROR_HEADERS: Readonly<Record<number, Response['headers']>> = {
  416: { 'Content-Range': { description: 'bytes */<size>', schema: TEXT } },
  401: { 'WWW-Authenticate': { description: 'Bearer', schema: TEXT } },
  426: { Upgrade: { description: 'websocket', schema: TEXT } },
  429: { 'Retry-After': { description: 'seconds; always 12', schema: TEXT } },
};

export function responsesOf(route: Route, components: Components): Responses {
  const success = UNUSUAL[route.name] ?? { 200: { description: 'OK', ...json(route.output, components) } };
  const error = json(errorSchema, components);
  const refusals = [...reasonsByStatus(route)].map(([status, reasons]): [string, Response] => {
    // A wrong password is not asked for another kind of credential.
    const headers = status === 401 && !needsAccount(route) ? undefined : ERROR_HEADERS[status];
    return [String(status), { description: [...reasons].join('; '), ...(headers ? { headers } : {}), ...error }];
  });
  return { ...success, ...Object.fromEntries(refusals) };
}

/** Errors only; why each comes. */
function reasonsByStatus(route: Route): Map<number, Set<string>> {
  const { gate, method, input } = route;
  const reasons = new Map<number, Set<string>>();
  const add = (status: number, reason: string) => reasons.set(status, (reasons.get(status) ?? new Set()).add(reason));
  if (input.kind !== 'none') add(400, 'the input is malformed or refused');
  if (hasTypedParameter(route)) add(400, 'what the path names is malformed');
  if (needsAccount(route)) add(401, 'no valid credential');
  if (needsAccount(route)) add(429, 'too many requests of the account wait to be answered');
  if (method !== 'GET') add(403, needsAccount(route) ? 'origin mismatch or missing origin' : 'origin mismatch');
  if (gate.kind === 'torrent' || (gate.kind === 'account' && gate.needs !== 'account')) add(403, 'forbidden');
  if (gate.kind === 'torrent') add(404, 'no such torrent');
  if (input.kind === 'json') add(413, 'the body is over 1 MiB');
  if (input.kind === 'json' || input.kind === 'upload' || input.kind === 'archive') {
    add(408, 'nothing came of the body for 30 s');
    add(429, 'too many bodies of this account or address are on their way');
  }
  if (gate.kind === 'login') add(429, 'too many attempts from this address');
  for (const [status, reason] of Object.entries(route.errors)) add(Number(status), reason);
  return new Map([...reasons].sort(([a], [b]) => a - b));
}

function needsAccount({ gate }: Route): boolean {
  return gate.kind === 'account' || gate.kind === 'torrent';
}

/** A file of the documentation may be called anything. */
function hasTypedParameter({ path }: Route): boolean {
  return /\{(?!file\})/.test(path);
}

function json(schema: z.ZodType, components: Components): Pick<Response, 'content'> {
  return { content: { 'application/json': { schema: components.refer(schema, 'response') } } };
}
