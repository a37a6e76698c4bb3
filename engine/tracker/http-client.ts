// The shell that carries announces and scrapes over HTTP and HTTPS: time limits, size limits (also after gunzip),
// redirects, and the address guard on what names really resolve to (safety 2.22, 2.23). What is sent and what a
// reply means is the codec's business.
import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Agent, errors, request as send, type Dispatcher } from 'undici';
import { SECOND_MS } from '../ports.js';
import { judgeAddress, loopbackAllowed } from '../net/address-guard.js';
import {
  trackerFailure,
  type AnnounceOutcome,
  type AnnounceRequest,
  type HttpTrackerClient,
  type ScrapeOutcome,
  type ScrapeRequest,
  type TrackerFailure,
} from './client.js';
import { CLOSING_MAX_PER_HOST, REPLY_MAX_BYTES } from './constants.js';
import { announceUrl, parseAnnounceReply, parseScrapeReply, scrapeQueryUrl } from './http-codec.js';
import { printable } from './printable.js';
import { parseUrl, scrapeUrl } from './tracker-url.js';

export interface HttpTrackerClientOptions {
  /** Resolves names; always asked for all addresses. @default the system's resolver */
  readonly lookup: LookupFunction;
  /** Silence after which a tracker counts as gone (libtorrent `tracker_receive_timeout`). */
  readonly receiveTimeoutMs: number;
  /** One announce with all its redirects (`tracker_completion_timeout`). */
  readonly completionTimeoutMs: number;
  /** The same for `stopped` (`stop_tracker_timeout`). */
  readonly stopTimeoutMs: number;
  readonly maxReplyBytes: number;
  readonly maxRedirects: number;
  /** Literal addresses that are not to be asked: those of the blocklist. @default none */
  readonly isBlocked: (address: string) => boolean;
}

export const DEFAULT_HTTP_TRACKER_CLIENT_OPTIONS: HttpTrackerClientOptions = {
  lookup: systemLookup,
  receiveTimeoutMs: 10 * SECOND_MS,
  completionTimeoutMs: 30 * SECOND_MS,
  stopTimeoutMs: 5 * SECOND_MS,
  maxReplyBytes: REPLY_MAX_BYTES,
  maxRedirects: 5,
  isBlocked: () => false,
};

type Fetched = { readonly kind: 'body'; readonly bytes: Uint8Array } | TrackerFailure;

const unzip = promisify(gunzip);

/** Thrown inside a lookup; undici hands it on as the request's error. */
class AddressRefused extends Error {}

export function createHttpTrackerClient(options: Partial<HttpTrackerClientOptions> = {}): HttpTrackerClient {
  return new UndiciTrackerClient({ ...DEFAULT_HTTP_TRACKER_CLIENT_OPTIONS, ...options });
}

class UndiciTrackerClient implements HttpTrackerClient {
  // Two pools, because a kept connection does not resolve its name again: one opened to loopback for a harmless
  // path must not serve any other path.
  readonly #strict: Agent;
  readonly #withLoopback: Agent;

  constructor(private readonly options: HttpTrackerClientOptions) {
    this.#strict = newAgent(options, false);
    this.#withLoopback = newAgent(options, true);
  }

  async announce(request: AnnounceRequest, signal: AbortSignal): Promise<AnnounceOutcome> {
    const { stopTimeoutMs, completionTimeoutMs } = this.options;
    const timeoutMs = request.event === 'stopped' ? stopTimeoutMs : completionTimeoutMs;
    const { userAgent } = request.identity;
    const fetched = await this.#fetch(announceUrl(request), 'announce', userAgent, signal, timeoutMs);
    return fetched.kind === 'failed' ? fetched : parseAnnounceReply(fetched.bytes);
  }

  async scrape(request: ScrapeRequest, signal: AbortSignal): Promise<ScrapeOutcome> {
    const url = scrapeUrl(request.url);
    if (!url) return trackerFailure('TRACKER_REFUSED', 'tracker has no scrape');
    const { userAgent } = request.identity;
    const target = scrapeQueryUrl(url, request.infoHashes);
    const fetched = await this.#fetch(target, 'scrape', userAgent, signal, this.options.completionTimeoutMs);
    return fetched.kind === 'failed' ? fetched : parseScrapeReply(fetched.bytes);
  }

  async close(): Promise<void> {
    await Promise.all([this.#strict.destroy(), this.#withLoopback.destroy()]);
  }

  async #fetch(
    first: URL,
    purpose: 'announce' | 'scrape',
    userAgent: string,
    caller: AbortSignal,
    timeoutMs: number,
  ): Promise<Fetched> {
    const deadline = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([caller, deadline]);
    try {
      let url = first;
      for (let redirects = 0; redirects <= this.options.maxRedirects; redirects++) {
        const harmless = loopbackAllowed(url.pathname, purpose);
        const literal = url.hostname.replace(/^\[|\]$/g, '');
        const verdict = isIP(literal) ? judgeAddress(literal, harmless, this.options.isBlocked) : null;
        if (verdict?.kind === 'refused') return trackerFailure('TRACKER_REFUSED', verdict.reason);
        const response = await send(url, {
          dispatcher: harmless ? this.#withLoopback : this.#strict,
          headers: { 'user-agent': userAgent, accept: '*/*', 'accept-encoding': 'gzip' },
          // Never held up: undici 7 throws where nobody can catch when a tracker hangs up meanwhile (nodejs/undici#5360).
          highWaterMark: this.options.maxReplyBytes + 1,
          signal,
        });
        const next = redirectTarget(response, url);
        if (next === null) return await this.#body(response);
        if (!(next instanceof URL)) return next;
        url = next;
      }
      return trackerFailure('TRACKER_REFUSED', `more than ${this.options.maxRedirects} redirects`);
    } catch (thrown) {
      if (caller.aborted) return trackerFailure('TRACKER_ABORTED', 'given up');
      if (deadline.aborted) return trackerFailure('TRACKER_TIMEOUT', `no answer within ${timeoutMs / SECOND_MS} s`);
      return failureFrom(thrown);
    }
  }

  async #body(response: Dispatcher.ResponseData): Promise<Fetched> {
    if (response.statusCode < 200 || response.statusCode > 299) {
      discard(response);
      return trackerFailure('TRACKER_HTTP_STATUS', `HTTP status ${response.statusCode}`);
    }
    const raw = new Uint8Array(await response.body.arrayBuffer());
    const encoding = response.headers['content-encoding'];
    if (encoding !== 'gzip' && encoding !== 'x-gzip') return { kind: 'body', bytes: raw };
    try {
      return { kind: 'body', bytes: await unzip(raw, { maxOutputLength: this.options.maxReplyBytes }) };
    } catch (thrown) {
      const tooLarge = thrown instanceof RangeError;
      return tooLarge
        ? trackerFailure('TRACKER_REPLY_TOO_LARGE', `reply larger than ${this.options.maxReplyBytes} bytes`)
        : trackerFailure('TRACKER_REPLY_INVALID', 'reply is not gzip as it says');
    }
  }
}

/** Null when the response is not a redirect. */
function redirectTarget(response: Dispatcher.ResponseData, from: URL): URL | TrackerFailure | null {
  const location = response.headers['location'];
  if (![301, 302, 303, 307, 308].includes(response.statusCode) || typeof location !== 'string') return null;
  discard(response);
  const to = parseUrl(location, from);
  if (!to || !/^https?:$/.test(to.protocol)) return trackerFailure('TRACKER_REFUSED', 'redirect to no HTTP URL');
  if (from.protocol === 'https:' && to.protocol === 'http:') {
    return trackerFailure('TRACKER_REFUSED', 'redirect from HTTPS to HTTP');
  }
  return to;
}

/** Closes the connection: keeping it would mean reading a body of unknown length. */
function discard(response: Dispatcher.ResponseData): void {
  response.body.on('error', () => undefined).destroy();
}

function newAgent(options: HttpTrackerClientOptions, loopback: boolean): Agent {
  return new Agent({
    connections: CLOSING_MAX_PER_HOST,
    pipelining: 1,
    headersTimeout: options.receiveTimeoutMs,
    bodyTimeout: options.receiveTimeoutMs,
    maxResponseSize: options.maxReplyBytes,
    connect: { timeout: options.receiveTimeoutMs, lookup: guardedLookup(options, loopback) },
  });
}

/** Resolves and judges in one step, so that the address connected to is the one that was judged. */
function guardedLookup({ lookup, isBlocked }: HttpTrackerClientOptions, loopback: boolean): LookupFunction {
  return (hostname, lookupOptions, callback) => {
    lookup(hostname, { ...lookupOptions, all: true }, (error, found) => {
      if (error) return callback(error, '', 0);
      const all: LookupAddress[] = typeof found === 'string' ? [{ address: found, family: isIP(found) }] : found;
      let reason = 'no address';
      const allowed = all.filter(({ address }) => {
        const verdict = judgeAddress(address, loopback, isBlocked);
        if (verdict.kind === 'refused') reason = verdict.reason;
        return verdict.kind === 'allowed';
      });
      const first = allowed[0];
      if (!first) return callback(new AddressRefused(reason), '', 0);
      if (lookupOptions.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}

function failureFrom(thrown: unknown): TrackerFailure {
  if (thrown instanceof AddressRefused) return trackerFailure('TRACKER_REFUSED', thrown.message);
  if (thrown instanceof errors.ResponseExceededMaxSizeError) {
    return trackerFailure('TRACKER_REPLY_TOO_LARGE', 'reply too large');
  }
  if (thrown instanceof errors.HTTPParserError) return trackerFailure('TRACKER_REPLY_INVALID', 'not an HTTP reply');
  if (
    thrown instanceof errors.ConnectTimeoutError ||
    thrown instanceof errors.HeadersTimeoutError ||
    thrown instanceof errors.BodyTimeoutError
  ) {
    return trackerFailure('TRACKER_TIMEOUT', 'timed out');
  }
  return trackerFailure('TRACKER_UNREACHABLE', networkReason(thrown));
}

/** A system error's code says enough; its message may hold the URL. */
function networkReason(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return networkReason(thrown.errors[0]);
  if (thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string') {
    return REASONS[thrown.code] ?? printable(thrown.code);
  }
  return 'connection failed';
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  ENOTFOUND: 'host name not found',
  EAI_AGAIN: 'host name lookup failed',
  UND_ERR_SOCKET: 'connection closed',
};
