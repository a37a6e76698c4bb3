// The shell that carries announces and scrapes over HTTP and HTTPS: time limits, size limits (also after gunzip),
// redirects, and the address guard on what names really resolve to (docs/limits.md 2.22, 2.23). What is sent and what a
// reply means is the codec's business.
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { errors, request as send, type Dispatcher } from 'undici';
import { AddressPolicy } from '../../shared-protocol/address-policy.js';
import { NameResolver, type Caller, type ResolveName } from '../../shared-protocol/names/name-resolver.js';
import { systemClock } from '../../shared-protocol/clock.js';
import { Deadline } from '../../shared-protocol/deadline.js';
import { Outlet } from '../../shared-protocol/network/outlet.js';
import { InterimRefused, InterimResponses } from '../net/interim-responses.js';
import { judgeHost } from '../net/judge-host.js';
import { isHarmlessPath, NOT_ALLOWED, type Pin } from '../net/judge-target.js';
import { bareHost } from '../net/resolve-host.js';
import { SECOND_MS } from '../environment.js';
import {
  trackerFailure,
  withoutAnswer,
  type AnnounceOutcome,
  type AnnounceRequest,
  type HttpTrackerClient,
  type ScrapeOutcome,
  type ScrapeRequest,
  type TrackerFailure,
} from './client.js';
import { REPLY_MAX_BYTES } from './constants.js';
import { TrackerAgents } from './http-agents.js';
import { announceUrl, parseAnnounceReply, parseScrapeReply, scrapeQueryUrl } from './http-codec.js';
import { printable } from './printable.js';
import { readReply, TinyChunks } from './reply-body.js';
import { parseUrl, scrapeUrl } from './tracker-url.js';

export interface HttpTrackerClientOptions {
  readonly names: ResolveName;
  /** Silence after which a tracker counts as gone (libtorrent `tracker_receive_timeout`). */
  readonly receiveTimeoutMs: number;
  /** One announce with all its redirects (`tracker_completion_timeout`). */
  readonly completionTimeoutMs: number;
  /** The same for `stopped` (`stop_tracker_timeout`). */
  readonly stopTimeoutMs: number;
  readonly maxReplyBytes: number;
  readonly maxRedirects: number;
  /** Tells what addresses are to us. @default without ranges that are open, and without own addresses */
  readonly policy: AddressPolicy;
  /** Literal addresses that are not to be asked: those of the blocklist. @default none */
  readonly isBlocked: (address: string) => boolean;
  /** The way to trackers. @default the system's */
  readonly outlet: Outlet;
}

export const DEFAULT_HTTP_TRACKER_CLIENT_OPTIONS: Omit<HttpTrackerClientOptions, 'names' | 'outlet'> = {
  receiveTimeoutMs: 10 * SECOND_MS,
  completionTimeoutMs: 30 * SECOND_MS,
  stopTimeoutMs: 5 * SECOND_MS,
  maxReplyBytes: REPLY_MAX_BYTES,
  maxRedirects: 5,
  policy: new AddressPolicy(),
  isBlocked: () => false,
};

type Body = { readonly kind: 'body'; readonly bytes: Uint8Array };
type Fetched = (Body & { readonly from: Pin }) | TrackerFailure;

const unzip = promisify(gunzip);

/** The purpose of one request, and its rights. */
interface Errand {
  readonly purpose: 'announce' | 'scrape';
  readonly userAgent: string;
  readonly account: Caller;
  readonly mayReachInside: boolean;
  readonly timeoutMs: number;
}

export function createHttpTrackerClient(options: Partial<HttpTrackerClientOptions> = {}): HttpTrackerClient {
  const { names = new NameResolver().resolve } = options;
  const { outlet = new Outlet({ clock: systemClock, nameServers: null }) } = options;
  return new UndiciTrackerClient({ ...DEFAULT_HTTP_TRACKER_CLIENT_OPTIONS, ...options, names, outlet });
}

class UndiciTrackerClient implements HttpTrackerClient {
  readonly #agents: TrackerAgents;

  constructor(private readonly options: HttpTrackerClientOptions) {
    this.#agents = new TrackerAgents(options);
  }

  async announce(request: AnnounceRequest, signal: AbortSignal): Promise<AnnounceOutcome> {
    const { stopTimeoutMs, completionTimeoutMs } = this.options;
    const timeoutMs = request.event === 'stopped' ? stopTimeoutMs : completionTimeoutMs;
    const { account, mayReachInside, identity } = request;
    const errand = { purpose: 'announce', userAgent: identity.userAgent, account, mayReachInside, timeoutMs } as const;
    const fetched = await this.#fetch(announceUrl(request), errand, signal, () => request.onSending?.());
    if (fetched.kind === 'failed') return fetched;
    const outcome = parseAnnounceReply(fetched.bytes);
    if (outcome.kind === 'failed') return fetched.from.isOpen ? outcome : withoutAnswer(outcome);
    return fetched.from.isInside ? { ...outcome, isInside: true } : outcome;
  }

  async scrape(request: ScrapeRequest, signal: AbortSignal): Promise<ScrapeOutcome> {
    const url = scrapeUrl(request.url);
    if (!url) return trackerFailure('TRACKER_REFUSED', 'tracker has no scrape');
    const { account, mayReachInside, identity } = request;
    const timeoutMs = this.options.completionTimeoutMs;
    const errand = { purpose: 'scrape', userAgent: identity.userAgent, account, mayReachInside, timeoutMs } as const;
    const fetched = await this.#fetch(scrapeQueryUrl(url, request.infoHashes), errand, signal);
    if (fetched.kind === 'failed') return fetched;
    const outcome = parseScrapeReply(fetched.bytes);
    return outcome.kind === 'failed' && !fetched.from.isOpen ? withoutAnswer(outcome) : outcome;
  }

  async close(): Promise<void> {
    await this.#agents.close();
  }

  async #fetch(first: URL, errand: Errand, caller: AbortSignal, onSending = () => {}): Promise<Fetched> {
    const { timeoutMs } = errand;
    const deadline = new Deadline(timeoutMs, caller);
    try {
      return await deadline.race(this.#follow(first, errand, deadline.signal, onSending));
    } catch (thrown) {
      if (caller.aborted) return trackerFailure('TRACKER_ABORTED', 'given up');
      if (deadline.hasPassed) return trackerFailure('TRACKER_TIMEOUT', `no answer within ${timeoutMs / SECOND_MS} s`);
      return failureFrom(thrown);
    } finally {
      deadline.clear();
    }
  }

  async #follow(first: URL, errand: Errand, signal: AbortSignal, onSending: () => void): Promise<Fetched> {
    let url = first;
    let from: Pin | null = null;
    for (let redirects = 0; redirects <= this.options.maxRedirects; redirects++) {
      const { account, mayReachInside } = errand;
      const use = { mayReachInside, isHarmless: isHarmlessPath(url.pathname, errand.purpose) };
      const verdict = await judgeHost(this.options, 'trackers', url.hostname, account, use, signal);
      if (verdict.kind === 'refused') return trackerFailure('TRACKER_REFUSED', verdict.reason);
      // A tracker outside has no say in what lies inside.
      if (from?.isInside === false && verdict.isInside) return trackerFailure('TRACKER_REFUSED', NOT_ALLOWED);
      from = verdict;
      onSending();
      const answer = await this.#ask(url, from, errand, signal);
      if (!(answer instanceof URL)) return answer.kind === 'body' ? { ...answer, from } : answer;
      url = answer;
    }
    return trackerFailure('TRACKER_REFUSED', `more than ${this.options.maxRedirects} redirects`);
  }

  /** The body, or where a redirect leads. */
  async #ask(url: URL, pin: Pin, { userAgent }: Errand, signal: AbortSignal): Promise<Body | TrackerFailure | URL> {
    return this.#agents.use(bareHost(url.hostname), pin, signal, async (agent) => {
      const interim = new InterimResponses();
      const response = await send(url, {
        onInfo: () => interim.note(),
        dispatcher: agent,
        headers: { 'user-agent': userAgent, accept: '*/*', 'accept-encoding': 'gzip' },
        // Never held up: undici 7 throws uncatchably when a tracker hangs up meanwhile (nodejs/undici#5360).
        highWaterMark: this.options.maxReplyBytes + 1,
        signal: AbortSignal.any([signal, interim.signal]),
      });
      return redirectTarget(response, url) ?? (await this.#body(response));
    });
  }

  async #body(response: Dispatcher.ResponseData): Promise<Body | TrackerFailure> {
    if (response.statusCode < 200 || response.statusCode > 299) {
      discard(response);
      return trackerFailure('TRACKER_HTTP_STATUS', `HTTP status ${response.statusCode}`);
    }
    const raw = await readReply(response.body);
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

function failureFrom(thrown: unknown): TrackerFailure {
  if (thrown instanceof TinyChunks || thrown instanceof InterimRefused)
    return trackerFailure('TRACKER_REPLY_INVALID', thrown.message);
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
  ENETDOWN: 'no way out: the bound interface or the proxy is not there',
  UND_ERR_SOCKET: 'connection closed',
};
