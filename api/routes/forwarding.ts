// What `?server_id=` does: a route of a fixed list is asked of the remote in place of this service, by the same method and
// path, with input that was checked as if it were for here. What the key of the remote may there is the limit.
import { z } from 'zod';
import { RequestError } from '../errors.js';
import { UploadBody } from '../services/remotes/ask-remote.js';
import { parseTorrentId } from '../services/library/torrent-id.js';
import type { Admitted, Upload } from './admitted.js';
import { placed } from './placing.js';
import { replyOf, type Reply } from './reply.js';
import type { RouteName, Row } from './route.js';

/** Routes whose answers are JSON and whose names of things are those of the remote. */
export const FORWARDED: ReadonlySet<RouteName> = new Set<RouteName>([
  'POST /api/torrents/{id}/pause',
  'POST /api/torrents/{id}/resume',
  'POST /api/torrents/{id}/recheck',
  'DELETE /api/torrents/{id}',
  'POST /api/torrents/{id}/announce',
  'POST /api/torrents/{id}/peers',
  'GET /api/torrents/{id}/trackers',
  'POST /api/torrents/{id}/trackers',
  'PUT /api/torrents/{id}/trackers',
  'DELETE /api/torrents/{id}/trackers',
  'GET /api/torrents/{id}/diagnosis',
  'GET /api/torrents/{id}/rates',
  'GET /api/torrents/{id}/details',
  'GET /api/torrents/{id}/pieces',
  'GET /api/torrents/{id}/rate_limits',
  'PUT /api/torrents/{id}/rate_limits',
  'GET /api/torrents/{id}/peer_limits',
  'PUT /api/torrents/{id}/peer_limits',
  'GET /api/torrents/{id}/seed_policy',
  'PUT /api/torrents/{id}/seed_policy',
  'GET /api/torrents/{id}/seeding_rule',
  'PUT /api/torrents/{id}/seeding_rule',
  'GET /api/torrents/{id}/super_seeding',
  'PUT /api/torrents/{id}/super_seeding',
  'PUT /api/torrents/{id}/name',
  'POST /api/torrents/{id}/rename',
  'GET /api/torrents/{id}/move',
  'POST /api/torrents/{id}/move',
  'DELETE /api/torrents/{id}/move',
  'POST /api/torrents/category',
  'POST /api/torrents/file_priorities',
  'POST /api/torrents/queue_position',
  'POST /api/torrents/force_start',
  'POST /api/torrents/sequential',
  'POST /api/torrents/first_last_first',
  'POST /api/tags/assign',
  'POST /api/tags/unassign',
  'POST /api/torrents/batch',
  'GET /api/removals',
  'POST /api/removals',
  'DELETE /api/removals/{id}',
  'POST /api/torrents/magnet',
  'POST /api/torrents/file',
  'POST /api/torrents/url',
  'POST /api/torrents/inspect_url',
  'GET /api/categories',
  'GET /api/tags',
  'GET /api/storage',
]);

/** Adds, whose server may be chosen by the service. */
const PLACED: ReadonlySet<RouteName> = new Set<RouteName>([
  'POST /api/torrents/magnet',
  'POST /api/torrents/file',
  'POST /api/torrents/url',
]);

/** Where such a route is asked. */
const serverQuerySchema = z.object({
  server_id: z
    .string()
    .regex(/^(?:[1-9]\d{0,14}|auto)$/)
    .optional(),
});

/** The server that the request is for; null: this one. @throws RequestError `BODY_INVALID` */
function serverAskedFor({ query }: Pick<Admitted, 'query'>, mayChoose: boolean): number | 'auto' | null {
  const parsed = serverQuerySchema.safeParse(query);
  const asked = parsed.data?.server_id;
  if (!parsed.success || (asked === 'auto' && !mayChoose)) {
    throw new RequestError('BODY_INVALID', `server_id: expected the id of a server${mayChoose ? ', or auto' : ''}`);
  }
  if (asked === undefined || asked === 'auto') return asked ?? null;
  return Number(asked);
}

/** The row, asked of a remote where the request says so. */
export function forwarding(name: RouteName, row: Row): Row {
  const space = name.indexOf(' ');
  const [method, template] = [name.slice(0, space), name.slice(space + 1)];
  const run = async (admitted: Admitted): Promise<Reply<unknown>> => {
    const server = serverAskedFor(admitted, PLACED.has(name));
    if (server === null) return row.run(admitted);
    const { services, principal } = admitted;
    if (!principal) throw new RequestError('UNAUTHORIZED');
    const value = await row.input.check(row.input.take(admitted), admitted);
    if (server === 'auto') return placed(template, row, { ...admitted, principal }, value as object);
    const path = pathOf(template, admitted.params) + (row.input.kind === 'query' ? queryOf(value) : '');
    const request = { method, path, ...bodyOf(row.input.kind, value) };
    return replyOf(await services.remotes.relay(principal.account, server, request, row.output));
  };
  const errors = { ...row.errors, 502: 'the server of server_id failed', 503: 'the server of server_id is away' };
  return { ...row, errors, run };
}

/** @throws RequestError `BODY_INVALID`: nothing that is no id becomes part of a path there */
function pathOf(template: string, params: Admitted['params']): string {
  return template.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const text = params[name] ?? '';
    const isTorrent = template.startsWith('/api/torrents/');
    if (isTorrent ? parseTorrentId(text).kind !== 'malformed' : /^\d{1,16}$/.test(text)) return text;
    throw new RequestError('BODY_INVALID', `${name}: expected ${isTorrent ? 'an info hash' : 'a whole number'}`);
  });
}

function bodyOf(kind: Row['input']['kind'], value: unknown): { readonly body?: unknown } {
  if (kind === 'json') return { body: value };
  if (kind !== 'upload') return {};
  const { file, ...fields } = value as Upload;
  return { body: new UploadBody(file, fields) };
}

function queryOf(value: unknown): string {
  const fields = Object.entries(value as object).filter(([, field]) => field !== undefined);
  const text = new URLSearchParams(fields.map(([name, field]): [string, string] => [name, String(field)])).toString();
  return text === '' ? '' : `?${text}`;
}
