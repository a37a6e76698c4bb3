// Where a torrent stands with its verification: none, waiting for its turn, or under way.
import type { PieceHasher } from '../hashing/types.js';
import type { Bitfield } from './bitfield.js';
import { Check } from './check.js';
import type { Content } from './content.js';

export class CheckTurn {
  #state: 'none' | 'queued' | 'running' = 'none';
  #running: Check | null = null;

  get state(): 'none' | 'queued' | 'running' {
    return this.#state;
  }

  queue(): void {
    if (this.#state === 'none') this.#state = 'queued';
  }

  /** What is on disk, or null when stopped. `done` must be called whatever happens. */
  run(content: Content, hasher: PieceHasher): Promise<Bitfield | null> {
    this.#state = 'running';
    this.#running = new Check({ info: content.info, storage: content.storage, hasher });
    return this.#running.run();
  }

  stop(): void {
    this.#running?.stop();
  }

  done(): void {
    this.#running = null;
    this.#state = 'none';
  }
}
