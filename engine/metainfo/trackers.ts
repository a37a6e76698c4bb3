// Which URLs of a torrent or magnet are kept: trackers over http, https or udp in their tiers (BEP 12, BEP 15), web
// seeds over http or https (BEP 19), no address twice and no more than a torrent may have. Everything else is dropped
// without a word, as it is not the user's doing.
import {
  MAX_TRACKER_CHARS,
  MAX_TRACKERS,
  MAX_WEB_SEED_CHARS,
  MAX_WEB_SEEDS,
} from '../../shared-protocol/torrent-bounds.js';
import { MAX_TRACKER_CANDIDATES, MAX_URL_CHARS } from './constants.js';

const TRACKER_SCHEMES = new Set(['http:', 'https:', 'udp:']);
const WEB_SEED_SCHEMES = new Set(['http:', 'https:']);
/** Characters that URL parsers strip or encode silently, but a request line or a log must not carry. */
const NOT_PRINTABLE = /[^\x21-\x7e]/;

/** A tracker URL fit to announce to, its text unchanged where possible; null when it is none. */
export function cleanTrackerUrl(text: string): string | null {
  return cleanUrl(text, TRACKER_SCHEMES)?.text ?? null;
}

/** The one of these trackers that leads where `url` does, as it is written there; null: none does. */
export function sameTracker(trackers: Iterable<string>, url: string): string | null {
  const wanted = cleanUrl(url, TRACKER_SCHEMES)?.identity;
  for (const known of trackers) {
    if (known === url || (wanted !== undefined && cleanUrl(known, TRACKER_SCHEMES)?.identity === wanted)) return known;
  }
  return null;
}

/** `full`: it is new, and there is no room for it. */
export type UrlOffer =
  | { readonly kind: 'taken' | 'known'; /** The URL as the set has it. */ readonly url: string }
  | { readonly kind: 'full' | 'unusable' };

/** URLs of one torrent, told apart by the addresses they lead to. */
class UrlSet {
  readonly #byIdentity = new Map<string, string>();
  #chars = 0;

  constructor(
    private readonly schemes: ReadonlySet<string>,
    private readonly maxUrls: number,
    private readonly maxChars: number,
  ) {}

  get isFull(): boolean {
    return this.#byIdentity.size >= this.maxUrls;
  }

  offer(raw: string): UrlOffer {
    const url = cleanUrl(raw, this.schemes);
    if (!url) return { kind: 'unusable' };
    const known = this.#byIdentity.get(url.identity);
    if (known !== undefined) return { kind: 'known', url: known };
    if (this.isFull || this.#chars + url.text.length > this.maxChars) return { kind: 'full' };
    this.#byIdentity.set(url.identity, url.text);
    this.#chars += url.text.length;
    return { kind: 'taken', url: url.text };
  }
}

export class TrackerSet extends UrlSet {
  constructor(tiers: Iterable<Iterable<string>> = []) {
    super(TRACKER_SCHEMES, MAX_TRACKERS, MAX_TRACKER_CHARS);
    for (const tier of tiers) for (const url of tier) this.offer(url);
  }
}

/** Tiers without empty ones, unusable URLs and repetitions; what does not fit is left out, the first tiers stay. */
export function cleanTiers(tiers: Iterable<Iterable<string>>): string[][] {
  const set = new TrackerSet();
  const kept: string[][] = [];
  let candidates = 0;
  for (const tier of tiers) {
    const urls: string[] = [];
    for (const text of tier) {
      if (++candidates > MAX_TRACKER_CANDIDATES || set.isFull) break;
      const offer = set.offer(text);
      if (offer.kind === 'taken') urls.push(offer.url);
    }
    if (urls.length > 0) kept.push(urls);
    if (candidates > MAX_TRACKER_CANDIDATES || set.isFull) break;
  }
  return kept;
}

/** Web seeds, by the same rules. */
export function cleanWebSeeds(texts: Iterable<string>): string[] {
  const set = new UrlSet(WEB_SEED_SCHEMES, MAX_WEB_SEEDS, MAX_WEB_SEED_CHARS);
  const kept: string[] = [];
  let candidates = 0;
  for (const text of texts) {
    if (++candidates > MAX_TRACKER_CANDIDATES || set.isFull) break;
    const offer = set.offer(text);
    if (offer.kind === 'taken') kept.push(offer.url);
  }
  return kept;
}

/** Without the default port: of http and https the parser leaves it out, of udp it knows none. */
function identityOf({ protocol, username, password, hostname, port, pathname, search }: URL): string {
  const host = `${hostname.toLowerCase()}:${protocol === 'udp:' && port === '80' ? '' : port}`;
  return `${protocol}//${username}:${password}@${host}${pathname || '/'}${search}`;
}

function cleanUrl(raw: string, schemes: ReadonlySet<string>): { text: string; identity: string } | null {
  if (raw.length > MAX_URL_CHARS) return null;
  // Some links are escaped once too often, so that the space around a URL is.
  const text = raw.replace(/^(?:\s|%20)+/i, '').trimEnd();
  // A line break or the like is no mistake of writing: its author wants to say more than a URL.
  if (/[\x00-\x1f\x7f]/.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (!schemes.has(url.protocol) || url.hostname === '') return null;
  url.hash = '';
  // Passkeys live in paths and queries, so the text is kept as its author wrote it; hosts are the same in any case.
  const kept = NOT_PRINTABLE.test(text) ? url.href : text;
  return kept.length > MAX_URL_CHARS ? null : { text: kept, identity: identityOf(url) };
}
