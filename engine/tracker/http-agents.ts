// The connections to HTTP trackers, kept for a while, each to addresses judged for the account that uses it: one pool
// for the internet, and inside one for each set of addresses, used only by accounts that may reach all of them.
import { Agent } from 'undici';
import type { Outlet } from '../../shared-protocol/network/outlet.js';
import type { Pin } from '../net/judge-target.js';
import { outletConnector, type OutletConnectorDeps } from '../net/outlet-connector.js';
import { CLOSING_MAX_PER_HOST } from './constants.js';

/** Hosts outside whose addresses are remembered. */
const MAX_PINNED_HOSTS = 1_000;
/** Sets of addresses inside whose connections are kept. */
const MAX_INSIDE = 32;

export interface TrackerAgentsOptions {
  readonly receiveTimeoutMs: number;
  readonly maxReplyBytes: number;
  readonly outlet: Outlet;
}

interface Pool {
  readonly agent: Agent;
  /** Requests that a caller still waits for. */
  wanted: number;
}

export class TrackerAgents {
  readonly #outside: Pool;
  /** Where hosts outside are connected to, the host asked longest ago first. */
  readonly #pins = new Map<string, Pin>();
  /** By the very addresses, those used longest ago first. */
  readonly #inside = new Map<string, Pool>();

  constructor(private readonly options: TrackerAgentsOptions) {
    this.#outside = newPool(options, (host) => this.#pins.get(host));
  }

  /** Runs a request to the host, whose name resolved to what was judged and pinned; nothing is connected to for it after `signal`. */
  async use<Result>(
    host: string,
    pin: Pin,
    signal: AbortSignal,
    request: (agent: Agent) => Promise<Result>,
  ): Promise<Result> {
    const pool = pin.isInside ? this.#poolInside(pin) : this.#poolOutside(host, pin);
    let isWanted = true;
    pool.wanted++;
    const release = (): void => {
      if (isWanted) pool.wanted--;
      isWanted = false;
    };
    // Before the request hears of it.
    signal.addEventListener('abort', release, { once: true });
    try {
      return await request(pool.agent);
    } finally {
      signal.removeEventListener('abort', release);
      release();
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#outside, ...this.#inside.values()].map(({ agent }) => agent.destroy()));
  }

  #poolOutside(host: string, pin: Pin): Pool {
    this.#pins.delete(host);
    this.#pins.set(host, pin);
    const [oldest] = this.#pins.keys();
    if (this.#pins.size > MAX_PINNED_HOSTS && oldest !== undefined) this.#pins.delete(oldest);
    return this.#outside;
  }

  #poolInside(pin: Pin): Pool {
    const { addresses } = pin;
    const key = addresses.map(({ address }) => address).join();
    const pool = this.#inside.get(key) ?? newPool(this.options, () => pin);
    this.#inside.delete(key);
    this.#inside.set(key, pool);
    const [oldest] = this.#inside;
    if (this.#inside.size > MAX_INSIDE && oldest) {
      this.#inside.delete(oldest[0]);
      // What is under way ends in its own time.
      oldest[1].agent.close().catch(() => undefined);
    }
    return pool;
  }
}

/** undici connects anew when a request that waited for its answer is given up, before it sees that none is wanted. */
function newPool(
  { receiveTimeoutMs, maxReplyBytes, outlet }: TrackerAgentsOptions,
  pinOf: OutletConnectorDeps['pinOf'],
): Pool {
  const connect = outletConnector({ outlet, purpose: 'trackers', pinOf }, { timeout: receiveTimeoutMs });
  const pool: Pool = {
    wanted: 0,
    agent: new Agent({
      connections: CLOSING_MAX_PER_HOST,
      pipelining: 1,
      headersTimeout: receiveTimeoutMs,
      bodyTimeout: receiveTimeoutMs,
      maxResponseSize: maxReplyBytes,
      connect: (target, callback) => {
        if (pool.wanted > 0) connect(target, callback);
        else callback(new Error('nobody asks any more'), null);
      },
    }),
  };
  return pool;
}
