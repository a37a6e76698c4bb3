// The options of an engine of its own process, on its disk: after a start of the machine it goes on by itself, behind the
// same interface, proxy and blocklist, before any front has come.
import type { EngineOptions } from '../shared-protocol/commands.js';
import { decodeMessage, encodeMessage } from '../shared-protocol/stream/codec.js';
import { readIfExists, replaceFile } from '../storage/atomic-file.js';

const VERSION = 1;

interface Kept {
  readonly version: number;
  readonly options: EngineOptions;
}

export class KeptOptions {
  readonly #file: string;
  #writing: Promise<void> = Promise.resolve();
  #latest: EngineOptions | null = null;

  constructor(
    file: string,
    private readonly onFailed: (reason: string) => void,
  ) {
    this.#file = file;
  }

  /** null: no front has started this engine yet, or the file cannot be read: then one is waited for. */
  async read(): Promise<EngineOptions | null> {
    const bytes = await readIfExists(this.#file);
    if (!bytes) return null;
    const kept = decodeMessage(bytes) as Partial<Kept> | null;
    if (kept?.version === VERSION && typeof kept.options === 'object') return kept.options;
    this.onFailed('not readable');
    return null;
  }

  /** In the background; of several the last is what is there in the end. */
  keep(options: EngineOptions): void {
    const isWaiting = this.#latest !== null;
    this.#latest = options;
    if (isWaiting) return;
    this.#writing = this.#writing.then(async () => {
      const latest = this.#latest;
      this.#latest = null;
      if (!latest) return;
      const bytes = encodeMessage({ version: VERSION, options: latest } satisfies Kept);
      await replaceFile(this.#file, Buffer.from(bytes)).catch((error: unknown) => this.onFailed(String(error)));
    });
  }

  /** Resolves when what was to be kept is. */
  settled(): Promise<void> {
    return this.#writing;
  }
}
