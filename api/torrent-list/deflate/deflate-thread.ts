// Deflates in a thread of its own, many pieces for one message there and one back: a job of zlib's for each piece would
// cost the main thread more than all the rest of a tick. What goes over lies in shared memory that is used again and
// again. Started when somebody first asks; it does not keep the process.
import { setImmediate as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

const ENTRY = new URL('./deflate-worker.js', import.meta.url);
/** Copied for a message at once. */
const JOB_BYTES = 2 * 1024 * 1024;
/** zlib: what cannot be deflated becomes longer by 5 bytes in 16 KB, and 11 for the ends of a piece. */
const MAX_GROWTH = 1.01;
const MAX_ENDS_BYTES = 16;
/** zlib takes some 270 KB outside of it. */
const THREAD_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 };

export interface DeflateJob {
  readonly input: SharedArrayBuffer;
  readonly output: SharedArrayBuffer;
  /** Of the pieces, one after the other in the input. */
  readonly lengths: readonly number[];
}

/** What is copied into shared memory to be deflated. */
export interface DeflateInput {
  readonly byteLength: number;
  copyTo(into: Buffer, at: number): void;
}

/** Of each piece, one after the other in the output. */
export interface DeflateReply {
  readonly lengths: number[];
  /** CRC-32 of what it was. */
  readonly checksums: number[];
}

/** A piece of raw DEFLATE (RFC 1951) that ends on a byte and refers to nothing before it. */
export interface DeflatedPart {
  readonly bytes: Uint8Array;
  /** Before it was deflated. */
  readonly length: number;
  readonly checksum: number;
}

export interface Deflate {
  /** In their order. Rejects when the thread has died; another one is started for the next. */
  deflate(pieces: readonly DeflateInput[]): Promise<DeflatedPart[]>;
}

export function inputOf(bytes: Uint8Array): DeflateInput {
  return { byteLength: bytes.byteLength, copyTo: (into, at) => into.set(bytes, at) };
}

export class DeflateThread implements Deflate {
  #worker: Worker | null = null;
  #input = new SharedArrayBuffer(0);
  #output = new SharedArrayBuffer(0);
  /** One job at a time: they share the memory. */
  #last: Promise<unknown> = Promise.resolve();

  async deflate(pieces: readonly DeflateInput[]): Promise<DeflatedPart[]> {
    const deflated: DeflatedPart[] = [];
    for (let from = 0; from < pieces.length;) {
      const to = endOfJob(pieces, from);
      const job = pieces.slice(from, to);
      const done = this.#last.then(() => this.#run(job));
      this.#last = done.catch(() => undefined);
      deflated.push(...(await done));
      from = to;
      if (from < pieces.length) await pause();
    }
    return deflated;
  }

  async #run(pieces: readonly DeflateInput[]): Promise<DeflatedPart[]> {
    const length = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
    this.#makeRoom(length, pieces.length);
    const input = Buffer.from(this.#input);
    let at = 0;
    for (const piece of pieces) {
      piece.copyTo(input, at);
      at += piece.byteLength;
    }
    const lengths = pieces.map((piece) => piece.byteLength);
    const reply = await this.#ask({ input: this.#input, output: this.#output, lengths });
    return cut(new Uint8Array(this.#output), reply, lengths);
  }

  #makeRoom(length: number, pieces: number): void {
    const needed = Math.ceil(length * MAX_GROWTH) + pieces * MAX_ENDS_BYTES;
    if (this.#input.byteLength < length) this.#input = new SharedArrayBuffer(Math.max(length, JOB_BYTES));
    if (this.#output.byteLength < needed) this.#output = new SharedArrayBuffer(Math.max(needed, JOB_BYTES));
  }

  #ask(job: DeflateJob): Promise<DeflateReply> {
    const worker = (this.#worker ??= this.#start());
    return new Promise((resolve, reject) => {
      const onMessage = (reply: DeflateReply): void => settle(() => resolve(reply));
      const onEnd = (why: unknown): void =>
        settle(() => reject(new Error(`the deflating thread ended: ${String(why)}`)));
      const settle = (then: () => void): void => {
        worker.off('message', onMessage).off('error', onEnd).off('exit', onEnd);
        then();
      };
      worker.on('message', onMessage).on('error', onEnd).on('exit', onEnd);
      // A listener for messages has kept the process.
      worker.unref();
      worker.postMessage(job);
    });
  }

  #start(): Worker {
    const worker = new Worker(ENTRY, { name: 'deflate', resourceLimits: THREAD_LIMITS, execArgv: [] });
    const onEnd = (): void => void (this.#worker = this.#worker === worker ? null : this.#worker);
    return worker.on('error', onEnd).on('exit', onEnd);
  }
}

/** At least one piece. */
function endOfJob(pieces: readonly DeflateInput[], from: number): number {
  let bytes = 0;
  for (let to = from; to < pieces.length; to++) {
    bytes += pieces[to]!.byteLength;
    if (bytes > JOB_BYTES && to > from) return to;
  }
  return pieces.length;
}

/** Each in memory of its own: the shared one is written again, and one that is kept for long must not keep others. */
function cut(output: Uint8Array, { lengths, checksums }: DeflateReply, plain: readonly number[]): DeflatedPart[] {
  let at = 0;
  return lengths.map((length, i) => {
    const bytes = Buffer.allocUnsafeSlow(length);
    bytes.set(output.subarray(at, at + length));
    at += length;
    return { bytes, length: plain[i]!, checksum: checksums[i]! };
  });
}
