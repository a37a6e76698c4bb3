// One whole engine that downloads from scripted peers, for what it costs to end a download: which blocks came of whom
// they were asked of first, and how many bytes came more than once.
import { PEER_PORT, SimulatedSwarm, type SimulatedNode } from '../support/simulated-swarm.js';
import { ScriptedSwarmPeer, type AskedBlock } from '../support/peers-scripted-swarm.js';
import type { VirtualClock } from '../support/virtual-clock.js';

export interface EndGameOptions {
  readonly payload: Uint8Array;
  readonly slabBytes: number;
}

const PIECE_LENGTH = 128 * 1024;
const STEP_MS = 100;

export class EndGameSwarm {
  readonly peers: ScriptedSwarmPeer[] = [];
  /** When the last block came from the peer that was the first to be asked for it. */
  lastFirstAskedMs = 0;
  readonly #firstAsked = new Map<string, ScriptedSwarmPeer>();

  private constructor(
    readonly swarm: SimulatedSwarm,
    readonly node: SimulatedNode,
  ) {}

  static async create(seed: number, { payload, slabBytes }: EndGameOptions): Promise<EndGameSwarm> {
    const shape = { pieceLength: PIECE_LENGTH, latencyMs: 25, peersPerReply: 0 };
    const swarm = new SimulatedSwarm(seed, { ...shape, payload, payloadBytes: payload.length });
    const node = await swarm.join('leech', { engine: { maxPeersPerTorrent: 100, slabBytes } });
    return new EndGameSwarm(swarm, node);
  }

  get clock(): VirtualClock {
    return this.swarm.clock;
  }

  get nowMs(): number {
    return this.clock.nowMs();
  }

  /** Payload bytes that were sent to the engine beyond those of the torrent, as a part of the torrent. */
  get waste(): number {
    const given = this.peers.reduce((sum, peer) => sum + peer.givenBytes, 0);
    return given / this.swarm.payload.length - 1;
  }

  /** A peer that has everything. */
  join(giveBytesPerSec: number): ScriptedSwarmPeer {
    const { clock, network, metainfo, payload } = this.swarm;
    const { infoHash, pieceLength } = metainfo.info;
    const peer = new ScriptedSwarmPeer(
      { clock, network, infoHash, payload, pieceLength },
      {
        host: `10.1.0.${this.peers.length}`,
        has: 'everything',
        giveBytesPerSec,
        onAsked: (block) => {
          if (!this.#firstAsked.has(keyOf(block))) this.#firstAsked.set(keyOf(block), peer);
        },
        onGiven: (block) => {
          if (this.#firstAsked.get(keyOf(block)) === peer) this.lastFirstAskedMs = this.nowMs;
        },
      },
      { host: this.node.host, port: PEER_PORT },
    );
    this.peers.push(peer);
    return peer;
  }

  /** Runs until the engine has everything, and whatever was on its way has arrived. */
  async complete(maxMs: number): Promise<boolean> {
    return this.swarm.run(maxMs, () => this.node.isComplete, STEP_MS);
  }

  stop(): Promise<void> {
    return this.swarm.stop();
  }
}

function keyOf({ piece, begin }: AskedBlock): string {
  return `${piece}:${begin}`;
}
