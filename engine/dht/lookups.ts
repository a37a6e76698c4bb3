// One lookup and the announce that follows it, by the package; hands on the peers found. A lookup is ended after a
// while and no longer waited for soon after: hostile nodes can name ever closer ones without end.
import type Dht from 'bittorrent-dht';
import { infoHashFromBytes, type InfoHash } from '../../shared-protocol/ids.js';
import type { Clock, PeerAddress } from '../environment.js';
import { formatAddress } from '../net/address.js';
import { LOOKUP_DEADLINE_MS, LOOKUP_GIVE_UP_MS, LOOKUP_MAX_PEERS } from './constants.js';

interface LookupsDeps {
  readonly clock: Clock;
  readonly dht: Dht;
  readonly isAllowed: (address: PeerAddress) => boolean;
  readonly onPeers: (infoHash: InfoHash, peers: readonly PeerAddress[]) => void;
}

interface Lookup {
  readonly seen: Set<string>;
  /** Found in this turn of the event loop; a reply brings many. */
  found: PeerAddress[];
}

export class Lookups {
  readonly #open = new Map<InfoHash, Lookup>();
  /** Functions that end the waiting for the package, which may never call back once it is destroyed. */
  readonly #giveUps = new Set<() => void>();
  #lookups = 0;
  #announces = 0;
  #peersFound = 0;

  constructor(private readonly deps: LookupsDeps) {
    deps.dht.on('peer', (peer, infoHash) => this.#onPeer(infoHashFromBytes(infoHash), peer));
  }

  get counters(): { readonly lookups: number; readonly announces: number; readonly peersFound: number } {
    return { lookups: this.#lookups, announces: this.#announces, peersFound: this.#peersFound };
  }

  /** `announcePort` is asked when the lookup has ended; 0 announces nothing. */
  async run(infoHash: InfoHash, announcePort: () => number): Promise<'answered' | 'unanswered'> {
    const target = Buffer.from(infoHash, 'hex');
    this.#lookups++;
    this.#open.set(infoHash, { seen: new Set(), found: [] });
    const answers = await this.#bounded((done) => this.deps.dht.lookup(target, done));
    const port = answers > 0 ? announcePort() : 0;
    if (port > 0) {
      this.#announces++;
      await this.#bounded((done) => this.deps.dht.announce(target, port, done));
    }
    this.#open.delete(infoHash);
    return answers > 0 ? 'answered' : 'unanswered';
  }

  /** A lookup for its own sake: nodes met on the way enter the table. Of `get_peers`, as the package offers no other. */
  async walk(target: Uint8Array): Promise<void> {
    await this.#bounded((done) => this.deps.dht.lookup(target, done));
  }

  /** Everything under way ends unanswered. */
  close(): void {
    for (const giveUp of this.#giveUps) giveUp();
  }

  /** How many nodes answered; 0 when the package takes too long. `begin` may return what ends it early. */
  #bounded(begin: (done: (error: Error | null, answers?: number) => void) => (() => void) | void): Promise<number> {
    const { clock } = this.deps;
    return new Promise((resolve) => {
      const end = (answers: number): void => {
        if (!this.#giveUps.delete(giveUp)) return;
        deadline.cancel();
        limit.cancel();
        resolve(answers);
      };
      const giveUp = (): void => end(0);
      const deadline = clock.after(LOOKUP_DEADLINE_MS, () => abort?.());
      const limit = clock.after(LOOKUP_GIVE_UP_MS, giveUp);
      this.#giveUps.add(giveUp);
      const abort = begin((_error, answers = 0) => end(answers));
    });
  }

  #onPeer(infoHash: InfoHash, peer: PeerAddress): void {
    const lookup = this.#open.get(infoHash);
    const key = formatAddress(peer);
    if (!lookup || lookup.seen.size >= LOOKUP_MAX_PEERS || lookup.seen.has(key)) return;
    lookup.seen.add(key);
    if (!this.deps.isAllowed(peer)) return;
    this.#peersFound++;
    if (lookup.found.push({ host: peer.host, port: peer.port }) > 1) return;
    queueMicrotask(() => {
      const { found } = lookup;
      lookup.found = [];
      this.deps.onPeers(infoHash, found);
    });
  }
}
