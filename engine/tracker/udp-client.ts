// The shell that carries announces and scrapes over UDP (BEP 15): resolves names, keeps connection ids as long as
// they may be used, retries with short waits of our own, and bounds the whole. Sockets belong to the exchange.
import { abortForMany } from '../../shared-protocol/abort-for-many.js';
import { AddressPolicy } from '../../shared-protocol/address-policy.js';
import { Outlet } from '../../shared-protocol/network/outlet.js';
import { NameResolver, type ResolveName } from '../../shared-protocol/names/name-resolver.js';
import { judgeHost } from '../net/judge-host.js';
import type { Pin } from '../net/judge-target.js';
import { bareHost } from '../net/resolve-host.js';
import { SECOND_MS, type Clock, type Random } from '../environment.js';
import {
  trackerFailure,
  withoutAnswer,
  type AnnounceOutcome,
  type AnnounceRequest,
  type ScrapeOutcome,
  type ScrapeRequest,
  type TrackerFailure,
  type UdpTrackerClient,
} from './client.js';
import { udpPortOf } from './tracker-url.js';
import { encodeAnnounce, encodeConnect, encodeScrape } from './udp-codec.js';
import { UdpExchange, type UdpAddress, type UdpOutcome } from './udp-exchange.js';

export interface UdpTrackerClientOptions {
  readonly names: ResolveName;
  /** Waits after each sending of a packet. BEP 15 has 15 s * 2^n up to an hour; as all clients we wait less. */
  readonly waitsMs: readonly number[];
  /** One announce, with resolving and connecting. */
  readonly completionTimeoutMs: number;
  /** The same for `stopped`. */
  readonly stopTimeoutMs: number;
  /** BEP 15: "a client can use a connection ID until one minute after it has received it". */
  readonly connectionIdLifeMs: number;
  /** Sockets close after so long without a request. */
  readonly idleMs: number;
  /** Tells what addresses are to us. @default without ranges that are open, and without own addresses */
  readonly policy: AddressPolicy;
  /** Literal addresses that are not to be asked: those of the blocklist. @default none */
  readonly isBlocked: (address: string) => boolean;
  /** The way to trackers. @default the system's */
  readonly outlet: Outlet;
}

export const DEFAULT_UDP_TRACKER_CLIENT_OPTIONS: Omit<UdpTrackerClientOptions, 'names' | 'outlet'> = {
  waitsMs: [3 * SECOND_MS, 6 * SECOND_MS, 12 * SECOND_MS],
  completionTimeoutMs: 30 * SECOND_MS,
  stopTimeoutMs: 5 * SECOND_MS,
  connectionIdLifeMs: 60 * SECOND_MS,
  idleMs: 60 * SECOND_MS,
  policy: new AddressPolicy(),
  isBlocked: () => false,
};

const NOT_THROUGH_PROXY = 'trackers over UDP are not asked through a proxy of HTTP';

interface UdpTrackerClientDeps {
  readonly clock: Clock;
  /** Must be unpredictable: transaction ids come from it. */
  readonly random: Random;
}

interface Connection {
  readonly id: bigint;
  readonly receivedMs: number;
}

type Connected = { readonly kind: 'connected'; readonly id: bigint } | TrackerFailure;

export function createUdpTrackerClient(
  deps: UdpTrackerClientDeps,
  options: Partial<UdpTrackerClientOptions> = {},
): UdpTrackerClient {
  const { names = new NameResolver().resolve, outlet = new Outlet({ clock: deps.clock, nameServers: null }) } = options;
  return new DatagramTrackerClient(deps, { ...DEFAULT_UDP_TRACKER_CLIENT_OPTIONS, ...options, names, outlet });
}

class DatagramTrackerClient implements UdpTrackerClient {
  readonly #exchange: UdpExchange;
  readonly #connections = new Map<string, Connection>();
  /** Connecting once serves everyone who waits for the same tracker. */
  readonly #connecting = new Map<string, Promise<Connected>>();
  readonly #closed = abortForMany();

  constructor(
    private readonly deps: UdpTrackerClientDeps,
    private readonly options: UdpTrackerClientOptions,
  ) {
    this.#exchange = new UdpExchange({ ...deps, outlet: options.outlet }, options.idleMs);
  }

  async announce(request: AnnounceRequest, signal: AbortSignal): Promise<AnnounceOutcome> {
    const { stopTimeoutMs, completionTimeoutMs } = this.options;
    const timeoutMs = request.event === 'stopped' ? stopTimeoutMs : completionTimeoutMs;
    return this.#within(timeoutMs, signal, async (bounded) => {
      const target = await this.#resolve(request, bounded);
      if ('kind' in target) return target;
      const { to, pin } = target;
      request.onSending?.();
      const outcome = await this.#ask(to, bounded, (connectionId) => ({
        to,
        packet: (transactionId: number) => encodeAnnounce(connectionId, transactionId, request),
        expected: { kind: 'announce', family: to.family },
        waitsMs: this.options.waitsMs,
      }));
      if (outcome.kind !== 'announced') return pin.isOpen ? failureFrom(outcome) : withoutAnswer(failureFrom(outcome));
      return pin.isInside ? { ...outcome.reply, isInside: true } : outcome.reply;
    });
  }

  async scrape(request: ScrapeRequest, signal: AbortSignal): Promise<ScrapeOutcome> {
    return this.#within(this.options.completionTimeoutMs, signal, async (bounded) => {
      const target = await this.#resolve(request, bounded);
      if ('kind' in target) return target;
      const { to, pin } = target;
      const outcome = await this.#ask(to, bounded, (connectionId) => ({
        to,
        packet: (transactionId: number) => encodeScrape(connectionId, transactionId, request.infoHashes),
        expected: { kind: 'scrape', infoHashes: request.infoHashes },
        waitsMs: this.options.waitsMs,
      }));
      if (outcome.kind === 'scraped') return outcome;
      return pin.isOpen ? failureFrom(outcome) : withoutAnswer(failureFrom(outcome));
    });
  }

  close(): Promise<void> {
    this.#closed.abort();
    this.#exchange.close();
    return Promise.resolve();
  }

  async #ask(
    to: UdpAddress,
    signal: AbortSignal,
    request: (connectionId: bigint) => Parameters<UdpExchange['request']>[0],
  ): Promise<UdpOutcome> {
    const connected = await this.#connect(to);
    if (connected.kind === 'failed') return connected;
    const outcome = await this.#exchange.request(request(connected.id), signal);
    // A tracker that restarted knows none of its connection ids.
    const refused = outcome.kind === 'error' || (outcome.kind === 'failed' && outcome.code === 'TRACKER_TIMEOUT');
    if (refused) this.#connections.delete(keyOf(to));
    return outcome;
  }

  #connect(to: UdpAddress): Promise<Connected> {
    const key = keyOf(to);
    const known = this.#connections.get(key);
    if (known && this.#lastsLongEnough(known)) return Promise.resolve({ kind: 'connected', id: known.id });
    let connecting = this.#connecting.get(key);
    if (!connecting) {
      connecting = this.#newConnection(to).finally(() => this.#connecting.delete(key));
      this.#connecting.set(key, connecting);
    }
    return connecting;
  }

  async #newConnection(to: UdpAddress): Promise<Connected> {
    const outcome = await this.#exchange.request(
      { to, packet: encodeConnect, expected: { kind: 'connect' }, waitsMs: this.options.waitsMs },
      this.#closed.signal,
    );
    if (outcome.kind !== 'connected') return failureFrom(outcome);
    for (const [key, connection] of this.#connections) {
      if (!this.#lastsLongEnough(connection)) this.#connections.delete(key);
    }
    this.#connections.set(keyOf(to), { id: outcome.connectionId, receivedMs: this.deps.clock.nowMs() });
    return { kind: 'connected', id: outcome.connectionId };
  }

  /** Also for the last retry: one minute at most between receiving an id and sending it. */
  #lastsLongEnough(connection: Connection): boolean {
    const retriesMs = this.options.waitsMs.slice(0, -1).reduce((sum, waitMs) => sum + waitMs, 0);
    return this.deps.clock.nowMs() + retriesMs < connection.receivedMs + this.options.connectionIdLifeMs;
  }

  /** The first usable address, IPv4 before IPv6: few trackers answer the latter over UDP. */
  async #resolve(
    { url: text, account, mayReachInside }: Pick<AnnounceRequest, 'url' | 'account' | 'mayReachInside'>,
    signal: AbortSignal,
  ): Promise<{ readonly to: UdpAddress; readonly pin: Pin } | TrackerFailure> {
    const url = new URL(text);
    const port = udpPortOf(url);
    if (port === 0) return trackerFailure('TRACKER_REFUSED', 'no port');
    if (this.options.outlet.proxyOf('trackers')?.kind === 'http') {
      return trackerFailure('TRACKER_REFUSED', NOT_THROUGH_PROXY);
    }
    // What is sent is no command to a server that does not speak this protocol.
    const use = { mayReachInside, isHarmless: true };
    const pin = await judgeHost(this.options, 'trackers', url.hostname, account, use, signal).catch(() => null);
    if (!pin) return trackerFailure('TRACKER_UNREACHABLE', 'host name not found');
    if (pin.kind === 'refused') return trackerFailure('TRACKER_REFUSED', pin.reason);
    if (pin.addresses.length === 0) return { to: { host: bareHost(url.hostname), port, family: 4 }, pin };
    const families = [4, 6] as const;
    for (const family of families) {
      const first = pin.addresses.find((one) => one.family === family);
      if (first) return { to: { host: first.address, port, family }, pin };
    }
    return trackerFailure('TRACKER_REFUSED', 'no address');
  }

  /** Ends with a failure when the time is up or the caller gives up, whatever is still waited for. */
  async #within<Outcome>(
    timeoutMs: number,
    caller: AbortSignal,
    work: (signal: AbortSignal) => Promise<Outcome | TrackerFailure>,
  ): Promise<Outcome | TrackerFailure> {
    const bounded = new AbortController();
    const ended = new Promise<TrackerFailure>((resolve) => {
      bounded.signal.addEventListener('abort', () =>
        resolve(
          caller.aborted || this.#closed.signal.aborted
            ? trackerFailure('TRACKER_ABORTED', 'given up')
            : trackerFailure('TRACKER_TIMEOUT', `no answer within ${timeoutMs / SECOND_MS} s`),
        ),
      );
    });
    const abort = (): void => bounded.abort();
    const timer = this.deps.clock.after(timeoutMs, abort);
    caller.addEventListener('abort', abort);
    this.#closed.signal.addEventListener('abort', abort);
    if (caller.aborted || this.#closed.signal.aborted) abort();
    try {
      return await Promise.race([ended, work(bounded.signal)]);
    } finally {
      timer.cancel();
      caller.removeEventListener('abort', abort);
      this.#closed.signal.removeEventListener('abort', abort);
    }
  }
}

function keyOf(address: UdpAddress): string {
  return `${address.host} ${address.port}`;
}

function failureFrom(outcome: UdpOutcome): TrackerFailure {
  switch (outcome.kind) {
    case 'failed':
      return outcome;
    case 'error':
      return trackerFailure('TRACKER_FAILURE', outcome.message || 'failure without a reason');
    case 'invalid':
      return trackerFailure('TRACKER_REPLY_INVALID', `invalid reply: ${outcome.reason}`);
    default:
      return trackerFailure('TRACKER_REPLY_INVALID', `unexpected reply: ${outcome.kind}`);
  }
}
