// One sample for each route: how it is called well, how it is refused, and who may call it. `who` is what
// docs/semantics.md section 2 says, written down here a second time, so that a gate that is opened by mistake fails a
// test.
import type { Access } from '../../../shared-protocol/dto/torrents.js';
import type { Permission } from '../../../shared-protocol/dto/accounts.js';
import type { Harness } from '../../support/api-harness.js';

export interface SampleCall {
  /** For `{…}` of the path; `id` of a torrent route is the scene's torrent unless given. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  /** Sent as it is when it is text or bytes, as JSON otherwise. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Where a sample is played: a whole API process, and a torrent made for this call. */
export interface Scene {
  readonly harness: Harness;
  /** Info hash of a torrent to which the caller has the access of the case; administrators own it. */
  readonly torrentId: string;
  /** The account that calls. */
  readonly callerId: number;
  /** As account 1; throws unless the answer is 200. For what a sample needs to be there first. */
  asAdmin<Body = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<Body>;
  /** The same as the account that calls, for what is an account's own. */
  asCaller<Body = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<Body>;
}

export type Who =
  'anybody' | 'account' | 'admin' | Permission | { readonly access: Access; readonly permission?: Permission };

export interface Refusal {
  readonly name: string;
  readonly call: SampleCall | ((scene: Scene) => SampleCall | Promise<SampleCall>);
  readonly status: number;
  /** Of the `error` in the body. */
  readonly error: string | RegExp;
}

export interface Sample {
  readonly who: Who;
  /** Called anew for each call, so it may make what the call is going to delete. */
  readonly call: (scene: Scene) => SampleCall | Promise<SampleCall>;
  /** @default 200 */
  readonly status?: number;
  /** Matches the body of the answer (tap's `match`). */
  readonly answer: unknown;
  /** What is documented of the route beyond what every route of its gate and input has; sent as account 1. */
  readonly refusals?: readonly Refusal[];
}

/** Of one section of the table: none may be missing. */
export type Samples<Table> = { readonly [Name in keyof Table]: Sample };

export const OK = { ok: true };
/** Bodies that no JSON route takes. */
export const NOT_JSON = '{"a":';
