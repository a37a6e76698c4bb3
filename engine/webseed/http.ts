// The shell that asks web seeds for ranges of files over HTTP and HTTPS: redirects, connections, the cut at the end of
// the range. What may be asked is the pins' business, what is a good answer the judge's. No time limits here: the
// caller has the clock, and gives up by the signal.
import { Agent, errors, request as send, type Dispatcher } from 'undici';
import { AddressPolicy } from '../../shared-protocol/address-policy.js';
import { NameResolver, type ResolveName } from '../../shared-protocol/names/name-resolver.js';
import { systemClock } from '../../shared-protocol/clock.js';
import { Outlet } from '../../shared-protocol/network/outlet.js';
import { guarded } from '../net/guarded-connector.js';
import { InterimRefused, InterimResponses } from '../net/interim-responses.js';
import { outletConnector } from '../net/outlet-connector.js';
import type { Clock } from '../environment.js';
import {
  KEEP_CONNECTION_MS,
  MAX_HEADER_BYTES,
  MAX_REDIRECT_BODY_BYTES,
  MAX_REDIRECTS,
  SILENCE_TIMEOUT_MS,
} from './constants.js';
import type { Pin, TargetAccess } from '../net/judge-target.js';
import { HostPins } from './host-pins.js';
import { judgeResponse } from './response.js';
import { SeedFailure, type ByteRange, type RangeAnswer, type RangeClient, type WebSeedHttp } from './types.js';

export interface WebSeedHttpOptions {
  readonly names: ResolveName;
  /** Tells what addresses are to us. @default without ranges that are open, and without own addresses */
  readonly policy: AddressPolicy;
  /** Literal addresses that are not to be asked: those of the blocklist. @default none */
  readonly isBlocked: (address: string) => boolean;
  /** Certificates trusted instead of the system's, in PEM. @default none */
  readonly certificateAuthorities: readonly string[];
  /** The way to web seeds. @default the system's */
  readonly outlet: Outlet;
}

export const DEFAULT_WEB_SEED_HTTP_OPTIONS: Omit<WebSeedHttpOptions, 'names' | 'outlet'> = {
  policy: new AddressPolicy(),
  isBlocked: () => false,
  certificateAuthorities: [],
};

/** The clock is asked for the dates in `Retry-After`. */
export function createWebSeedHttp(
  deps: { readonly clock: Pick<Clock, 'unixMs'> },
  options: Partial<WebSeedHttpOptions> = {},
): WebSeedHttp {
  const { names = new NameResolver().resolve } = options;
  const { outlet = new Outlet({ clock: systemClock, nameServers: null }) } = options;
  const whole = { ...DEFAULT_WEB_SEED_HTTP_OPTIONS, ...options, names, outlet };
  return {
    newClient: (userAgent, access) => new UndiciRangeClient(userAgent, access, deps.clock, whole),
  };
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

class UndiciRangeClient implements RangeClient {
  readonly #pins: HostPins;
  readonly #agent: Agent;
  /** Whether a connection may be an old one, which the server may be closing at this moment. */
  #hasConnected = false;

  constructor(
    private readonly userAgent: string,
    access: TargetAccess,
    private readonly clock: Pick<Clock, 'unixMs'>,
    options: WebSeedHttpOptions,
  ) {
    const { outlet, certificateAuthorities } = options;
    this.#pins = new HostPins(options, access);
    this.#agent = new Agent({
      connections: 1,
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: KEEP_CONNECTION_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      connect: guarded(
        outletConnector(
          { outlet, purpose: 'peers', pinOf: (host) => this.#pins.of(host) },
          {
            timeout: SILENCE_TIMEOUT_MS,
            rejectUnauthorized: true,
            ...(certificateAuthorities.length > 0 ? { ca: [...certificateAuthorities] } : {}),
          },
        ),
      ),
    });
  }

  async get(first: URL, range: ByteRange, signal: AbortSignal): Promise<RangeAnswer> {
    try {
      let url = first;
      let from: Pin | null = null;
      for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
        from = await this.#pins.admit(url, from, signal);
        const response = await this.#send(url, range, signal);
        const next = redirectTarget(response, url);
        if (!next) return this.#answer(response, range);
        await response.body.dump({ limit: MAX_REDIRECT_BODY_BYTES });
        url = next;
      }
      return { kind: 'failed', reason: `more than ${MAX_REDIRECTS} redirects` };
    } catch (thrown) {
      return { kind: 'failed', reason: seedFailureReason(thrown) };
    }
  }

  close(): void {
    this.#agent.destroy().catch(() => undefined);
  }

  /** A kept connection may end just as it is used: that is no fault of the seed, and asking twice does no harm. */
  async #send(url: URL, range: ByteRange, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const mayRetry = this.#hasConnected;
    try {
      return await this.#sendOnce(url, range, signal);
    } catch (thrown) {
      if (!mayRetry || signal.aborted || !isLostConnection(thrown)) throw thrown;
      return await this.#sendOnce(url, range, signal);
    }
  }

  async #sendOnce(url: URL, range: ByteRange, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const credentials = url.username === '' ? null : `${decode(url.username)}:${decode(url.password)}`;
    const interim = new InterimResponses();
    const response = await send(url, {
      dispatcher: this.#agent,
      onInfo: () => interim.note(),
      headers: {
        'user-agent': this.userAgent,
        accept: '*/*',
        // What is compressed cannot be cut at a byte.
        'accept-encoding': 'identity',
        range: `bytes=${range.first}-${range.last}`,
        ...(credentials ? { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` } : {}),
      },
      signal: AbortSignal.any([signal, interim.signal]),
    });
    this.#hasConnected = true;
    // A body that is ended before it is read would otherwise have no listener to tell.
    response.body.on('error', () => undefined);
    return response;
  }

  #answer(response: Dispatcher.ResponseData, range: ByteRange): RangeAnswer {
    const refusal = judgeResponse(response.statusCode, response.headers, range, this.clock.unixMs());
    if (!refusal) return { kind: 'body', chunks: exactly(response.body, range.last - range.first + 1) };
    // Closes the connection: keeping it would mean reading a body of unknown length.
    response.body.destroy();
    return refusal;
  }
}

/** Null when the response is no redirect. @throws SeedFailure for one that is not followed */
function redirectTarget(response: Dispatcher.ResponseData, from: URL): URL | null {
  const { location } = response.headers;
  if (!REDIRECTS.has(response.statusCode) || typeof location !== 'string') return null;
  const refuse = (reason: string): SeedFailure => {
    response.body.destroy();
    return new SeedFailure(reason);
  };
  if (!URL.canParse(location, from.href)) throw refuse('redirect to no URL');
  const to = new URL(location, from);
  if (!/^https?:$/.test(to.protocol)) throw refuse('redirect to no HTTP URL');
  if (from.protocol === 'https:' && to.protocol === 'http:') throw refuse('redirect from HTTPS to HTTP');
  return to;
}

/** The body, which must be so long; never more of it. */
async function* exactly(body: Dispatcher.ResponseData['body'], length: number): AsyncGenerator<Uint8Array> {
  let left = length;
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      if (chunk.length > left) {
        if (left > 0) yield chunk.subarray(0, left);
        throw new SeedFailure('body longer than the range');
      }
      left -= chunk.length;
      yield chunk;
    }
  } catch (thrown) {
    throw new SeedFailure(seedFailureReason(thrown));
  }
  if (left > 0) throw new SeedFailure(`body ended ${left} bytes too early`);
}

function isLostConnection(thrown: unknown): boolean {
  if (!(thrown instanceof Error) || !('code' in thrown)) return false;
  return thrown.code === 'UND_ERR_SOCKET' || thrown.code === 'ECONNRESET' || thrown.code === 'EPIPE';
}

/** A system error's code says enough; its message may hold the URL. */
function seedFailureReason(thrown: unknown): string {
  if (thrown instanceof SeedFailure || thrown instanceof InterimRefused) return thrown.message;
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return seedFailureReason(thrown.errors[0]);
  if (thrown instanceof errors.HTTPParserError) return 'not an HTTP answer';
  if (!(thrown instanceof Error) || !('code' in thrown) || typeof thrown.code !== 'string') return 'connection failed';
  return REASONS[thrown.code] ?? `connection failed (${thrown.code.replace(/[^\w]+/g, ' ').slice(0, 60)})`;
}

const REASONS: Readonly<Record<string, string>> = {
  ABORT_ERR: 'given up',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  ENETDOWN: 'no way out: the bound interface or the proxy is not there',
  ENOTFOUND: 'host name not found',
  EAI_AGAIN: 'host name lookup failed',
  UND_ERR_ABORTED: 'given up',
  UND_ERR_CONNECT_TIMEOUT: 'timed out while connecting',
  UND_ERR_HEADERS_OVERFLOW: 'headers too large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'body shorter than the range',
  UND_ERR_SOCKET: 'connection closed',
};

/** Percent-encoding that is none stands for itself. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
