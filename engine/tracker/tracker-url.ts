// What a tracker URL is: which protocol it speaks, whose limits it falls under, and whether it may be used at all
// (docs/limits.md 2.22 b). Also where its scrape lives (BEP 48).
import { UDP_DEFAULT_PORT, URL_MAX_LENGTH } from './constants.js';

export interface TrackerUrl {
  /** `none`: a scheme that is not spoken here (ws, wss, …). */
  readonly transport: 'http' | 'udp' | 'none';
  /** Host name or literal, lower case; empty when the URL cannot be read. */
  readonly host: string;
  /** Why it is never announced to; null when it is fine. */
  readonly refusal: string | null;
}

/**
 * A torrent's URL that brings these could make us send any request to a stranger's server, with parameters of
 * the torrent author's choice. The list is libtorrent's.
 */
const OWN_PARAMETERS = new Set([
  'info_hash',
  'event',
  'port',
  'left',
  'key',
  'uploaded',
  'downloaded',
  'corrupt',
  'peer_id',
]);

export function readTrackerUrl(text: string): TrackerUrl {
  const url = text.length <= URL_MAX_LENGTH ? parseUrl(text) : null;
  if (!url)
    return { transport: 'none', host: '', refusal: text.length > URL_MAX_LENGTH ? 'URL too long' : 'not a URL' };
  const transport = url.protocol === 'udp:' ? 'udp' : /^https?:$/.test(url.protocol) ? 'http' : 'none';
  const host = url.hostname.toLowerCase();
  let refusal: string | null = null;
  if (transport !== 'none' && host === '') refusal = 'URL without a host';
  else if (transport === 'http' && bringsOwnParameters(url)) refusal = 'URL already holds announce parameters';
  return { transport, host, refusal };
}

/** 0: none that anything listens on. */
export function udpPortOf({ port }: URL): number {
  return port === '' ? UDP_DEFAULT_PORT : Number(port);
}

/** Null instead of an exception. */
export function parseUrl(text: string, base?: URL): URL | null {
  return URL.canParse(text, base?.href) ? new URL(text, base) : null;
}

function bringsOwnParameters(url: URL): boolean {
  for (const name of url.searchParams.keys()) if (OWN_PARAMETERS.has(name.toLowerCase())) return true;
  return false;
}

/**
 * BEP 48: "the last path segment must begin with announce", which is replaced by scrape. Null where there is no
 * scrape.
 */
export function scrapeUrl(announceUrl: string): URL | null {
  const url = parseUrl(announceUrl);
  const slash = url?.pathname.lastIndexOf('/') ?? -1;
  if (!url || !url.pathname.startsWith('announce', slash + 1)) return null;
  url.pathname = `${url.pathname.slice(0, slash + 1)}scrape${url.pathname.slice(slash + 1 + 'announce'.length)}`;
  return url;
}
