// The options of an engine of its own process, on its disk: after a start of the machine it goes on by itself, behind the
// same interface, proxy and blocklist, before any front has come. A blocklist is megabytes and changes once a day, where
// shares of a limit change each few seconds: it has a file of its own.
import type { EngineOptions } from '../shared-protocol/commands/engine-options.js';
import { decodeMessage, encodeMessage } from '../shared-protocol/stream/codec.js';
import { readIfExists, replaceFile } from '../storage/atomic-file.js';

const VERSION = 2;

type Blocklist = EngineOptions['blocklist'];

interface Kept {
  readonly version: number;
  readonly options: Omit<EngineOptions, 'blocklist'>;
}

interface KeptBlocklist {
  readonly version: number;
  readonly blocklist: Blocklist;
}

export class KeptOptions {
  #writing: Promise<void> = Promise.resolve();
  #latest: EngineOptions | null = null;
  /** The lists that are in their file, as far as this process knows. */
  #stored: Blocklist | null = null;

  constructor(
    /** Returns the path of a file in the data directory. */
    private readonly file: (name: 'engine-options' | 'engine-blocklist') => string,
    private readonly onFailed: (reason: string) => void,
  ) {}

  /** null: no front has started this engine yet, or a file cannot be read: then one is waited for. */
  async read(): Promise<EngineOptions | null> {
    const bytes = await readIfExists(this.file('engine-options'));
    if (!bytes) return null;
    const kept = decodeMessage(bytes) as Partial<Kept> | null;
    const lists = decodeMessage(
      (await readIfExists(this.file('engine-blocklist'))) ?? NOTHING,
    ) as Partial<KeptBlocklist> | null;
    const isReadable = kept?.version === VERSION && lists?.version === VERSION;
    if (isReadable && typeof kept.options === 'object' && Array.isArray(lists.blocklist)) {
      this.#stored = lists.blocklist;
      return { ...kept.options, blocklist: lists.blocklist };
    }
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
      if (latest) await this.#write(latest).catch((error: unknown) => this.onFailed(String(error)));
    });
  }

  /** Resolves when what was to be kept is. */
  settled(): Promise<void> {
    return this.#writing;
  }

  /** The lists first: options are never there without lists. */
  async #write({ blocklist, ...options }: EngineOptions): Promise<void> {
    if (blocklist !== this.#stored) {
      await replaceFile(
        this.file('engine-blocklist'),
        encodeMessage({ version: VERSION, blocklist } satisfies KeptBlocklist),
      );
      this.#stored = blocklist;
    }
    await replaceFile(this.file('engine-options'), encodeMessage({ version: VERSION, options } satisfies Kept));
  }
}

const NOTHING = new Uint8Array();
