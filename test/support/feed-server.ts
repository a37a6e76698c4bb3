// What feeds and torrent files are got from in virtual time: stands for the egress. Knows ETag and Last-Modified as servers
// do, and notes who asked what when.
import type { Fetched, FetchOptions } from '../../api/egress/egress.js';
import { RequestError } from '../../api/errors.js';
import type { Clock } from '../../shared-protocol/clock.js';

export interface Page {
  readonly body: string | Uint8Array;
  readonly etag?: string;
  readonly lastModified?: string;
}

export interface Visit {
  readonly url: string;
  readonly atMs: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;
}

export class FeedServer {
  readonly pages = new Map<string, Page>();
  readonly visits: Visit[] = [];
  /** Answers wait for it, unless who asked gives up; those of one URL for that of the URL. */
  heldBy: Promise<void> = Promise.resolve();
  readonly held = new Map<string, Promise<void>>();
  running = 0;
  mostAtATime = 0;

  constructor(private readonly clock: Clock) {}

  visitsOf(url: string): Visit[] {
    return this.visits.filter((visit) => visit.url === url);
  }

  readonly fetch = async (url: string, { headers = {}, signal }: FetchOptions): Promise<Fetched> => {
    const atMs = this.clock.nowMs();
    this.mostAtATime = Math.max(this.mostAtATime, ++this.running);
    const givenUp = new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()));
    await Promise.race([Promise.all([this.heldBy, this.held.get(url)]), givenUp]);
    this.running--;
    if (signal?.aborted) throw new RequestError('FETCH_FAILED', 'given up');
    const page = this.pages.get(url);
    const isKnown = page?.etag !== undefined && headers['if-none-match'] === page.etag;
    const isOld = page?.lastModified !== undefined && headers['if-modified-since'] === page.lastModified;
    const status = !page ? 404 : isKnown || isOld ? 304 : 200;
    this.visits.push({ url, atMs, headers, status });
    if (!page) throw new RequestError('FETCH_FAILED', 'HTTP status 404');
    return {
      kind: 'body',
      status,
      headers: {
        ...(page.etag === undefined ? {} : { etag: page.etag }),
        ...(page.lastModified === undefined ? {} : { 'last-modified': page.lastModified }),
      },
      bytes: status === 304 ? new Uint8Array() : Uint8Array.from(Buffer.from(page.body)),
    };
  };
}

export interface RssItem {
  readonly guid: string;
  readonly title?: string;
  readonly url?: string;
}

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** The newest first, as servers do. */
export function rssOf(items: readonly RssItem[]): string {
  const bodies = items.map(
    ({ guid, title = guid, url = '' }) =>
      `<item><title>${escapeXml(title)}</title><guid>${escapeXml(guid)}</guid><link>${escapeXml(url)}</link></item>`,
  );
  return `<rss version="2.0"><channel><title>f</title>${bodies.join('')}</channel></rss>`;
}
