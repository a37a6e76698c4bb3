// Every fetch on behalf of a user goes through here (docs/limits.md 2.22). Owns the order: URL judged -> name resolved
// once -> every address judged -> connected to exactly these -> the same for each redirect. Also the caps on time, on
// size and on how many run at a time.
import type { WebSocket } from 'ws';
import { AddressPolicy } from '../../shared-protocol/address-policy.js';
import { systemClock } from '../../shared-protocol/clock.js';
import { Outlet } from '../../shared-protocol/network/outlet.js';
import { NameResolver, type Caller } from '../../shared-protocol/names/name-resolver.js';
import type { ErrorData } from '../../shared-protocol/errors.js';
import { because } from '../../shared-protocol/reasons.js';
import { RequestError } from '../errors.js';
import { ACCEPTED_ENCODINGS, collect, decodedBody, type Chunks } from './body.js';
import { Deadline } from '../../shared-protocol/deadline.js';
import { connectionFailed, fetchFailed, fetchRefused, statusFailed } from './failure.js';
import { FetchSlots } from './fetch-slots.js';
import type { PinnedTarget } from './pinned-connection.js';
import { sendPinned, type RawResponse } from './pinned-request.js';
import { Resolver } from './resolver.js';
import { HandshakeRefused, openPinned } from './pinned-websocket.js';
import type {
  Asked,
  EgressOptions,
  Fetched,
  FetchOptions,
  ListenOptions,
  PostOptions,
  RequestOptions,
} from './types.js';
import { authorizationFor, parseTarget, redirectTarget, type Target } from './url-policy.js';

const SECOND_MS = 1_000;
const DEFAULT_TIMEOUT_MS = 30 * SECOND_MS;
const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const NOT_MODIFIED = 304;
const NOT_PUBLIC = 'This URL points to a private address. Allow it with --fetch-allow.';

export type {
  Asked,
  EgressOptions,
  Fetched,
  FetchOptions,
  ListenOptions,
  PostOptions,
  RequestOptions,
} from './types.js';

const DEFAULT_EGRESS_OPTIONS: Omit<EgressOptions, 'names' | 'outlet'> = {
  policy: new AddressPolicy(),
  userAgent: 'swarmd',
  // A request of a user waits with it.
  checkLookupMs: 3 * SECOND_MS,
  certificateAuthorities: [],
};

type Followed =
  { readonly kind: 'response'; readonly response: RawResponse } | { readonly kind: 'magnet'; readonly uri: string };

export class Egress {
  readonly #options: EgressOptions;
  readonly #resolver: Resolver;
  readonly #slots = new FetchSlots();
  /** Slots of their own: receivers that are slow hold up no fetch that a person waits for. */
  readonly #postSlots = new FetchSlots();

  constructor(options: Partial<EgressOptions> = {}) {
    const { names = new NameResolver().resolve } = options;
    const { outlet = new Outlet({ clock: systemClock, nameServers: null }) } = options;
    this.#options = { ...DEFAULT_EGRESS_OPTIONS, ...options, names, outlet };
    this.#resolver = new Resolver(names, this.#options.policy);
  }

  /**
   * The whole body at once.
   * @throws RequestError `FETCH_REFUSED` (may not be fetched), `FETCH_FAILED` (the other side or the network)
   */
  fetch(url: string, options: FetchOptions): Promise<Fetched> {
    return this.#run(url, options, async (followed) => {
      if (followed.kind === 'magnet') return followed;
      const { status, headers } = followed.response;
      return { kind: 'body', status, headers, bytes: await collect(bodyOf(followed.response, options)) };
    });
  }

  /**
   * The body as it comes, for what need not be in memory as a whole; `consume` may throw errors of its own.
   * @throws as {@link fetch}; a redirect to a magnet is refused
   */
  read<Result>(
    url: string,
    options: FetchOptions,
    consume: (body: Chunks, head: Pick<RawResponse, 'status' | 'headers'>) => Promise<Result>,
  ): Promise<Result> {
    return this.#run(url, options, (followed) => {
      if (followed.kind === 'magnet') throw fetchRefused('redirect to a magnet');
      return consume(bodyOf(followed.response, options), followed.response);
    });
  }

  /**
   * Sends a text. Returns the status, whatever it is; a redirect is not followed, and what is answered not read.
   * @throws as {@link fetch}
   */
  post(url: string, text: string, options: PostOptions): Promise<number> {
    const { caller, headers } = options;
    return this.#inTime(options, this.#postSlots, async (deadline) => {
      const target = httpTarget(url);
      const length = String(Buffer.byteLength(text));
      const request = { caller, headers: { ...headers, 'content-length': length }, body: text };
      const { status, close } = await this.#send(target, target, request, deadline);
      close();
      return status;
    });
  }

  /**
   * Asks a service that takes our credentials. Takes no slot of those that fetch: whoever asks bounds how many do.
   * @throws as {@link fetch}
   */
  ask(url: string, options: RequestOptions): Promise<Asked> {
    const { caller, certificate, method, headers, body, maxBytes } = options;
    return this.#within(options, async (deadline) => {
      const target = await this.#targetOf(httpTarget(url), caller, certificate, deadline);
      const agreed = { 'user-agent': this.#options.userAgent, 'accept-encoding': ACCEPTED_ENCODINGS };
      const request = {
        ...target,
        method,
        headers: { ...headers, ...agreed },
        ...(body === undefined ? {} : { body }),
      };
      const response = await sendPinned(request, deadline.signal);
      try {
        const bytes = await collect(bodyOf(response, { maxBytes }));
        return { status: response.status, headers: response.headers, bytes };
      } finally {
        response.close();
      }
    });
  }

  /** The addresses of the host of a URL that may be connected to; none: only others. Rejects when it has none. */
  async addressesOf(url: string, caller: Caller): Promise<readonly string[]> {
    return this.#within({}, async (deadline) => {
      const target = httpTarget(url);
      const found = await deadline.race(this.#resolver.resolve(target, caller, deadline.signal));
      return found.map(({ address }) => address);
    });
  }

  /**
   * Opens a WebSocket to a service that takes our credentials; resolves when it is open, and has not been read yet. `http`
   * stands for `ws` in its URL.
   * @throws as {@link fetch}; HandshakeRefused for an answer that is not the one that was hoped for
   */
  listen(url: string, options: ListenOptions): Promise<WebSocket> {
    const { caller, certificate, headers, maxBytes } = options;
    return this.#within(options, async (deadline) => {
      const target = await this.#targetOf(httpTarget(url), caller, certificate, deadline);
      const told = { ...headers, 'user-agent': this.#options.userAgent };
      return openPinned({ ...target, headers: told, maxBytes }, deadline.signal);
    });
  }

  /**
   * Judges what can be told of a URL when it is stored (docs/semantics.md section 9). A name that does not resolve
   * passes: the machine may be offline, and a fetch judges again. @throws RequestError `URL_REFUSED`, naming the field
   */
  async check(url: string, field: string, caller: Caller): Promise<void> {
    const target = parseTarget(url);
    if (target.kind !== 'http') {
      throw refusedAs((reason, data) => new RequestError('URL_REFUSED', `${field}: ${reason}`, data), target);
    }
    const deadline = new Deadline(this.#options.checkLookupMs);
    const addresses = await deadline
      .race(this.#resolver.resolve(target.url, caller, deadline.signal))
      .catch(() => null);
    deadline.clear();
    if (addresses?.length === 0)
      throw new RequestError('URL_REFUSED', `${field}: ${NOT_PUBLIC}`, because('URL_PRIVATE'));
  }

  #run<Result>(url: string, options: FetchOptions, finish: (followed: Followed) => Promise<Result>): Promise<Result> {
    return this.#inTime(options, this.#slots, async (deadline) => {
      const followed = await this.#follow(url, options, deadline);
      try {
        return await finish(followed);
      } finally {
        if (followed.kind === 'response') followed.response.close();
      }
    });
  }

  #inTime<Result>(
    options: Pick<FetchOptions, 'caller' | 'signal' | 'timeoutMs'>,
    slots: FetchSlots,
    work: (deadline: Deadline) => Promise<Result>,
  ): Promise<Result> {
    return this.#within(options, async (deadline) => {
      const done = await slots.run(options.caller, deadline.signal, () => work(deadline));
      if (!done) throw fetchFailed('too many fetches at a time', because('TOO_MANY_FETCHES'));
      return done.result;
    });
  }

  async #within<Result>(
    { signal, timeoutMs = DEFAULT_TIMEOUT_MS }: Pick<FetchOptions, 'signal' | 'timeoutMs'>,
    work: (deadline: Deadline) => Promise<Result>,
  ): Promise<Result> {
    const deadline = new Deadline(timeoutMs, signal);
    try {
      return await work(deadline);
    } catch (thrown) {
      if (deadline.hasPassed) throw fetchFailed(`not complete within ${timeoutMs / SECOND_MS} s`, because('TIMED_OUT'));
      if (deadline.signal.aborted) throw fetchFailed('given up');
      const isKnown = thrown instanceof RequestError || thrown instanceof HandshakeRefused;
      throw isKnown ? thrown : connectionFailed(thrown);
    } finally {
      deadline.clear();
    }
  }

  async #follow(text: string, options: FetchOptions, deadline: Deadline): Promise<Followed> {
    let target = parseTarget(text);
    const asked = target.kind === 'http' ? target.url : null;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      if (target.kind === 'magnet') return target;
      if (target.kind === 'refused' || !asked) throw refusedAs(fetchRefused, target);
      const response = await this.#send(target.url, asked, options, deadline);
      const location = REDIRECTS.has(response.status) ? response.headers['location'] : undefined;
      if (location === undefined) return { kind: 'response', response: accepted(response) };
      response.close();
      target = redirectTarget(location, target.url);
    }
    throw fetchRefused(`more than ${MAX_REDIRECTS} redirects`);
  }

  async #send(
    url: URL,
    asked: URL,
    options: Pick<FetchOptions, 'caller' | 'headers' | 'cookie'> & { readonly body?: string },
    deadline: Deadline,
  ): Promise<RawResponse> {
    const target = await this.#targetOf(url, options.caller, null, deadline);
    const authorization = authorizationFor(asked, url);
    const headers = {
      ...options.headers,
      'user-agent': this.#options.userAgent,
      accept: '*/*',
      'accept-encoding': ACCEPTED_ENCODINGS,
      ...(authorization === null ? {} : { authorization }),
      ...(options.cookie && url.origin === asked.origin ? { cookie: options.cookie } : {}),
    };
    const { body } = options;
    return sendPinned({ ...target, headers, ...(body === undefined ? {} : { body }) }, deadline.signal);
  }

  async #targetOf(url: URL, caller: Caller, certificate: string | null, deadline: Deadline): Promise<PinnedTarget> {
    const addresses = await deadline.race(this.#resolver.resolve(url, caller, deadline.signal));
    if (addresses.length === 0) throw fetchRefused(NOT_PUBLIC, because('URL_PRIVATE'));
    const { certificateAuthorities, outlet } = this.#options;
    return { url, addresses, certificateAuthorities, certificate, outlet };
  }
}

/** @throws RequestError `FETCH_FAILED` for a status that is no success */
function accepted(response: RawResponse): RawResponse {
  const { status } = response;
  if ((status >= 200 && status < 300) || status === NOT_MODIFIED) return response;
  response.close();
  throw statusFailed(status);
}

function bodyOf({ body, headers }: RawResponse, { maxBytes }: Pick<FetchOptions, 'maxBytes'>): Chunks {
  return decodedBody(body, headers['content-encoding'] ?? '', maxBytes);
}

/** @throws RequestError `FETCH_REFUSED` */
function httpTarget(url: string): URL {
  const target = parseTarget(url);
  if (target.kind !== 'http') throw refusedAs(fetchRefused, target);
  return target.url;
}

function refusedAs(refused: (reason: string, data: ErrorData) => RequestError, target: Target): RequestError {
  const [reason, isOtherKind] =
    target.kind === 'refused' ? [target.reason, target.isOtherKind] : ['expected an http or https URL', true];
  return refused(reason, isOtherKind ? because('URL_NOT_HTTP') : {});
}
