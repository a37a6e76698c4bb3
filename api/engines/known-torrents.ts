// What this front knows of the torrents of each engine, kept for a start at which one is away: its torrents are shown as they were
// then, and not as if they were lost. Owns: when it is written. An engine that was not heard of since has nothing new to keep.
import type { Clock, Timer } from '../../shared-protocol/clock.js';
import type { KnownTorrent } from '../../storage/known-torrents.js';
import type { Log } from '../logging.js';

const LOOK_EVERY_MS = 10_000;
/** While the engine is there: what a front that is killed knows less, its next start shows as it was before. */
const WRITE_EVERY_MS = 600_000;

/** An engine, as far as it is kept. */
export interface KnownEngine {
  readonly name: string;
  /** All that it has was told, and nothing is being told at the moment. */
  readonly isLoaded: boolean;
  readonly isAway: boolean;
  readonly torrents: () => Iterable<KnownTorrent>;
}

export interface KnownTorrentsStore {
  write(engine: string, torrents: Iterable<KnownTorrent>): Promise<void>;
  /** In chunks. */
  read(engine: string): AsyncIterable<readonly KnownTorrent[]>;
}

export interface KnownTorrentsDeps {
  readonly engines: readonly KnownEngine[];
  readonly store: KnownTorrentsStore;
  readonly clock: Pick<Clock, 'after' | 'nowMs'>;
  readonly log: Pick<Log, 'warn'>;
}

export class KnownTorrents {
  readonly #states: { isNew: boolean; writtenAtMs: number }[];
  #timer: Timer | null = null;
  #writing: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(private readonly deps: KnownTorrentsDeps) {
    const writtenAtMs = deps.clock.nowMs();
    this.#states = deps.engines.map(() => ({ isNew: false, writtenAtMs }));
    this.#lookLater();
  }

  /** An engine was heard of. */
  note(engine: number): void {
    this.#states[engine]!.isNew = true;
  }

  /** Chunks of what was kept of an engine; nothing where that cannot be read. */
  async *read(engine: number): AsyncGenerator<readonly KnownTorrent[]> {
    const { store, log } = this.deps;
    const { name } = this.deps.engines[engine]!;
    try {
      yield* store.read(name);
    } catch (error) {
      log.warn('torrents of an engine that is away are not shown', { engine: name, reason: String(error) });
    }
  }

  /** Resolves when what is new is kept. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    await this.#writing;
    for (const engine of this.deps.engines.keys()) await this.#write(engine);
  }

  #lookLater(): void {
    this.#timer = this.deps.clock.after(LOOK_EVERY_MS, () => {
      this.#writing = this.#look().finally(() => {
        if (!this.#isClosed) this.#lookLater();
      });
    });
  }

  async #look(): Promise<void> {
    const nowMs = this.deps.clock.nowMs();
    for (const [engine, { isAway }] of this.deps.engines.entries()) {
      const isDue = isAway || nowMs - this.#states[engine]!.writtenAtMs >= WRITE_EVERY_MS;
      if (isDue && !this.#isClosed) await this.#write(engine);
    }
  }

  async #write(engine: number): Promise<void> {
    const { store, clock, log } = this.deps;
    const { name, isLoaded, torrents } = this.deps.engines[engine]!;
    const state = this.#states[engine]!;
    if (!isLoaded || !state.isNew) return;
    Object.assign(state, { isNew: false, writtenAtMs: clock.nowMs() });
    try {
      await store.write(name, torrents());
    } catch (error) {
      state.isNew = true;
      log.warn('what is known of the torrents of an engine is not kept', { engine: name, reason: String(error) });
    }
  }
}
