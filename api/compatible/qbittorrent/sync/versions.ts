// The last versions of something, by the number (`rid`) that a client gives back to be told what changed since. The versions
// that are used stay; a number that is not known any more is answered in full. Numbers begin by chance, so that those of
// another run of the program mean nothing.
import { randomInt } from 'node:crypto';

/** The highest number, as in qBittorrent; then they begin anew. */
const MAX_RID = 1_000_000;

export class Versions<Version> {
  /** In the order of their use, the latest last. */
  readonly #known = new Map<number, Version>();
  #rid = randomInt(1, MAX_RID);

  /** `capacity`: versions that are kept. */
  constructor(private readonly capacity: number) {}

  /** undefined: it is not known, or not any more. */
  find(rid: number): Version | undefined {
    const version = this.#known.get(rid);
    if (version !== undefined) this.#keep(rid, version);
    return version;
  }

  /** Returns the number of the version. */
  add(version: Version): number {
    this.#rid = (this.#rid % MAX_RID) + 1;
    this.#keep(this.#rid, version);
    const [longestUnused] = this.#known.keys();
    if (this.#known.size > this.capacity && longestUnused !== undefined) this.#known.delete(longestUnused);
    return this.#rid;
  }

  #keep(rid: number, version: Version): void {
    this.#known.delete(rid);
    this.#known.set(rid, version);
  }
}
