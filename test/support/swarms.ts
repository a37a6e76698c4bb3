// What the trackers of the tests know: per info hash the peers that announced. Shared by the HTTP and the UDP one.

export interface SeenAnnounce {
  /** 40 hex digits each. */
  readonly infoHash: string;
  readonly peerId: string;
  readonly ip: string;
  readonly port: number;
  /** `started`, `completed`, `stopped` or `none`. */
  readonly event: string;
  readonly uploaded: number;
  readonly downloaded: number;
  readonly left: number;
  readonly numWant: number;
  readonly key: string;
}

export interface SwarmFigures {
  readonly seeds: number;
  readonly leechers: number;
  readonly downloaded: number;
}

interface Swarm {
  /** By peer id. */
  readonly peers: Map<string, SeenAnnounce>;
  downloaded: number;
}

export class Swarms {
  readonly announces: SeenAnnounce[] = [];
  readonly #swarms = new Map<string, Swarm>();

  /** Takes the announce in; the peers are the others of the swarm, IPv4 only (BEP 23). */
  announce(seen: SeenAnnounce): SwarmFigures & { readonly compactPeers: Uint8Array } {
    this.announces.push(seen);
    let swarm = this.#swarms.get(seen.infoHash);
    if (!swarm) {
      swarm = { peers: new Map(), downloaded: 0 };
      this.#swarms.set(seen.infoHash, swarm);
    }
    if (seen.event === 'stopped') swarm.peers.delete(seen.peerId);
    else swarm.peers.set(seen.peerId, seen);
    if (seen.event === 'completed') swarm.downloaded++;
    const others = [...swarm.peers.values()].filter((peer) => peer.peerId !== seen.peerId);
    const compactPeers = Buffer.concat(others.slice(0, Math.max(0, seen.numWant)).map(compact));
    return { ...figuresOf(swarm), compactPeers };
  }

  scrape(infoHash: string): SwarmFigures | null {
    const swarm = this.#swarms.get(infoHash);
    return swarm ? figuresOf(swarm) : null;
  }
}

function figuresOf(swarm: Swarm): SwarmFigures {
  const seeds = [...swarm.peers.values()].filter((peer) => peer.left === 0).length;
  return { seeds, leechers: swarm.peers.size - seeds, downloaded: swarm.downloaded };
}

function compact(peer: SeenAnnounce): Uint8Array {
  const host = peer.ip.replace(/^::ffff:/, '').split('.');
  return Uint8Array.from([...host.map(Number), peer.port >> 8, peer.port & 0xff]);
}
