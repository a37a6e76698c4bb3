// What the daemon has promised by an answer of 200, and what is in doubt because it was killed before it could answer:
// then both the old and the new value are right, until one of them has been seen.

export class Promised<Value extends string | number | boolean | null> {
  #certain: Value;
  #possible: Value | undefined;

  constructor(certain: Value) {
    this.#certain = certain;
  }

  /** What it is unless a change is in doubt. */
  get value(): Value {
    return this.#certain;
  }

  get isInDoubt(): boolean {
    return this.#possible !== undefined;
  }

  /** A request for this value is on its way. */
  ask(value: Value): void {
    this.#possible = value;
  }

  /** The request was answered: granted, or refused and nothing changed. */
  answered(granted: boolean): void {
    if (granted && this.#possible !== undefined) this.#certain = this.#possible;
    this.#possible = undefined;
  }

  /** Whether what is there may be there. */
  allows(seen: Value): boolean {
    return seen === this.#certain || seen === this.#possible;
  }

  /** After a restart: whether what is there may be there. It is certain from here on. */
  accepts(seen: Value): boolean {
    const isRight = this.allows(seen);
    this.#certain = seen;
    this.#possible = undefined;
    return isRight;
  }
}
