// What a route is: a row of the table that says who may call it, what it takes and answers, and what is done. The
// application, the OpenAPI document and the contract tests are made from these rows; a row without a gate, or a handler
// that does not answer what the row says, does not compile.
import type { z } from 'zod';
import type { ShareRef } from '../../shared-protocol/commands/shares.js';
import { idSchema, type okSchema } from '../../shared-protocol/dto/fields.js';
import type { Permission } from '../../shared-protocol/dto/accounts.js';
import type { Access } from '../../shared-protocol/dto/torrents.js';
import type { Principal } from '../auth/authenticate.js';
import { RequestError } from '../errors.js';
import { refOf, type ListedTorrent } from '../services/library/shares.js';
import type { Admitted } from './admitted.js';
import { admitToTorrent, torrentNamed } from './authorize.js';
import type { AccountGate, Gate, PublicGate } from './gate.js';
import type { Input } from './input.js';
import { Reply } from './reply.js';
import type { LiveBody } from './live-body.js';
import type { StreamedBody } from './streamed-body.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
/**
 * Method and path as in docs/api.md, `{…}` for what varies. Below `/api` but for `/metrics`, where Prometheus looks.
 */
export type RouteName = `${Method} /${string}`;

type Ok = z.infer<typeof okSchema>;
const OK: Ok = { ok: true };

/** Nothing stands for the usual `{"ok": true}`. */
type Outcome<Out> =
  Out | Reply<Out> | Reply<Buffer | StreamedBody> | Reply<Buffer | LiveBody> | (Out extends Ok ? void : never);

interface Described<Value, Out> {
  /** One line for people. */
  readonly summary: string;
  readonly input: Input<Value>;
  /** The schema of the answer with status 200. */
  readonly output: z.ZodType<Out>;
  /** Statuses that the gate and the input do not imply, and when they come. */
  readonly errors?: Readonly<Record<number, string>>;
}

export interface Row {
  readonly gate: Gate;
  readonly summary: string;
  readonly input: Input<unknown>;
  readonly output: z.ZodType;
  readonly errors: Readonly<Record<number, string>>;
  readonly run: (admitted: Admitted) => Promise<Reply<unknown>>;
}

export type RouteTable = Readonly<Record<RouteName, Row>>;

export interface AccountContext extends Admitted {
  readonly principal: Principal;
}
export interface TorrentContext extends AccountContext {
  /** The torrent as the caller is shown it. */
  readonly torrent: ListedTorrent;
  /** The share that the caller acts on: its own, or that of the holder who shared it; all for administrators. */
  readonly share: ShareRef;
}

interface Handled<Value, Out, Context> extends Described<Value, Out> {
  readonly handle: (value: Value, context: Context) => Outcome<Out> | Promise<Outcome<Out>>;
}

/** For every caller, also without an account. */
export function publicRoute<Value, Out>(row: Handled<Value, Out, Admitted> & { readonly gate: PublicGate }): Row {
  return toRow(row, { kind: row.gate }, (admitted) => admitted);
}

/** For accounts that pass the gate. */
export function accountRoute<Value, Out>(
  row: Handled<Value, Out, AccountContext> & { readonly gate: AccountGate },
): Row {
  return toRow(row, { kind: 'account', needs: row.gate }, withPrincipal);
}

interface TorrentGate {
  readonly access: Access;
  /** On top of the access. */
  readonly permission?: Permission;
}

/** For accounts with the access to the torrent that the path names; it exists when `handle` is called. */
export function torrentRoute<Value, Out>(row: Handled<Value, Out, TorrentContext> & TorrentGate): Row {
  const gate: Gate = { kind: 'torrent', access: row.access, in: 'path', needs: row.permission ?? 'account' };
  return toRow(row, gate, (admitted) => withTorrent(admitted, row.access, 'id', admitted.params['id']));
}

/** The same for a torrent that the body names, as `infohash`. */
export function bodyTorrentRoute<Value extends { readonly infohash: string }, Out>(
  row: Handled<Value, Out, TorrentContext> & TorrentGate,
): Row {
  const gate: Gate = { kind: 'torrent', access: row.access, in: 'body', needs: row.permission ?? 'account' };
  return toRow(row, gate, (admitted, value) => withTorrent(admitted, row.access, 'infohash', value.infohash));
}

/** The order of docs/semantics.md section 1: access, then the input, then whether the torrent exists. */
function toRow<Value, Out, Context>(
  row: Handled<Value, Out, Context>,
  gate: Gate,
  prepare: (admitted: Admitted, value: Value) => Context,
): Row {
  const { summary, input, output, errors = {} } = row;
  const run = async (admitted: Admitted): Promise<Reply<unknown>> => {
    const admitTo = (needed: Access, named: string | undefined) =>
      admitToTorrent(withPrincipal(admitted).principal.account, named, needed, admitted.services);
    if (gate.kind === 'torrent' && gate.in === 'path') admitTo(gate.access, admitted.params['id']);
    const raw = input.take(admitted);
    if (gate.kind === 'torrent' && gate.in === 'body') admitTo(gate.access, infohashOf(raw));
    const value = await input.check(raw, admitted);
    const outcome = await row.handle(value, prepare(admitted, value));
    return outcome instanceof Reply ? outcome : new Reply<unknown>(outcome ?? OK);
  };
  return { gate, summary, input, output, errors, run };
}

function withPrincipal(admitted: Admitted): AccountContext {
  if (!admitted.principal) throw new RequestError('UNAUTHORIZED');
  return { ...admitted, principal: admitted.principal };
}

/** @throws RequestError `FORBIDDEN`, `NOT_FOUND`, `BODY_INVALID` that names the field */
export function withTorrent(
  admitted: Admitted,
  access: Access,
  field: string,
  named: string | undefined,
): TorrentContext {
  const context = withPrincipal(admitted);
  const { account } = context.principal;
  const whole = torrentNamed(named ?? '', field, admitted.services);
  // Its access may have been taken away while the body was being read.
  admitToTorrent(account, whole.id, access, admitted.services);
  const torrent = admitted.services.library.shownTo(account, whole);
  const share = account.role === 'admin' ? { id: whole.id } : refOf(torrent);
  return { ...context, torrent, share };
}

function infohashOf(raw: unknown): string | undefined {
  const named = typeof raw === 'object' && raw !== null && 'infohash' in raw ? raw.infohash : undefined;
  return typeof named === 'string' ? named : undefined;
}

/** The number that the path gives as `{name}`. @throws RequestError `BODY_INVALID` */
export function numberInPath({ params }: Admitted, name: string): number {
  const text = params[name] ?? '';
  const parsed = idSchema.safeParse(/^\d{1,16}$/.test(text) ? Number(text) : null);
  if (!parsed.success) throw new RequestError('BODY_INVALID', `${name}: expected a whole number above 0`);
  return parsed.data;
}
