// Which URLs may be fetched, and where a redirect may lead (docs/limits.md 2.22): http and https only, never from https
// down to http. Pure; what a host resolves to is the address policy's business. URLs are parsed as browsers do
// (WHATWG), which turns every way to write an IPv4 address (decimal, octal, hex, short, full-width) into the usual one.
export type Target =
  | { readonly kind: 'http'; readonly url: URL }
  | { readonly kind: 'magnet'; readonly uri: string }
  /** `isOtherKind`: it is none of http or https, or none at all. */
  | { readonly kind: 'refused'; readonly reason: string; readonly isOtherKind: boolean };

/** `this-machine`: a name that means loopback whatever a resolver says (RFC 6761). */
export type Host =
  | { readonly kind: 'literal'; readonly address: string }
  | { readonly kind: 'this-machine' }
  | { readonly kind: 'name'; readonly name: string };

/** Judges the URL that a user asks for. */
export function parseTarget(text: string): Target {
  return URL.canParse(text) ? judge(new URL(text)) : refused('not a URL', true);
}

/** Where the `Location` of a response leads. */
export function redirectTarget(location: string, from: URL): Target {
  if (/^magnet:/i.test(location)) return { kind: 'magnet', uri: location };
  if (!URL.canParse(location, from.href)) return refused('redirect to no URL');
  const target = judge(new URL(location, from));
  if (target.kind === 'refused') return refused(`redirect: ${target.reason}`);
  const isDowngrade = target.kind === 'http' && from.protocol === 'https:' && target.url.protocol === 'http:';
  return isDowngrade ? refused('redirect from https to http') : target;
}

export function hostOf(url: URL): Host {
  const host = url.hostname;
  if (host.startsWith('[')) return { kind: 'literal', address: host.slice(1, -1) };
  // The parser leaves nothing else that ends in a number.
  if (/^[\d.]+$/.test(host)) return { kind: 'literal', address: host };
  const name = host.replace(/\.$/, '');
  return name === 'localhost' || name.endsWith('.localhost') ? { kind: 'this-machine' } : { kind: 'name', name };
}

/**
 * The `Authorization` of a request: what the user wrote into the URL, sent to that URL's origin and no other, also when a
 * redirect comes back to it. Userinfo that a redirect brings along is not used.
 */
export function authorizationFor(asked: URL, target: URL): string | null {
  if (target.origin !== asked.origin || (asked.username === '' && asked.password === '')) return null;
  const credentials = `${decode(asked.username)}:${decode(asked.password)}`;
  return `Basic ${Buffer.from(credentials).toString('base64')}`;
}

function judge(url: URL): Target {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return refused('expected an http or https URL', true);
  // Any other port may be that of an indexer; an address that may be reached may be reached there as well.
  if (url.port === '0') return refused('port 0 cannot be connected to');
  return { kind: 'http', url };
}

function refused(reason: string, isOtherKind = false): Target {
  return { kind: 'refused', reason, isOtherKind };
}

/** Percent-encoding that is none stands for itself. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
