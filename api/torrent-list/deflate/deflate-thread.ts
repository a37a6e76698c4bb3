// Deflates in a thread of its own, many parts for one message there and one back: a job of zlib's for each part would
// cost the main thread more than all the rest of a tick. What goes over lies in shared memory that is used again and
// again. The thread is started with the first call and does not keep the process.
import { setImmediate as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Deflate, DeflatedPart, PlainPart } from './deflated-part.js';

const ENTRY = new URL('./deflate-worker.js', import.meta.url);
/** Copied for a message at once. */
const JOB_BYTES = 2 * 1024 * 1024;
/** zlib: what cannot be deflated becomes longer by 5 bytes in 16 KB, and 11 for the ends of a part. */
const MAX_GROWTH = 1.01;
const MAX_ENDS_BYTES = 16;
/** zlib takes some 270 KB outside of it. */
const THREAD_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 };

/** A message to the thread. */
export interface DeflateJob {
  readonly input: SharedArrayBuffer;
  readonly output: SharedArrayBuffer;
  /** Lengths of the parts, which lie one after the other in the input. */
  readonly lengths: readonly number[];
}

/** The answer to a job. */
export interface DeflateReply {
  /** Lengths of the deflated parts, which lie one after the other in the output. */
  readonly lengths: number[];
  /** CRC-32 of each part before it was deflated. */
  readonly checksums: number[];
}

/** The deflating thread as its users see it; it is started anew when it has died. */
export class DeflateThread implements Deflate {
  #worker: Worker | null = null;
  #input = new SharedArrayBuffer(0);
  #output = new SharedArrayBuffer(0);
  /** One job at a time: they share the memory. */
  #last: Promise<unknown> = Promise.resolve();

  async deflate(parts: readonly PlainPart[]): Promise<DeflatedPart[]> {
    const deflated: DeflatedPart[] = [];
    for (let from = 0; from < parts.length;) {
      const to = endOfJob(parts, from);
      const job = parts.slice(from, to);
      const done = this.#last.then(() => this.#run(job));
      this.#last = done.catch(() => undefined);
      deflated.push(...(await done));
      from = to;
      if (from < parts.length) await pause();
    }
    return deflated;
  }

  async #run(parts: readonly PlainPart[]): Promise<DeflatedPart[]> {
    const lengths = parts.map(({ byteLength }) => byteLength);
    this.#makeRoom(
      lengths.reduce((sum, length) => sum + length, 0),
      parts.length,
    );
    const input = Buffer.from(this.#input);
    let at = 0;
    for (const part of parts) {
      part.copyTo(input, at);
      at += part.byteLength;
    }
    const reply = await this.#ask({ input: this.#input, output: this.#output, lengths });
    return cut(new Uint8Array(this.#output), reply, lengths);
  }

  #makeRoom(length: number, parts: number): void {
    const needed = Math.ceil(length * MAX_GROWTH) + parts * MAX_ENDS_BYTES;
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

/** At least one part. */
function endOfJob(parts: readonly PlainPart[], from: number): number {
  let bytes = 0;
  for (let to = from; to < parts.length; to++) {
    bytes += parts[to]!.byteLength;
    if (bytes > JOB_BYTES && to > from) return to;
  }
  return parts.length;
}

/** Each part in memory of its own: the shared one is written again, and a part that is kept for long must not keep others. */
function cut(
  output: Uint8Array,
  { lengths, checksums }: DeflateReply,
  plainLengths: readonly number[],
): DeflatedPart[] {
  let at = 0;
  return lengths.map((length, i) => {
    const bytes = Buffer.allocUnsafeSlow(length);
    bytes.set(output.subarray(at, at + length));
    at += length;
    return { bytes, plainLength: plainLengths[i]!, checksum: checksums[i]! };
  });
}
