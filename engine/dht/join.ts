// Finding a first node when none is known: saved nodes and bootstrap hosts are pinged, again and again with growing
// pauses; once a node has answered, a lookup of our own id makes us known to our neighbours. The package's own
// bootstrapping is not used: it takes IPv6 addresses of a host name for IPv4 ones and asks once only.
import type { Clock, Log, PeerAddress, Timer } from '../environment.js';
import { JOIN_RETRY_MAX_MS, JOIN_RETRY_MIN_MS, JOIN_SETTLE_MS } from './constants.js';

interface JoinDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly ping: (address: PeerAddress) => void;
  readonly findOwnId: () => void;
  /** IPv4 literals of a host name; empty where there is none. Never rejects. */
  readonly resolve: (host: string) => Promise<readonly string[]>;
}

interface JoinOptions {
  readonly saved: readonly PeerAddress[];
  readonly bootstrap: readonly PeerAddress[];
}

export class Join {
  #known: readonly PeerAddress[];
  #alone = true;
  #attempts = 0;
  #timer: Timer | null = null;
  #closed = false;

  constructor(
    private readonly deps: JoinDeps,
    private readonly options: JoinOptions,
  ) {
    this.#known = options.saved;
  }

  start(): void {
    this.#ask();
  }

  /** `known`: nodes there were lately, to be asked when the table has run empty. */
  onNodeCount(count: number, known: () => readonly PeerAddress[]): void {
    if (this.#closed || this.#alone === (count === 0)) return;
    this.#alone = count === 0;
    this.#attempts = 0;
    if (this.#alone) this.#known = known();
    this.#in(this.#alone ? JOIN_RETRY_MIN_MS : JOIN_SETTLE_MS);
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
  }

  #ask(): void {
    for (const address of this.#known) this.deps.ping(address);
    // All clients begin at the bootstrap hosts; those that know other nodes ask these first.
    const bootstrap = this.#known.length > 0 && this.#attempts === 0 ? [] : this.options.bootstrap;
    for (const { host, port } of bootstrap) {
      void this.deps.resolve(host).then((found) => {
        const [first] = found;
        if (first !== undefined && this.#alone && !this.#closed) this.deps.ping({ host: first, port });
      });
    }
    const pauseMs = Math.min(JOIN_RETRY_MAX_MS, JOIN_RETRY_MIN_MS * 2 ** this.#attempts++);
    this.deps.log.debug('dht: looking for a first node', { attempt: this.#attempts, known: this.#known.length });
    this.#in(pauseMs);
  }

  #in(delayMs: number): void {
    this.#timer?.cancel();
    this.#timer = this.deps.clock.after(delayMs, () => {
      this.#timer = null;
      if (this.#alone) this.#ask();
      else this.deps.findOwnId();
    });
  }
}
