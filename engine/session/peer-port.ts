// The port that peers reach us on, as far as they can: not through a proxy, which takes no connections for us, and not
// while the interface is gone that everything is bound to. When that is back the port is the same, if it is free still.
import type { EngineOptions, PortRange } from '../../shared-protocol/commands/engine-options.js';
import { AppError } from '../../shared-protocol/errors.js';
import type { Outlet } from '../../shared-protocol/network/outlet.js';
import type { Log, PeerListener, PeerNetwork, PeerSocket } from '../environment.js';
import { listenForPeers } from './listen.js';

export interface PeerPortDeps {
  readonly network: PeerNetwork;
  readonly log: Log;
  readonly outlet: Outlet;
  readonly onSocket: (socket: PeerSocket) => void;
}

export class PeerPort {
  #listeners: PeerListener[] = [];
  /** The one that was had last. */
  #port: number | null = null;

  constructor(
    private readonly deps: PeerPortDeps,
    private readonly options: Pick<EngineOptions, 'peerHosts' | 'peerPort' | 'peerPorts'>,
  ) {}

  /** null while there is no listener. */
  get listening(): number | null {
    return this.#listeners[0]?.port ?? null;
  }

  /** Where peers reach us, or will again when the interface is back; 0: nowhere. */
  get port(): number {
    if (this.deps.outlet.proxyOf('peers')) return 0;
    return this.listening ?? this.#port ?? this.options.peerPort;
  }

  /** @throws AppError `LISTEN_FAILED` when all ports are taken */
  async open(): Promise<void> {
    const { outlet } = this.deps;
    if (!outlet.isOpen || outlet.proxyOf('peers')) return;
    const peerHosts = outlet.listenHosts(this.options.peerHosts);
    for (const peerPort of this.#candidates()) {
      try {
        this.#listeners = await listenForPeers(this.deps, { peerHosts, peerPort }, this.deps.onSocket);
        this.#port = this.listening;
        return;
      } catch (error) {
        this.deps.log.info('peer port not had', { port: peerPort, reason: String(error) });
      }
    }
    throw new AppError('LISTEN_FAILED', `peer port: none of ${this.#described()} can be had`);
  }

  /** At the start as {@link open}; later, when the port was another's meanwhile, any port will do. */
  async openAgain(): Promise<void> {
    try {
      await this.open();
    } catch {
      const { log, outlet } = this.deps;
      const peerHosts = outlet.listenHosts(this.options.peerHosts);
      try {
        this.#listeners = await listenForPeers(this.deps, { peerHosts, peerPort: 0 }, this.deps.onSocket);
        log.warn('the peer port is taken; using a free one', { port: this.listening ?? 0 });
      } catch (error) {
        log.warn('no peer port', { reason: String(error) });
      }
    }
  }

  async close(): Promise<void> {
    const listeners = this.#listeners;
    this.#listeners = [];
    await Promise.all(listeners.map((listener) => listener.close()));
  }

  *#candidates(): Generator<number> {
    if (this.#port !== null) yield this.#port;
    const { peerPort, peerPorts } = this.options;
    if (!peerPorts || peerPorts.length === 0) return yield peerPort;
    for (const { first, last } of peerPorts) for (let port = first; port <= last; port++) yield port;
  }

  #described(): string {
    const { peerPort, peerPorts = [] } = this.options;
    const ranges = peerPorts.map(({ first, last }: PortRange) => (first === last ? `${first}` : `${first}-${last}`));
    return ranges.length > 0 ? ranges.join(', ') : String(peerPort);
  }
}
