// Which URLs of a torrent or magnet are kept: trackers over http, https or udp in their tiers (BEP 12, BEP 15), web
// seeds over http or https (BEP 19). Everything else is dropped without a word, as it is not the user's doing.
import { MAX_TRACKER_CANDIDATES, MAX_TRACKERS, MAX_URL_CHARS } from './constants.js';

const TRACKER_SCHEMES = new Set(['http:', 'https:', 'udp:']);
const WEB_SEED_SCHEMES = new Set(['http:', 'https:']);
/** What URL parsers strip or encode silently, but a request line or a log must not carry. */
const NOT_PRINTABLE = /[^\x21-\x7e]/;

/** A tracker URL fit to announce to, its text unchanged where possible; null when it is none. */
export function cleanTrackerUrl(text: string): string | null {
  return cleanUrl(text, TRACKER_SCHEMES)?.text ?? null;
}

/** Tiers without empty ones, unusable URLs and repetitions; at most 200 URLs in all. */
export function cleanTiers(tiers: Iterable<Iterable<string>>): string[][] {
  const seen = new Set<string>();
  const kept: string[][] = [];
  let candidates = 0;
  for (const tier of tiers) {
    const urls: string[] = [];
    for (const text of tier) {
      if (++candidates > MAX_TRACKER_CANDIDATES || seen.size === MAX_TRACKERS) break;
      const url = cleanUrl(text, TRACKER_SCHEMES);
      if (!url || seen.has(url.identity)) continue;
      seen.add(url.identity);
      urls.push(url.text);
    }
    if (urls.length > 0) kept.push(urls);
    if (candidates > MAX_TRACKER_CANDIDATES || seen.size === MAX_TRACKERS) break;
  }
  return kept;
}

/** Web seeds, by the same rules. */
export function cleanWebSeeds(texts: Iterable<string>): string[] {
  const kept = new Map<string, string>();
  let candidates = 0;
  for (const text of texts) {
    if (++candidates > MAX_TRACKER_CANDIDATES || kept.size === MAX_TRACKERS) break;
    const url = cleanUrl(text, WEB_SEED_SCHEMES);
    if (url && !kept.has(url.identity)) kept.set(url.identity, url.text);
  }
  return [...kept.values()];
}

function cleanUrl(raw: string, schemes: ReadonlySet<string>): { text: string; identity: string } | null {
  if (raw.length > MAX_URL_CHARS) return null;
  const text = raw.trim();

  if (/[\x00-\x20\x7f]/.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (!schemes.has(url.protocol) || url.hostname === '') return null;
  url.hash = '';
  // Passkeys live in paths and queries, so the text is kept as its author wrote it; hosts are the same in any case.
  const identity = `${url.protocol}//${url.username}:${url.password}@${url.host.toLowerCase()}${url.pathname}${url.search}`;
  const kept = NOT_PRINTABLE.test(text) ? url.href : text;
  return kept.length > MAX_URL_CHARS ? null : { text: kept, identity };
}
