// Drives one side of an MSE handshake with the bytes as they come. Sans-I/O: bytes in by `push`, bytes out by `send`.
// Holds a few hundred bytes until the end, plus what came behind it in the same read.
import { initiatorSteps, responderSteps, type Agreed, type Need, type Steps } from './steps.js';
import type { InitiatorOptions, MseDeps, MseFailure, MseProgress, ResponderOptions } from './types.js';

const EMPTY = Buffer.alloc(0);
const MORE: MseProgress = { kind: 'more' };

export class MseHandshake {
  readonly #steps: Steps;
  #buffered: Buffer = EMPTY;
  #need: Need | null = null;

  private constructor(steps: Steps) {
    this.#steps = steps;
  }

  /** A: speaks first, at once. */
  static initiate(deps: MseDeps, options: InitiatorOptions): MseHandshake {
    const handshake = new MseHandshake(initiatorSteps(deps, options));
    handshake.#next(handshake.#steps.next());
    return handshake;
  }

  /** B: answers the peer that speaks. */
  static respond(deps: MseDeps, options: ResponderOptions): MseHandshake {
    const handshake = new MseHandshake(responderSteps(deps, options));
    handshake.#next(handshake.#steps.next());
    return handshake;
  }

  /** Not called again after it has ended, one way or the other. */
  push(bytes: Uint8Array): MseProgress {
    this.#buffered = Buffer.concat([this.#buffered, bytes]);
    for (;;) {
      const taken = this.#take();
      if (taken === null) return MORE;
      if (typeof taken === 'string') return { kind: 'failed', reason: taken };
      const result = this.#next(this.#steps.next(taken));
      if (result === null) continue;
      return typeof result === 'string' ? { kind: 'failed', reason: result } : this.#established(result);
    }
  }

  #next(result: IteratorResult<Need, Agreed | MseFailure>): Agreed | MseFailure | null {
    if (result.done) return result.value;
    this.#need = result.value;
    return null;
  }

  /** The bytes that were asked for; null while they are not all there. */
  #take(): Uint8Array | MseFailure | null {
    const need = this.#need;
    if (!need) return null;
    if (need.kind === 'bytes') return this.#buffered.length < need.count ? null : this.#cut(need.count);
    const { pattern, within } = need;
    const at = this.#buffered.subarray(0, within + pattern.length).indexOf(pattern);
    if (at >= 0) return this.#cut(at + pattern.length);
    return this.#buffered.length >= within + pattern.length ? 'MSE_SYNC_LOST' : null;
  }

  #cut(count: number): Uint8Array {
    const taken = this.#buffered.subarray(0, count);
    this.#buffered = this.#buffered.subarray(count);
    return taken;
  }

  #established({ encrypt, decrypt, initial }: Agreed): MseProgress {
    // A copy of its own: it is deciphered in place.
    const rest = Buffer.from(this.#buffered);
    decrypt?.apply(rest);
    return { kind: 'established', encrypt, decrypt, early: Buffer.concat([initial, rest]) };
  }
}
