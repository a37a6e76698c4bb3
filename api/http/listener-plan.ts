// Where the service listens, as decisions on data: at the start of a run, and when `PUT /api/settings/web` changes what
// is stored (docs/semantics.md sections 11 and 13). Only what was changed moves: who gave an address as a flag and
// changes the port keeps the address.
import type { WebDto } from '../../shared-protocol/dto/settings.js';
import type { ListenAddress } from './server.js';

/** The stored settings of where the service listens. */
export type ListenSettings = Readonly<Pick<WebDto, 'enabled' | 'port' | 'bind_all'>>;

/** The flags of this run on where the service listens; null where they say nothing. */
export interface ListenFlags {
  readonly host: string | null;
  readonly port: number | null;
}

const LOOPBACK = '127.0.0.1';

/** The last resort when neither the new address nor the one before can be had. */
export const ANY_LOOPBACK_PORT: ListenAddress = { host: LOOPBACK, port: 0 };

export function storedAddress({ bind_all, port }: ListenSettings): ListenAddress {
  return { host: bind_all ? null : LOOPBACK, port };
}

/** A flag decides the first bind of a run, for the part that it names. */
export function firstAddress(flags: ListenFlags, web: ListenSettings): ListenAddress {
  const stored = storedAddress(web);
  return { host: flags.host ?? stored.host, port: flags.port ?? stored.port };
}

export type MovePlan =
  | { readonly kind: 'stay' }
  | { readonly kind: 'stop' }
  /** Both can be open at once, so the new one is tried before anything is given up. */
  | { readonly kind: 'open-first'; readonly address: ListenAddress }
  /** The same port on other interfaces: the old one is in the way. */
  | { readonly kind: 'close-first'; readonly address: ListenAddress };

/**
 * `current` with its real port; null while nothing listens. `mayStop`: on the desktop; the daemon's listener is the only
 * way in. Leaving `enabled` false does not stop a listener that runs all the same, as it does after a start.
 */
export function planMove(
  current: ListenAddress | null,
  before: ListenSettings,
  after: ListenSettings,
  mayStop: boolean,
): MovePlan {
  if (!current) return after.enabled ? { kind: 'open-first', address: storedAddress(after) } : { kind: 'stay' };
  if (mayStop && before.enabled && !after.enabled) return { kind: 'stop' };
  const host = before.bind_all === after.bind_all ? current.host : storedAddress(after).host;
  const port = before.port === after.port ? current.port : after.port;
  if (port !== current.port) return { kind: 'open-first', address: { host, port } };
  return isSameHost(host, current.host) ? { kind: 'stay' } : { kind: 'close-first', address: { host, port } };
}

function isSameHost(a: string | null, b: string | null): boolean {
  return a === b || (isAll(a) && isAll(b));
}

function isAll(host: string | null): boolean {
  return host === null || host === '0.0.0.0' || host === '::';
}
