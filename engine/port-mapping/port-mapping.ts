// Keeps the peer port mapped on the gateway: when to ask, when to renew, when to try again, and what the gateway is known
// for. Talks to it through a GatewayClient, whose calls all have a deadline here; a gateway's lies are counted, logged
// once and never more than a failed attempt.
import { SECOND_MS, type Clock, type Log, type Timer } from '../environment.js';
import { GATEWAY_CALL_MS, LEASE_SEC, MAPPING_RETRY_MAX_MS, MAPPING_RETRY_MS, RENEW_MIN_MS } from './constants.js';
import { createGatewayThread } from './gateway-thread.js';
import type { GatewayClient, GatewayMapping, GatewayRemark, MappedProtocol, MappingOutcome } from './gateway-types.js';

export interface PortMappingDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** @default nat-api in a thread of its own */
  readonly createClient?: () => GatewayClient;
}

export interface PortMappingOptions {
  /** @default TCP, all that peers use */
  readonly protocols?: readonly MappedProtocol[];
}

export type PortMappingState =
  /** Not started, or closed. */
  | 'off'
  /** The first attempt for this port is under way. */
  | 'searching'
  /** The gateway has said so, and the lease has not ended. */
  | 'mapped'
  | 'failed';

export interface PortMappingCounters {
  readonly attempts: number;
  readonly successes: number;
  readonly timeouts: number;
  /** Attempts with at least one remark on the gateway. */
  readonly oddAnswers: number;
}

export interface PortMapping {
  /** Returns at once. Another port replaces the first; the same one again changes nothing, and nothing follows `close`. */
  start(port: number): void;
  readonly state: PortMappingState;
  /** IPv4 of the internet, while mapped and known. */
  readonly externalAddress: string | null;
  readonly counters: PortMappingCounters;
  /** Takes the mapping back, for which the gateway gets this long, and 0 leaves it to its lease. */
  close(timeoutMs: number): Promise<void>;
}

export function createPortMapping(deps: PortMappingDeps, options: PortMappingOptions = {}): PortMapping {
  return new GatewayPortMapping(deps, options);
}

interface HeldMapping extends GatewayMapping {
  readonly port: number;
  readonly endsMs: number;
}

const CALL_TIMED_OUT: MappingOutcome = { kind: 'failed', reason: 'timeout', remarks: [] };
const CALL_BROKEN: MappingOutcome = { kind: 'failed', reason: 'thread-died', remarks: [] };

class GatewayPortMapping implements PortMapping {
  readonly #client: GatewayClient;
  readonly #protocols: readonly MappedProtocol[];
  readonly #counters = { attempts: 0, successes: 0, timeouts: 0, oddAnswers: 0 };
  /** Remarks on the gateway that have been logged already. */
  readonly #logged = new Set<GatewayRemark | 'not mapped'>();
  #port: number | null = null;
  #held: HeldMapping | null = null;
  /** Attempts for this port have ended. */
  #isTried = false;
  /** In a row. */
  #failures = 0;
  #isBusy = false;
  #isClosed = false;
  #timer: Timer | null = null;
  /** Settles the call that is under way. */
  #giveUp: (() => void) | null = null;

  constructor(
    private readonly deps: PortMappingDeps,
    options: PortMappingOptions,
  ) {
    this.#client = (deps.createClient ?? createGatewayThread)();
    this.#protocols = options.protocols ?? ['TCP'];
  }

  get state(): PortMappingState {
    if (this.#port === null || this.#isClosed) return 'off';
    if (this.#current()) return 'mapped';
    return this.#isTried ? 'failed' : 'searching';
  }

  get externalAddress(): string | null {
    return this.#isClosed ? null : (this.#current()?.externalAddress ?? null);
  }

  get counters(): PortMappingCounters {
    return { ...this.#counters };
  }

  start(port: number): void {
    const isPort = Number.isInteger(port) && port > 0 && port < 65_536;
    if (this.#isClosed || !isPort || port === this.#port) return;
    this.#port = port;
    this.#isTried = false;
    this.#failures = 0;
    this.#timer?.cancel();
    // An attempt that is under way looks at the port when it ends.
    if (!this.#isBusy) void this.#attempt(port);
  }

  async close(timeoutMs: number): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#client.abort();
    this.#giveUp?.();
    if (this.#held && timeoutMs > 0) await this.#takeBack(this.#held, timeoutMs);
  }

  async #attempt(port: number): Promise<void> {
    this.#isBusy = true;
    this.#counters.attempts++;
    if (this.#held && this.#held.port !== port) await this.#takeBack(this.#held, GATEWAY_CALL_MS);
    if (this.#isClosed) return;
    const request = { port, protocols: this.#protocols, leaseSec: LEASE_SEC };
    const outcome = await this.#within(GATEWAY_CALL_MS, CALL_TIMED_OUT, CALL_BROKEN, () => this.#client.map(request));
    if (this.#isClosed) return;
    this.#isBusy = false;
    const waitMs = this.#settle(port, outcome);
    const wanted = this.#port ?? port;
    if (wanted === port) this.#isTried = true;
    this.#timer = this.deps.clock.after(wanted === port ? waitMs : 0, () => void this.#attempt(wanted));
  }

  /** Takes note of what came of an attempt; how long to wait before the next. */
  #settle(port: number, outcome: MappingOutcome): number {
    for (const remark of outcome.remarks) this.#logOnce(remark, () => this.deps.log.warn('gateway: odd', { remark }));
    if (outcome.remarks.length > 0) this.#counters.oddAnswers++;
    if (outcome.kind === 'failed') {
      const { reason } = outcome;
      if (reason === 'timeout') this.#counters.timeouts++;
      // Most machines have no gateway that does this.
      this.#logOnce('not mapped', () => this.deps.log.info('gateway: peer port not mapped', { port, reason }));
      this.deps.log.debug('gateway: attempt failed', { port, reason, failures: this.#failures });
      return Math.min(MAPPING_RETRY_MS * 2 ** this.#failures++, MAPPING_RETRY_MAX_MS);
    }
    const { technique, externalAddress, leaseSec } = outcome.mapping;
    const leaseMs = Math.min(leaseSec, LEASE_SEC) * SECOND_MS;
    if (!this.#current()) this.deps.log.info('gateway: peer port mapped', { port, technique, externalAddress });
    this.#held = { ...outcome.mapping, port, endsMs: this.deps.clock.nowMs() + leaseMs };
    this.#counters.successes++;
    this.#failures = 0;
    return Math.max(leaseMs / 2, RENEW_MIN_MS);
  }

  async #takeBack(held: HeldMapping, timeoutMs: number): Promise<void> {
    const { port, technique } = held;
    const removal = { port, technique, protocols: this.#protocols };
    const removed = await this.#within(timeoutMs, false, false, () => this.#client.unmap(removal));
    if (this.#held === held) this.#held = null;
    this.deps.log.debug('gateway: mapping taken back', { port, removed });
  }

  /** A call that ends, one way or the other. */
  #within<T>(ms: number, late: T, broken: T, call: () => Promise<T>): Promise<T> {
    return new Promise((resolve) => {
      const end = (result: T): void => {
        timer.cancel();
        this.#giveUp = null;
        resolve(result);
      };
      const timer = this.deps.clock.after(ms, () => {
        this.#client.abort();
        end(late);
      });
      this.#giveUp = () => end(broken);
      // The function turns what `call` throws into a rejection.
      (async () => call())().then(end, () => end(broken));
    });
  }

  /** The mapping of the wanted port, while its lease lasts. */
  #current(): HeldMapping | null {
    const held = this.#held;
    return held?.port === this.#port && this.deps.clock.nowMs() < held.endsMs ? held : null;
  }

  #logOnce(what: GatewayRemark | 'not mapped', log: () => void): void {
    if (this.#logged.has(what)) return;
    this.#logged.add(what);
    log();
  }
}
