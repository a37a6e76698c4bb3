// Which link of an item of a feed leads to its torrent (docs/semantics.md section 14): a magnet, an enclosure, or an
// http(s) link. Trackers and proxies for them name no file in it (`torrents.php?action=download&…`); what is fetched
// must be a torrent anyway. Pure.

export interface Link {
  /** `page`: the item's own; `other`: from elsewhere, good for a magnet or a torrent file. */
  readonly kind: 'enclosure' | 'page' | 'other';
  readonly url: string;
  /** Media type; empty: not given. */
  readonly type: string;
}

/** Some write more behind it: `application/x-bittorrent;x-scheme-handler/magnet`. */
const TORRENT_TYPE = /^application\/x-bittorrent\b/i;
/** Pictures and sounds of podcasts are enclosures too. */
const MAYBE_TORRENT_TYPE = /^(?:application\/.*)?$/i;

/** Absolute; '' where there is none. */
export function torrentUrlIn(links: readonly Link[], feedUrl: string): string {
  const magnet = links.find(({ url }) => /^magnet:\?/i.test(url));
  if (magnet) return magnet.url;
  const usable = links.flatMap((link) => {
    const url = reachable(link.url, feedUrl);
    return url === null ? [] : [{ ...link, url }];
  });
  const first = (isMeant: (link: Link) => boolean) => usable.find(isMeant)?.url;
  return (
    first(({ kind, type }) => kind === 'enclosure' && TORRENT_TYPE.test(type)) ??
    first(({ url }) => /\.torrent$/i.test(new URL(url).pathname)) ??
    first(({ kind, type }) => kind === 'enclosure' && MAYBE_TORRENT_TYPE.test(type)) ??
    first(({ kind }) => kind === 'page') ??
    ''
  );
}

/** Plain http only where the feed itself came so, or from the same host. */
function reachable(written: string, feedUrl: string): string | null {
  const feed = URL.canParse(feedUrl) ? new URL(feedUrl) : null;
  const url = written.startsWith('/') && feed ? new URL(written, feed).href : written;
  if (!URL.canParse(url)) return null;
  const { protocol, hostname } = new URL(url);
  if (protocol === 'https:') return url;
  return protocol === 'http:' && feed && (feed.protocol === 'http:' || feed.hostname === hostname) ? url : null;
}
