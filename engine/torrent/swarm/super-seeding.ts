// Super-seeding (BEP 16) in a swarm: peers that come while it is on are told nothing of what we have, and then of one piece
// after the other, as upload/super-seeder.ts says; they may fetch these alone. Those that were here before know everything,
// as in libtorrent. When it ends they are told of the rest, a part each second, and may fetch it at once.
import { uploadOnlyMessage } from '../../wire/small-extensions.js';
import type { Random } from '../../environment.js';
import type { PeerKey } from '../../picker/types.js';
import type { Peer } from '../peer/peer.js';
import { Bitfield } from '../pieces/bitfield.js';
import { SuperSeeder } from '../upload/super-seeder.js';

/** No spec value: 9 bytes each. BEP 3 has a bitfield only as the first message. */
export const HAVES_A_SECOND = 2_000;

export interface SuperSeedingDeps {
  readonly peers: ReadonlyMap<PeerKey, Peer>;
  readonly random: Random;
  readonly nowMs: () => number;
}

/** The pieces that a peer is yet to be told of. */
interface Untold {
  readonly told: Bitfield;
  next: number;
}

export class SuperSeeding {
  #seeder: SuperSeeder | null = null;
  #pieceCount = 0;
  readonly #untold = new Map<Peer, Untold>();

  constructor(private readonly deps: SuperSeedingDeps) {}

  get isOn(): boolean {
    return this.#seeder !== null;
  }

  /** Only of a torrent that is whole. */
  begin(pieceCount: number): void {
    if (this.#seeder) return;
    const { peers, random } = this.deps;
    this.#pieceCount = pieceCount;
    this.#seeder = new SuperSeeder({
      pieceCount,
      random,
      wants: (key) => peers.get(key)?.interested ?? false,
      show: (key, piece) => this.#show(peers.get(key), piece),
    });
    for (const peer of peers.values())
      if (peer.have && peer.webSeedUrl === null) this.#seeder.onPieces(peer.key, peer.have);
  }

  end(): void {
    if (!this.#seeder) return;
    this.#seeder = null;
    for (const peer of this.deps.peers.values()) {
      if (!peer.shown) continue;
      this.#untold.set(peer, { told: peer.shown, next: 0 });
      peer.shown = null;
      peer.connection.sendExtended('upload_only', uploadOnlyMessage(true));
    }
    this.#tellMore();
  }

  /** A peer whose handshake has come. Whether it is to be told of nothing. */
  meet(peer: Peer): boolean {
    if (!this.#seeder || peer.webSeedUrl !== null) return false;
    peer.shown = new Bitfield(this.#pieceCount);
    return true;
  }

  /** Follows what the peer has said that it has. */
  onPieces(peer: Peer): void {
    if (!this.#seeder || !peer.have || !peer.handshakeDone || peer.connection.closed) return;
    this.#seeder.onPieces(peer.key, peer.have);
    if (peer.shown) this.#seeder.join(peer.key, this.deps.nowMs());
  }

  onHave(peer: Peer, piece: number): void {
    if (!this.#seeder) return;
    if (this.#seeder.knows(peer.key)) this.#seeder.onHave(peer.key, piece, this.deps.nowMs());
    else this.onPieces(peer);
  }

  leave(peer: Peer): void {
    this.#untold.delete(peer);
    this.#seeder?.leave(peer.key);
  }

  /** Once a second. Peers that have nothing may never say so (BEP 3). */
  tick(nowMs: number): void {
    this.#tellMore();
    const seeder = this.#seeder;
    if (!seeder) return;
    for (const peer of [...this.deps.peers.values()]) if (!seeder.knows(peer.key)) this.onPieces(peer);
    seeder.tick(nowMs);
  }

  #show(peer: Peer | undefined, piece: number): void {
    peer?.shown?.set(piece);
    peer?.connection.sendHave(piece);
  }

  #tellMore(): void {
    for (const [peer, untold] of this.#untold) {
      let left = HAVES_A_SECOND;
      for (; left > 0 && untold.next < untold.told.length; untold.next++) {
        if (untold.told.has(untold.next) || peer.have?.has(untold.next)) continue;
        peer.connection.sendHave(untold.next);
        left--;
      }
      if (untold.next === untold.told.length) this.#untold.delete(peer);
    }
  }
}
