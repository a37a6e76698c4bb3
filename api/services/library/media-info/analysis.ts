// Has MediaInfo look at a file in a thread of its own, which is ended with it: whatever a file does to it, a crash, a loop
// without end or memory without bounds, costs the one request. The thread has no file and no socket: it asks for bytes, so many of
// them at most, and gets those that the file's reader gives.
import { Worker } from 'node:worker_threads';
import type { ErrorData } from '../../../../shared-protocol/errors.js';
import { RequestError } from '../../../errors.js';

const KIB = 1024;
const MIB = 1024 * KIB;
const ENTRY = new URL('./media-info-worker.js', import.meta.url);

export interface AnalysisLimits {
  /** From the first byte on; a film of 40 GB takes a second of a slow disk. */
  readonly timeoutMs: number;
  /** More is not read: the answer is what is known by then. MediaInfo looks at some MiB of usual files. */
  readonly maxBytes: number;
  readonly maxReads: number;
  /** Length of the answer; a film with many tracks has 20 KiB. */
  readonly maxTextChars: number;
}

export const DEFAULT_LIMITS: AnalysisLimits = {
  timeoutMs: 10_000,
  maxBytes: 64 * MIB,
  maxReads: 2_000,
  maxTextChars: 128 * KIB,
};
const FORMAT = /^Format +: /m;
const NOT_KNOWN = 'it is damaged, or of a kind that is not known';
/** JavaScript's own; that of WebAssembly is bounded by the thread itself. */
const THREAD_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 };

export interface MediaSource {
  readonly sizeBytes: number;
  readonly isClosed: boolean;
  /** Bytes from an offset on; none: they have not come yet, or it is closed. */
  read(from: number, until: number): Promise<Uint8Array>;
}

export type ThreadMessage =
  /** The thread's modules and MediaInfo are loaded; always the first. It begins when it is told how long the file is. */
  | { readonly kind: 'loaded' }
  | { readonly kind: 'wants'; readonly from: number; readonly count: number }
  | { readonly kind: 'done'; readonly text: string }
  | { readonly kind: 'failed' };

/** Aborted, it rejects and ends the thread. @throws RequestError `MEDIA_UNREADABLE`; what reading throws */
export async function analyse(
  source: MediaSource,
  signal: AbortSignal,
  { limits = DEFAULT_LIMITS, entry = ENTRY }: { readonly limits?: AnalysisLimits; readonly entry?: URL } = {},
): Promise<string> {
  signal.throwIfAborted();
  const worker = new Worker(entry, {
    ...{ name: 'media-info', resourceLimits: THREAD_LIMITS, execArgv: [], argv: [], env: {} },
    ...{ stdout: true, stderr: true },
  });
  // Terminated while it loads its modules, it would leave their files open in the process.
  const loadedOrGone = new Promise<void>((resolve) => worker.once('message', () => resolve()).once('exit', resolve));
  let timer: NodeJS.Timeout | undefined;
  let onAbort = (): void => undefined;
  try {
    return await new Promise<string>((resolve, reject) => {
      const bytes = new BoundedBytes(source, limits);
      onAbort = () => reject(unreadable('nobody waits for it any more'));
      signal.addEventListener('abort', onAbort);
      worker.on('message', (message: ThreadMessage) => {
        switch (message.kind) {
          case 'loaded':
            timer = setTimeout(() => reject(unreadable('it takes too long', { timed_out: true })), limits.timeoutMs);
            worker.postMessage(source.sizeBytes);
            return;
          case 'wants':
            bytes.next(message.from, message.count).then((chunk) => worker.postMessage(chunk), reject);
            return;
          case 'done': {
            // Of what it does not know it says the size alone.
            if (!FORMAT.test(message.text)) return reject(unreadable(NOT_KNOWN));
            return resolve(message.text.trimEnd().slice(0, limits.maxTextChars));
          }
          case 'failed':
            return reject(unreadable(NOT_KNOWN));
        }
      });
      // Out of memory, for one.
      worker.on('error', () => reject(unreadable(NOT_KNOWN)));
      worker.on('exit', () => reject(unreadable(NOT_KNOWN)));
    });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    await loadedOrGone;
    await worker.terminate();
  }
}

function unreadable(why: string, facts: ErrorData = {}): RequestError {
  return new RequestError('MEDIA_UNREADABLE', `file: MediaInfo cannot read it: ${why}`, facts);
}

/** Bytes of a file as the thread is given them: none once it has had its share. */
class BoundedBytes {
  #reads = 0;
  #bytes = 0;

  constructor(
    private readonly source: MediaSource,
    private readonly limits: AnalysisLimits,
  ) {}

  /** None: there are no more for it. What it asks for may be anything. */
  async next(from: number, count: number): Promise<Uint8Array> {
    const { source, limits } = this;
    const until = Math.min(from + count, from + limits.maxBytes - this.#bytes, source.sizeBytes);
    const isSensible = Number.isSafeInteger(from) && from >= 0 && Number.isSafeInteger(until) && until > from;
    if (!isSensible || ++this.#reads > limits.maxReads) return new Uint8Array(0);
    for (;;) {
      const bytes = await source.read(from, until);
      this.#bytes += bytes.length;
      // What is not verified yet is waited for.
      if (bytes.length > 0 || source.isClosed) return bytes;
    }
  }
}
