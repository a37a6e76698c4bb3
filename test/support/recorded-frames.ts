// A frame sink that writes down what it hears, one line for each call; payloads as their SHA-1, so that two records
// compare equal only if every byte does. Calls may close the splitter or abandon its block at chosen points.
import { createHash } from 'node:crypto';
import { FrameSplitter, type FrameSink } from '../../engine/wire/frame-splitter.js';

export type SinkCall = keyof FrameSink;

export interface RecordedFramesOptions {
  /** Close the splitter within the first call of this name. */
  readonly closeIn?: SinkCall;
  /** Blocks that have no place. */
  readonly refuse?: (piece: number, begin: number) => boolean;
}

export class RecordedFrames implements FrameSink {
  readonly calls: string[] = [];
  readonly blocks: { readonly piece: number; readonly begin: number; readonly bytes: Uint8Array }[] = [];
  /** Handshake and control frames as they were handed on, not copied again. */
  readonly kept: Uint8Array[] = [];
  readonly splitter = new FrameSplitter(this);
  #place: Uint8Array | null = null;

  constructor(private readonly options: RecordedFramesOptions = {}) {}

  onHandshake(bytes: Uint8Array): void {
    this.kept.push(bytes);
    this.#note('onHandshake', bytes.length, sha1(bytes));
  }
  onControl(frame: Uint8Array, id: number): void {
    this.kept.push(frame);
    this.#note('onControl', id, frame.length, sha1(frame));
  }
  onRequest(piece: number, begin: number, length: number): void {
    this.#note('onRequest', piece, begin, length);
  }
  onCancel(piece: number, begin: number, length: number): void {
    this.#note('onCancel', piece, begin, length);
  }
  onReject(piece: number, begin: number, length: number): void {
    this.#note('onReject', piece, begin, length);
  }
  onBlockStart(piece: number, begin: number, length: number): Uint8Array | null {
    this.#place = this.options.refuse?.(piece, begin) ? null : new Uint8Array(length);
    this.#note('onBlockStart', piece, begin, length);
    return this.#place;
  }
  onBlockEnd(piece: number, begin: number, length: number): void {
    const bytes = this.#place ?? new Uint8Array(0);
    this.blocks.push({ piece, begin, bytes });
    this.#note('onBlockEnd', piece, begin, length, sha1(bytes));
  }
  onViolation(reason: string): void {
    this.#note('onViolation', reason);
  }

  #note(call: SinkCall, ...values: readonly (string | number)[]): void {
    this.calls.push([call, ...values].join(' '));
    if (call === this.options.closeIn) this.splitter.close();
  }
}

export function sha1(bytes: Uint8Array): string {
  return createHash('sha1').update(bytes).digest('hex');
}
