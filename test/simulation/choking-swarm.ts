// One whole engine among scripted peers that are all interested in it: what the choking simulations share. The engine's
// choker, clock and ways in and out decide; the peers only note what reaches them.
import { PEER_PORT, SimulatedSwarm, type SimulatedNode, type SwarmOptions } from '../support/simulated-swarm.js';
import { ScriptedSwarmPeer, type SwarmPeerDeps, type SwarmPeerOptions } from '../support/peers-scripted-swarm.js';

export interface ChokingSwarmOptions {
  readonly engineIs: 'seed' | 'leech';
  /** Upload slots of the engine; a range is left to its measured upload rate. */
  readonly slots: number | { readonly min: number; readonly max: number };
  readonly payload: Uint8Array;
}

const SWARM: Omit<SwarmOptions, 'payloadBytes' | 'payload'> = {
  pieceLength: 256 * 1024,
  latencyMs: 20,
  peersPerReply: 0,
};

export class ChokingSwarm {
  readonly peers: ScriptedSwarmPeer[] = [];
  /** The most that were unchoked at once. */
  mostUnchoked = 0;
  readonly #deps: SwarmPeerDeps;

  private constructor(
    readonly swarm: SimulatedSwarm,
    readonly node: SimulatedNode,
  ) {
    const { clock, network, metainfo, payload } = swarm;
    const { infoHash, pieceLength } = metainfo.info;
    this.#deps = { clock, network, infoHash, payload, pieceLength };
  }

  static async create(seed: number, options: ChokingSwarmOptions): Promise<ChokingSwarm> {
    const { slots, payload, engineIs } = options;
    const swarm = new SimulatedSwarm(seed, { ...SWARM, payload, payloadBytes: payload.length });
    const uploadSlots = typeof slots === 'number' ? { min: slots, max: slots } : slots;
    const engine = { uploadSlots, maxPeersPerTorrent: 100, slabBytes: 8 * 1024 * 1024 };
    return new ChokingSwarm(swarm, await swarm.join(engineIs, { engine }));
  }

  get nowMs(): number {
    return this.swarm.clock.nowMs();
  }

  join(options: Omit<SwarmPeerOptions, 'host' | 'onTurn'>): ScriptedSwarmPeer {
    const host = `10.1.0.${this.peers.length}`;
    const engine = { host: this.node.host, port: PEER_PORT };
    const peer = new ScriptedSwarmPeer(this.#deps, { ...options, host, onTurn: () => this.#countSoon() }, engine);
    this.peers.push(peer);
    return peer;
  }

  async run(ms: number): Promise<void> {
    await this.swarm.run(ms, () => false, ms < STEP_MS ? ms : STEP_MS);
  }

  stop(): Promise<void> {
    return this.swarm.stop();
  }

  /** Frames that were sent together arrive together, one after the other: counted once all of them are here. */
  #countSoon(): void {
    this.swarm.clock.after(1, () => {
      const unchoked = this.peers.filter((peer) => peer.isUnchoked).length;
      this.mostUnchoked = Math.max(this.mostUnchoked, unchoked);
    });
  }
}

/** How often invariants are checked. */
const STEP_MS = 1_000;

/** The shortest time from an unchoke to the choke after it; Infinity: nobody was choked again. */
export function shortestTurnMs(peers: readonly ScriptedSwarmPeer[]): number {
  const ended = peers.flatMap(({ turns }) => turns.filter(({ choked }) => choked));
  return Math.min(...ended.map(({ fromMs, toMs }) => toMs - fromMs));
}
