// JSON that is there as text already, in parts: long answers are made a little at a time, and never put together.

export class JsonText {
  constructor(readonly parts: readonly Buffer[]) {}

  static of(value: unknown): JsonText {
    return new JsonText([Buffer.from(JSON.stringify(value))]);
  }

  /** The texts one after the other. */
  static joined(...pieces: readonly (JsonText | string)[]): JsonText {
    return new JsonText(pieces.flatMap((piece) => (typeof piece === 'string' ? [Buffer.from(piece)] : piece.parts)));
  }

  /** In bytes. */
  get length(): number {
    return this.parts.reduce((sum, { length }) => sum + length, 0);
  }
}
