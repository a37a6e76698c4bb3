// Which public addresses are those of several peers, behind one translator, so that a ban of one does not hit the
// others (docs/limits.md 2.13): where another peer id has a good history, only the offender's id is banned. An address
// from which one banned id after the other comes is one poisoner all the same.
import type { PeerId } from '../../shared-protocol/ids.js';
import { networkOf } from '../net/address.js';

/** Networks remembered; then the one heard of longest ago is forgotten. */
const MAX_NETWORKS = 4_096;
/** Enough to know that there are others. */
const MAX_GOOD_IDS = 8;
/** No spec value: more than share an address in any one swarm, and few enough that changing ids wins little. */
const MAX_OFFENDERS = 16;

interface Network {
  readonly good: Set<PeerId>;
  offenders: number;
}

export class SharedAddresses {
  readonly #networks = new Map<string, Network>();

  /** The peer has sent good pieces. */
  onGood(host: string, peerId: PeerId): void {
    const { good } = this.#at(host);
    if (good.size < MAX_GOOD_IDS) good.add(peerId);
  }

  /** The peer is being banned. Whether others at its address are to be spared. */
  onOffence(host: string, peerId: PeerId | null): boolean {
    const network = this.#at(host);
    network.offenders++;
    if (peerId !== null) network.good.delete(peerId);
    return network.good.size > 0 && network.offenders <= MAX_OFFENDERS;
  }

  /** A peer at this address was banned. */
  hasOffended(host: string): boolean {
    return (this.#networks.get(networkOf(host))?.offenders ?? 0) > 0;
  }

  #at(host: string): Network {
    const key = networkOf(host);
    const network = this.#networks.get(key) ?? { good: new Set(), offenders: 0 };
    this.#networks.delete(key);
    const [oldest] = this.#networks.keys();
    if (this.#networks.size >= MAX_NETWORKS && oldest !== undefined) this.#networks.delete(oldest);
    this.#networks.set(key, network);
    return network;
  }
}
