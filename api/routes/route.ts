// What a route is: a row of data. `input` says where its request comes from and what it must look like; the pipeline
// (http-app.ts) admits the caller first, then reads the input, then looks the torrent up, then calls `handle`.
import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import type { Gate } from '../admission.js';
import type { Principal } from '../auth/authenticate.js';
import type { ClientAddress } from '../auth/client-address.js';
import { RequestError, type Headers } from '../errors.js';
import type { Services } from '../services.js';
import type { TorrentFacts } from '../../shared-protocol/events.js';
import { parseTorrentId } from '../torrent-id.js';
import { readUpload, type Upload } from './upload.js';

export type Method = 'get' | 'post' | 'put' | 'delete';

/** A request that has been let in. */
export interface Admitted {
  readonly services: Services;
  readonly client: ClientAddress;
  readonly principal: Principal | null;
  readonly request: IncomingMessage;
  /** `{id}` of the path. */
  readonly id: string | undefined;
  readonly query: unknown;
  /** Undefined for none, and for uploads. */
  readonly body: Buffer | undefined;
}

export type Input<Value> =
  | { readonly kind: 'none'; readonly read: (admitted: Admitted) => Value }
  | { readonly kind: 'json' | 'query'; readonly schema: z.ZodType<Value>; readonly read: (admitted: Admitted) => Value }
  | { readonly kind: 'upload'; readonly read: (admitted: Admitted) => Promise<Value> };

export interface Reply {
  /** JSON; not encoded again when it is bytes already. */
  readonly json: unknown;
  readonly headers?: Headers;
}

/** `void` stands for the usual `{"ok": true}`. */
type Outcome = Reply | void | Promise<Reply | void>;

export interface Route {
  readonly method: Method;
  /** As express writes it. */
  readonly path: string;
  readonly gate: Gate;
  readonly inputKind: Input<unknown>['kind'];
  readonly run: (admitted: Admitted) => Promise<Reply>;
}

interface Row<Value, Context> {
  readonly method: Method;
  readonly path: string;
  readonly input: Input<Value>;
  readonly handle: (value: Value, context: Context) => Outcome;
}

export type PublicContext = Admitted;
export interface AccountContext extends Admitted {
  readonly principal: Principal;
}
export interface TorrentContext extends AccountContext {
  readonly torrent: TorrentFacts;
}

/** For anybody. */
export function publicRoute<Value>(row: Row<Value, PublicContext> & { readonly gate: 'public' | 'login' }): Route {
  return toRoute(row, row.gate, (admitted) => admitted);
}

/** For accounts that pass the gate. */
export function accountRoute<Value>(
  row: Row<Value, AccountContext> & { readonly gate: Exclude<Gate, 'public' | 'login' | `torrent:${string}`> },
): Route {
  return toRoute(row, row.gate, withPrincipal);
}

/** For accounts with the access to the torrent of the path, which exists when `handle` is called. */
export function torrentRoute<Value>(
  row: Row<Value, TorrentContext> & { readonly gate: Extract<Gate, `torrent:${string}`> },
): Route {
  return toRoute(row, row.gate, (admitted) => ({ ...withPrincipal(admitted), torrent: torrentOf(admitted) }));
}

function toRoute<Value, Context>(
  row: Row<Value, Context>,
  gate: Gate,
  prepare: (admitted: Admitted) => Context,
): Route {
  const run = async (admitted: Admitted): Promise<Reply> => {
    const value = await row.input.read(admitted);
    return (await row.handle(value, prepare(admitted))) ?? { json: { ok: true } };
  };
  return { method: row.method, path: row.path, gate, inputKind: row.input.kind, run };
}

function withPrincipal(admitted: Admitted): AccountContext {
  if (!admitted.principal) throw new RequestError('UNAUTHORIZED');
  return { ...admitted, principal: admitted.principal };
}

function torrentOf({ id, services }: Admitted): TorrentFacts {
  const parsed = parseTorrentId(id ?? '');
  if (parsed.kind === 'malformed') {
    throw new RequestError('BODY_INVALID', 'id: expected an info hash of 40 or 64 hexadecimal digits');
  }
  const facts = parsed.kind === 'id' ? services.library.find(parsed.id) : undefined;
  if (!facts) throw new RequestError('NOT_FOUND', 'torrent not found');
  return facts;
}

/** Whatever comes with the request is ignored. */
export const noInput: Input<null> = { kind: 'none', read: () => null };

/** JSON, whatever the Content-Type says; unknown fields are ignored. */
export function jsonInput<Value>(schema: z.ZodType<Value>): Input<Value> {
  return { kind: 'json', schema, read: ({ body }) => check(schema, parseJson(body)) };
}

export function queryInput<Value>(schema: z.ZodType<Value>): Input<Value> {
  return { kind: 'query', schema, read: ({ query }) => check(schema, query) };
}

export const uploadInput: Input<Upload> = { kind: 'upload', read: ({ request }) => readUpload(request) };

function parseJson(body: Buffer | undefined): unknown {
  try {
    return JSON.parse((body ?? Buffer.alloc(0)).toString('utf8'));
  } catch {
    throw new RequestError('BODY_INVALID', 'body: not valid JSON');
  }
}

function check<Value>(schema: z.ZodType<Value>, input: unknown): Value {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new RequestError('BODY_INVALID', describe(parsed.error.issues[0]));
}

/** `<field>: <reason>`, of the first field that is wrong. */
function describe(issue: z.core.$ZodIssue | undefined): string {
  if (!issue) return 'body: invalid';
  const field = issue.path.map(String).join('.') || 'body';
  if (issue.code !== 'invalid_type') return `${field}: ${issue.message}`;
  return `${field}: ${issue.message.endsWith('received undefined') ? 'required' : `expected ${issue.expected}`}`;
}
