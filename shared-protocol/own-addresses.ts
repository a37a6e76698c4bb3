// The addresses of this machine's interfaces, read anew now and then: networks come and go while the service runs. They
// may be public by number, and lead to services that trust this machine all the same.
import { networkInterfaces } from 'node:os';

/** Reading takes 0.1 ms; an address that came since is unknown for so long at most. */
const READ_AGAIN_MS = 10_000;

export class OwnAddresses {
  #addresses: ReadonlySet<string> = new Set();
  #readAtMs = -Infinity;

  /** `nowMs`: monotonic. */
  constructor(private readonly nowMs: () => number) {}

  /** A literal in its usual spelling, without a zone. */
  has(literal: string): boolean {
    const nowMs = this.nowMs();
    if (nowMs - this.#readAtMs >= READ_AGAIN_MS) {
      this.#readAtMs = nowMs;
      this.#addresses = readAddresses();
    }
    return this.#addresses.has(literal);
  }
}

function readAddresses(): Set<string> {
  const infos = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  return new Set(infos.map(({ address }) => address));
}
