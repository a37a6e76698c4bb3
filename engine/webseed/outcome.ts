// How a web seed's connection ended, from what its end was told: the socket closes with a reason for people, in which
// only the wait that a server asks for has a meaning of its own.
import type { CloseReason } from '../wire/errors.js';

export type WebSeedOutcome =
  /** Our doing: nothing was wrong with the seed. */
  | { readonly kind: 'ok' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'bad-data' }
  | { readonly kind: 'retry-after'; readonly seconds: number };

const OUR_DOING: ReadonlySet<CloseReason> = new Set([
  'TORRENT_STOPPED',
  'ENGINE_STOPPING',
  'REDUNDANT_SEED',
  'BLOCKED',
]);

/** A close reason from which {@link webSeedOutcome} learns the wait. */
export function retryAfterReason(seconds: number, reason: string): string {
  return `retry after ${seconds} s: ${reason}`;
}

/** The outcome of a web seed's connection, from what `onClose` was told. */
export function webSeedOutcome(reason: CloseReason, detail: string): WebSeedOutcome {
  if (reason === 'BAD_DATA') return { kind: 'bad-data' };
  if (OUR_DOING.has(reason)) return { kind: 'ok' };
  const wait = /^retry after (\d+) s:/.exec(detail);
  return reason === 'SOCKET_CLOSED' && wait ? { kind: 'retry-after', seconds: Number(wait[1]) } : { kind: 'failed' };
}
