// A method of Transmission's RPC: a row of the table that says by whom it is called, whether it changes something, and what
// is done. Both dialects (legacy.ts, json-rpc.ts) and the tests of permissions are made from these rows.
import type { AccountContext } from '../../routes/route.js';
import type { AccountGate } from '../../routes/gate.js';
import type { Arguments } from './arguments.js';
import type { JsonText } from './json-text.js';

/** A call that has been let in. */
export interface Call extends AccountContext {
  readonly args: Arguments;
  /** Torrent files that came with the request; `metainfo` of the arguments is the place of one here, as a text. */
  readonly files: readonly Uint8Array[];
  /** How the dialect writes the key of an answer; asked only for answers that are made as text. */
  readonly keyOf: (name: string) => string;
}

/** The arguments of the answer, keys in the older form, or their text. */
export type Result = Readonly<Record<string, unknown>> | JsonText;

export interface Row {
  readonly kind: 'read' | 'change';
  readonly gate: AccountGate;
  readonly run: (call: Call) => Result | Promise<Result>;
}

/** By name, in kebab-case. */
export type MethodTable = Readonly<Record<string, Row>>;

export function reading(run: Row['run'], gate: AccountGate = 'account'): Row {
  return { kind: 'read', gate, run };
}

/** A method that changes something; which torrents the caller may change is another matter. */
export function changing(run: Row['run'], gate: AccountGate = 'account'): Row {
  return { kind: 'change', gate, run };
}
