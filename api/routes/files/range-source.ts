// A range of a file as the bytes of an answer: waits for what is still being downloaded, and looks before each chunk whether
// whoever asked for it may still have it.
import type { FileStream } from '../../services/library/file-streams.js';
import type { ByteSource } from '../live-body.js';
import type { ByteRange } from './byte-range.js';

export class RangeSource implements ByteSource {
  #at: number;

  constructor(
    private readonly file: FileStream,
    private readonly range: ByteRange,
    private readonly assertMayRead: () => void,
  ) {
    this.#at = range.from;
  }

  get length(): number {
    return this.range.end - this.range.from;
  }

  async next(): Promise<Uint8Array | null> {
    const { end } = this.range;
    while (this.#at < end && !this.file.isClosed) {
      const bytes = await this.file.read(this.#at, end);
      // It may have been taken away while the bytes were on their way.
      this.assertAllowed();
      this.#at += bytes.length;
      if (bytes.length > 0) return bytes;
    }
    return null;
  }

  assertAllowed(): void {
    this.file.assertHeld();
    this.assertMayRead();
  }

  close(): void {
    this.file.close();
  }
}
