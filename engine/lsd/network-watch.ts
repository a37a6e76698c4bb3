// The networks we are attached to, as fresh as the question needs: interfaces appear, change and vanish while we run.
import { networkInterfaces } from 'node:os';
import type { Clock } from '../environment.js';
import { INTERFACES_FRESH_MS } from './constants.js';
import { localNetworks, type Interfaces, type LocalNetworks } from '../net/local-networks.js';

export class NetworkWatch {
  #networks: LocalNetworks = localNetworks({});
  #readMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly clock: Clock,
    private readonly interfaces: () => Interfaces = networkInterfaces,
  ) {}

  /** Reads them now. */
  read(): LocalNetworks {
    this.#readMs = this.clock.nowMs();
    this.#networks = localNetworks(this.interfaces());
    return this.#networks;
  }

  /** Whether the address is a neighbour's. None is turned away for interfaces read more than a second ago. */
  isNeighbour(address: string): boolean {
    if (this.#networks.isAttached(address)) return true;
    return this.clock.nowMs() - this.#readMs >= INTERFACES_FRESH_MS && this.read().isAttached(address);
  }
}
