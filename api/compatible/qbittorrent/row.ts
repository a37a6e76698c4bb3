// A route of qBittorrent's WebAPI: a row of the table that says how it is called, by whom, and what is done. The router and
// the tests of permissions are made from these rows.
import type { AccountId } from '../../../shared-protocol/ids.js';
import type { AccountContext } from '../../routes/route.js';
import type { Admitted } from '../../routes/admitted.js';
import type { AccountGate } from '../../routes/gate.js';
import type { Reply } from '../../routes/reply.js';
import type { LiveBody } from '../../routes/live-body.js';
import type { StreamedBody } from '../../routes/streamed-body.js';
import type { Form } from '../form.js';
import type { ObjectLists } from './objects/object-lists.js';
import type { MainDataVersions } from './sync/main-data-versions.js';
import type { PeerVersions } from './sync/peer-versions.js';

/** A request that has been let in. Parameters are those of the query for GET and HEAD, of the body for POST, as in qBittorrent. */
export interface Call extends AccountContext, Form, Kept {}
/** A request to a route that is for those as well who have not signed in. */
export interface StrangersCall extends Admitted, Form {}

/** Lists and versions that are kept from request to request. */
export interface Kept {
  /** Accounts for which articles are being matched. */
  readonly matching: Set<AccountId>;
  readonly objectLists: ObjectLists;
  readonly mainDataVersions: MainDataVersions;
  readonly peerVersions: PeerVersions;
}

export type Answer = Reply<Buffer> | Reply<Buffer | StreamedBody> | Reply<Buffer | LiveBody>;

export type Methods = 'read' | 'change';

/** `read`: also by POST, as several tools do. `change`: by POST alone. */
export type Row =
  | {
      readonly kind: Methods;
      readonly gate: AccountGate;
      readonly run: (call: Call) => Answer | Promise<Answer>;
    }
  | {
      readonly kind: Methods;
      readonly gate: 'public';
      readonly run: (call: StrangersCall) => Answer | Promise<Answer>;
    };

/** By path below `/api/v2/`. */
export type RouteTable = Readonly<Record<string, Row>>;

type Run = (call: Call) => Answer | Promise<Answer>;

/** A route that changes nothing. */
export function reading(run: Run, gate: AccountGate = 'account') {
  return { kind: 'read', gate, run } as const;
}

/** A route that changes something; which torrents the caller may change is another matter. */
export function changing(run: Run, gate: AccountGate = 'account') {
  return { kind: 'change', gate, run } as const;
}
