// Parts of messages in DEFLATE, kept by their bytes: a part that comes again, as the files of a torrent that an account
// looks at, is deflated once, for as long as the bytes themselves are kept.
import { plainPart, type Deflate, type DeflatedPart } from '../torrent-list/deflate/deflated-part.js';

/** Deflates parts, those that are known once. */
export class DeflatedParts {
  readonly #known = new WeakMap<Uint8Array, DeflatedPart | Promise<DeflatedPart>>();

  constructor(private readonly thread: Deflate) {}

  /** The parts in their order. Rejects when one cannot be deflated at the moment. */
  async of(parts: readonly Uint8Array[]): Promise<DeflatedPart[]> {
    const deflated: DeflatedPart[] = [];
    for (const part of parts) {
      // One after the other: what others have to be deflated comes between.
      const known = this.#known.get(part) ?? this.#deflate(part);
      deflated.push(known instanceof Promise ? await known : known);
    }
    return deflated;
  }

  #deflate(part: Uint8Array): Promise<DeflatedPart> {
    const deflating = this.thread.deflate([plainPart(part)]).then(
      ([deflated]) => {
        this.#known.set(part, deflated!); // one for each
        return deflated!;
      },
      (error: unknown) => {
        this.#known.delete(part);
        throw error;
      },
    );
    this.#known.set(part, deflating);
    return deflating;
  }
}
