// The one place that hides secrets in addresses: what viewers see of a tracker's URL, of what the tracker said, and of a
// magnet, without passkeys (docs/semantics.md section 6); what those see of the addresses of feeds and lists who do not
// manage them (section 2); and what stands in the log. What holds no secret stays as it was written, character by
// character. Pure.
import { holdsSecret, isSecretFolder, isSecretLabel, isSecretName, unescapeFully } from './secrets.js';

const MASK = '***';
/** Shorter ones are words as likely as secrets, and say little. */
const MIN_REPEATED_LENGTH = 4;
const URL_PARTS = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#\\]*)([^?#]*)(\?[^#]*)?(#.*)?$/is;
const URL_IN_TEXT = /[a-z][a-z0-9+.-]{0,15}:\/\/\S+/gi;
const MAGNET = /^(magnet:\/{0,2}\?)(.*)$/is;

/** Told of each part that is hidden, as it was written. */
type OnHidden = (secret: string) => void;

export interface Tracker {
  readonly url: string;
  readonly status: string;
}

/** The tracker without secrets: its answers may repeat the key that it was asked with. */
export function maskTracker<Shown extends Tracker>(tracker: Shown): Shown {
  const secrets: string[] = [];
  const url = maskUrl(tracker.url, (secret) => secrets.push(secret, unescapeFully(secret)));
  return { ...tracker, url, status: maskText(tracker.status, secrets) };
}

/** The URL without secrets; text that cannot be read as a URL is hidden as a whole. */
export function maskUrl(url: string, onHidden: OnHidden = () => undefined): string {
  const parts = URL_PARTS.exec(url);
  if (!parts) {
    onHidden(url);
    return MASK;
  }
  const [, scheme = '', authority = '', path = '', query = '', fragment = ''] = parts;
  return (
    scheme +
    maskAuthority(authority, onHidden) +
    maskPath(path, onHidden) +
    query.replace(/[^?&]+/g, (parameter) => maskPart(parameter, onHidden)) +
    // Trackers are not sent it; it is there for no good reason.
    fragment.replace(/(?<=^#).+/s, (text) => hide(text, onHidden))
  );
}

/**
 * For addresses that are a whole program's for one account, as those of feeds and lists: of the query no value is shown,
 * whatever it looks like. Empty stays empty.
 */
export function maskAddress(url: string): string {
  if (url === '') return '';
  return maskUrl(url).replace(/\?[^#]*/, (query) => query.replace(/[^?&]+/g, withoutValue));
}

/** The text without the secrets of the URL that its author was sent. */
export function maskSaid(url: string, text: string): string {
  return maskTracker({ url, status: text }).status;
}

/** `tr` goes altogether from the magnet of a private torrent: all of its trackers are the owner's own. */
export function maskMagnet(magnet: string, isPrivate: boolean): string {
  const [, scheme, query] = MAGNET.exec(magnet) ?? [];
  if (scheme === undefined || query === undefined) return MASK;
  const parameters = query.split('&').map((parameter) => maskParameter(parameter, isPrivate));
  return scheme + parameters.filter((parameter) => parameter !== null).join('&');
}

function maskParameter(parameter: string, isPrivate: boolean): string | null {
  const equals = parameter.indexOf('=');
  const name = unescapeFully(parameter.slice(0, Math.max(0, equals)))
    .toLowerCase()
    // `&amp;` is what links copied from HTML contain; numbered ones (`tr.1`) count as plain ones.
    .replace(/^amp;|\.\d+$/g, '');
  switch (name) {
    // Info hash, name, size, files and keywords identify the torrent; they are shown beside the magnet anyway.
    case 'xt':
    case 'dn':
    case 'xl':
    case 'so':
    case 'kt':
      return parameter;
    case 'tr':
      if (isPrivate) return null;
  }
  const raw = parameter.slice(equals + 1);
  const value = unescapeFully(raw);
  const isUrl = URL_PARTS.test(value);
  if (!isUrl) return maskPart(parameter, () => undefined);
  const masked = maskUrl(value);
  return masked === value ? parameter : `${parameter.slice(0, equals)}=${encodeURIComponent(masked)}`;
}

function maskAuthority(authority: string, onHidden: OnHidden): string {
  const at = authority.lastIndexOf('@');
  const [, user = '', password = ''] = /^([^:]*):?(.*)$/s.exec(authority.slice(0, Math.max(0, at))) ?? [];
  for (const part of [user, password]) if (part !== '') onHidden(part);
  const host = authority.slice(at + 1).replace(/[^.:[\]]+/g, (label) => {
    const decoded = unescapeFully(label);
    return isSecretLabel(decoded) || decoded.includes('@') ? hide(label, onHidden) : label;
  });
  return at > 0 ? `${MASK}@${host}` : host;
}

function maskPath(path: string, onHidden: OnHidden): string {
  let isNamed = false;
  return path.replace(/[^/\\]+/g, (segment) => {
    const masked = isNamed ? hide(segment, onHidden) : maskPart(segment, onHidden);
    isNamed = isSecretFolder(unescapeFully(segment));
    return masked;
  });
}

/** A segment of a path, or a parameter: `value` or `name=value`. */
function maskPart(part: string, onHidden: OnHidden): string {
  const equals = part.indexOf('=');
  const name = equals < 0 ? '' : part.slice(0, equals);
  const value = part.slice(equals + 1);
  const decoded = unescapeFully(part);
  const isSecret = namesSecret(decoded) || holdsSecret(decoded) || decoded.includes('@');
  if (!isSecret || value === '') return part;
  onHidden(value);
  return equals < 0 || holdsSecret(unescapeFully(name)) ? hide(part, onHidden) : `${name}=${MASK}`;
}

function withoutValue(parameter: string): string {
  const equals = parameter.indexOf('=');
  return equals < 0 ? MASK : `${parameter.slice(0, equals)}=${MASK}`;
}

/** Any of the names in it, whatever stands between them. */
function namesSecret(decoded: string): boolean {
  const named = (piece: string) => piece.split('=').slice(0, -1);
  return decoded.split(/[;,&?|:\s]+/).some((piece) => named(piece).some(isSecretName));
}

/** The text without addresses' secrets, without what looks like one, and without those that are given. */
export function maskText(text: string, secrets: readonly string[] = []): string {
  let masked = text;
  // The longest first: it may contain another.
  for (const secret of secrets.toSorted((a, b) => b.length - a.length)) {
    if (secret.length >= MIN_REPEATED_LENGTH) masked = masked.replaceAll(secret, MASK);
  }
  return masked.replace(/\S+/g, (word) => {
    const rest = unescapeFully(word.replace(URL_IN_TEXT, ''));
    return holdsSecret(rest) || namesSecret(rest) ? MASK : word.replace(URL_IN_TEXT, (url) => maskUrl(url));
  });
}

function hide(secret: string, onHidden: OnHidden): string {
  onHidden(secret);
  return MASK;
}
