// Answers one run of requests after another: asks for each part of it, gives up on a seed that falls silent, and
// on a part that no request waits for any more. Knows nothing of the peer protocol but the frames it hands on.
import { BLOCK_SIZE_BYTES, SECOND_MS, type Clock, type Timer } from '../environment.js';
import type { BlockRun } from './block-run.js';
import { SILENCE_TIMEOUT_MS } from './constants.js';
import { retryAfterReason } from './outcome.js';
import type { SeedPart } from './seed-parts.js';
import { SeedFailure, type RangeClient } from './types.js';

export interface RunServerDeps {
  readonly clock: Clock;
  readonly client: RangeClient;
  /** The parts that lie between two offsets of the torrent. */
  partsOf(start: number, end: number): Iterable<SeedPart>;
  /** Hands a frame on, which is valid until then; a promise where that must wait. */
  deliver(frame: Uint8Array): Promise<void> | undefined;
}

/** The bytes of a pad file (BEP 47). */
const ZEROES = new Uint8Array(BLOCK_SIZE_BYTES);

export class RunServer {
  #run: BlockRun | null = null;
  /** The request under way. */
  #asking: { readonly end: number; readonly abort: AbortController } | null = null;
  #stopped = false;

  constructor(private readonly deps: RunServerDeps) {}

  /** Whether this block is about to be delivered. */
  awaits(piece: number, begin: number): boolean {
    return this.#run?.awaits(piece, begin) ?? false;
  }

  /** False when it is too late, or the block is not being asked for. */
  cancel(piece: number, begin: number): boolean {
    if (!this.#run?.cancel(piece, begin)) return false;
    if (this.#asking && !this.#run.wants(this.#asking.end)) this.#asking.abort.abort();
    return true;
  }

  /** Delivers nothing more. */
  stop(): void {
    this.#stopped = true;
    this.#asking?.abort.abort();
  }

  /**
   * One at a time. Resolves with null once every block is delivered or cancelled, else with the reason why the seed
   * is of no use.
   */
  async serve(run: BlockRun): Promise<string | null> {
    this.#run = run;
    for (const part of this.deps.partsOf(run.position, run.end)) {
      if (run.wants(part.end)) {
        const problem = part.ask ? await this.#ask(run, part.end, part.ask) : await this.#serveZeroes(run, part.end);
        if (problem !== null) return problem;
      }
      if (this.#stopped) return null;
      run.skipTo(part.end);
    }
    this.#run = null;
    return null;
  }

  async #serveZeroes(run: BlockRun, end: number): Promise<null> {
    while (run.position < end && !this.#stopped) {
      await this.#take(run, ZEROES.subarray(0, end - run.position));
    }
    return null;
  }

  async #ask(run: BlockRun, end: number, { url, range }: NonNullable<SeedPart['ask']>): Promise<string | null> {
    const { clock, client } = this.deps;
    const abort = new AbortController();
    this.#asking = { end, abort };
    const silence = new SilenceWatch(clock, () => abort.abort());
    let problem: string | null = null;
    try {
      const answer = await client.get(url, range, abort.signal);
      if (answer.kind === 'body') {
        for await (const chunk of answer.chunks) {
          // The time that a frame waits to be taken is not the seed's.
          silence.pause();
          await this.#take(run, chunk);
          if (abort.signal.aborted) break;
          silence.restart();
        }
      } else {
        problem = answer.kind === 'failed' ? answer.reason : retryAfterReason(answer.seconds, answer.reason);
      }
    } catch (thrown) {
      if (!(thrown instanceof SeedFailure)) throw thrown;
      problem = thrown.message;
    } finally {
      silence.pause();
      this.#asking = null;
    }
    if (silence.expired) return `nothing for ${SILENCE_TIMEOUT_MS / SECOND_MS} s`;
    return abort.signal.aborted ? null : problem;
  }

  async #take(run: BlockRun, bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length && !this.#stopped;) {
      const { used, frame } = run.take(bytes, at);
      at += used;
      const delivered = frame ? this.deps.deliver(frame) : undefined;
      if (delivered) await delivered;
    }
  }
}

class SilenceWatch {
  expired = false;
  #timer: Timer;

  constructor(
    private readonly clock: Clock,
    private readonly onExpired: () => void,
  ) {
    this.#timer = this.#start();
  }

  pause(): void {
    this.#timer.cancel();
  }

  restart(): void {
    this.#timer.cancel();
    this.#timer = this.#start();
  }

  #start(): Timer {
    return this.clock.after(SILENCE_TIMEOUT_MS, () => {
      this.expired = true;
      this.onExpired();
    });
  }
}
