// The cross-site check (docs/semantics.md section 1) and the Host allow-list against DNS rebinding, as functions of
// headers.
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

export type OriginVerdict = 'matches' | 'mismatch' | 'absent';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Reading never changes state, so it is never gated. */
export function isStateChanging(method: string): boolean {
  return !SAFE_METHODS.has(method);
}

/**
 * Compares where a request comes from with the host it went to, default ports left out. `absent` when the request
 * does not say: then `Sec-Fetch-Site`, which a page cannot forge, may still vouch for it.
 */
export function checkOrigin(headers: IncomingHttpHeaders, host: string | undefined): OriginVerdict {
  const source = headers.origin ?? headers.referer;
  if (source !== undefined) return isSameHost(source, host) ? 'matches' : 'mismatch';
  const site = headers['sec-fetch-site'];
  return site === 'same-origin' || site === 'none' ? 'matches' : 'absent';
}

function isSameHost(source: string, host: string | undefined): boolean {
  if (host === undefined || !URL.canParse(source)) return false;
  const from = new URL(source);
  if (from.protocol !== 'http:' && from.protocol !== 'https:') return false;
  const target = `${from.protocol}//${host}`;
  return URL.canParse(target) && new URL(target).host === from.host;
}

export interface HostPolicy {
  /** Host names without port, lower case. */
  readonly allowedHosts: readonly string[];
  /** Whether names outside the list are answered as well; undefined: the request names none. */
  readonly isOpen: (host: string | undefined) => boolean;
}

/** A rebinding attack needs a name; addresses and localhost cannot be rebound. */
export function isHostAllowed(host: string | undefined, { allowedHosts, isOpen }: HostPolicy): boolean {
  // Nothing but a name and a port (RFC 9110 section 7.2): what a URL has besides would hide what the name is.
  if (host !== undefined && (/[@/?#\\\s]/.test(host) || !URL.canParse(`http://${host}`))) return false;
  if (isOpen(host)) return true;
  if (host === undefined) return false;
  const name = new URL(`http://${host}`).hostname.toLowerCase();
  const bare = name.startsWith('[') ? name.slice(1, -1) : name;
  return isIP(bare) !== 0 || bare === 'localhost' || allowedHosts.includes(bare);
}

/** This machine's, by its host name: in full, without its domain, and as its neighbours know it (RFC 6762). */
export function ownNames(hostName: string): string[] {
  const full = hostName.toLowerCase();
  const [short = full] = full.split('.');
  return short === '' ? [] : [...new Set([full, short, `${short}.local`])];
}
