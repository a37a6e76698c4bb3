// Our queries under way. Each goes out under a random transaction id of our own instead of the package's, which
// counts up; a reply counts only with that id and from the very address and port that was asked. So forging one blind
// takes a guess of 32 bits within seconds.
import { Counts } from '../../shared-protocol/counts.js';
import type { Clock, PeerAddress, Random } from '../environment.js';
import { formatAddress } from '../net/address.js';
import { QUERY_MEMORY_MS } from './constants.js';

interface Transaction {
  readonly to: PeerAddress;
  /** The id under which the package knows it. */
  readonly packageId: Uint8Array;
  readonly sentMs: number;
}

interface TransactionsDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly onUnanswered: (to: PeerAddress) => void;
}

export class Transactions {
  /** By id in hex; oldest first. */
  readonly #open = new Map<string, Transaction>();
  readonly #openByHost = new Counts<string>();

  constructor(private readonly deps: TransactionsDeps) {}

  get size(): number {
    return this.#open.size;
  }

  /** Queries under way to any port of the host. */
  openTo(host: string): number {
    this.expire();
    return this.#openByHost.of(host);
  }

  /** The id to send the query under. */
  begin(packageId: Uint8Array, to: PeerAddress): Uint8Array {
    this.expire();
    for (;;) {
      const id = this.deps.random.bytes(4);
      const key = hex(id);
      if (this.#open.has(key)) continue;
      this.#open.set(key, { to, packageId, sentMs: this.deps.clock.nowMs() });
      this.#openByHost.add(to.host);
      return id;
    }
  }

  /** The package's id of the query that is answered hereby; null when there is none. */
  end(id: Uint8Array, from: PeerAddress): Uint8Array | null {
    this.expire();
    const key = hex(id);
    const transaction = this.#open.get(key);
    if (!transaction || formatAddress(transaction.to) !== formatAddress(from)) return null;
    this.#forget(key, transaction);
    return transaction.packageId;
  }

  /** Gives up those that are too old; called now and then, so that silence is noticed. */
  expire(): void {
    const nowMs = this.deps.clock.nowMs();
    for (const [key, transaction] of this.#open) {
      if (nowMs - transaction.sentMs < QUERY_MEMORY_MS) return;
      this.#forget(key, transaction);
      this.deps.onUnanswered(transaction.to);
    }
  }

  #forget(key: string, { to: { host } }: Transaction): void {
    this.#open.delete(key);
    this.#openByHost.take(host);
  }
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
