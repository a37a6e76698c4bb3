// Which titles a filter would let through, while it is typed. Says so when that cannot be told here: what is stored is
// the server's to judge.
import type { FilterDto } from '../../../../../shared-protocol/dto/rss.js';
import type { PreviewAnswer, PreviewFilter, PreviewQuestion } from './preview-messages.js';
import { translate } from './pattern.js';

export type Preview =
  /** For each title that is let through the first filter that does it. Both by their places. */
  | { readonly kind: 'matched'; readonly byTitle: ReadonlyMap<number, number> }
  /** A pattern is not one of RE2, or means nothing to JavaScript. */
  | { readonly kind: 'impossible' }
  | { readonly kind: 'tooSlow' };

/** Titles that a filter lets through, by its patterns. */
export type Titles = Pick<FilterDto, 'regex' | 'exclude_regex'>;

/** Time for all titles: the server would need some milliseconds. */
const TIMEOUT_MS = 200;

export class Previewer {
  #worker: Promise<Worker> | null = null;
  #queue: Promise<unknown> = Promise.resolve();

  /** One question at a time. Without filters nothing matches; an empty pattern matches all. */
  preview(filters: readonly Titles[], titles: readonly string[]): Promise<Preview> {
    const translated = filters.flatMap((filter) => translatedOf(filter) ?? []);
    if (translated.length < filters.length) return Promise.resolve({ kind: 'impossible' });
    const question = { filters: translated, titles };
    const answer = this.#queue.then(() => this.#ask(question));
    this.#queue = answer;
    return answer;
  }

  close(): void {
    void this.#worker?.then((worker) => worker.terminate());
    this.#worker = null;
  }

  async #ask(question: PreviewQuestion): Promise<Preview> {
    this.#worker ??= startWorker();
    const worker = await this.#worker;
    const matched = new Promise<Preview>((resolve) => {
      worker.onmessage = ({ data }: MessageEvent<PreviewAnswer>) => {
        if (data.kind === 'matched') resolve({ kind: 'matched', byTitle: new Map(data.matches) });
      };
    });
    worker.postMessage(question);
    const outcome = await Promise.race([matched, tooSlow()]);
    if (outcome.kind === 'tooSlow') this.close();
    return outcome;
  }
}

function translatedOf({ regex, exclude_regex = '' }: Titles): PreviewFilter | null {
  const wanted = translate(regex);
  if (exclude_regex === '') return wanted && { wanted, excluded: null };
  const excluded = translate(exclude_regex);
  return wanted && excluded && { wanted, excluded };
}

function startWorker(): Promise<Worker> {
  const worker = new Worker(new URL('./preview-worker.ts', import.meta.url), { type: 'module' });
  // Starting is not matching: a busy machine takes longer for the one than the other may.
  return new Promise((resolve) => worker.addEventListener('message', () => resolve(worker), { once: true }));
}

function tooSlow(): Promise<Preview> {
  return new Promise((resolve) => setTimeout(() => resolve({ kind: 'tooSlow' }), TIMEOUT_MS));
}
